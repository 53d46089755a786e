import {
  Checks,
  definePlugin,
  GuardrailRecords,
  Management,
  Records,
  refuseOptions,
  Sealing,
} from "../../core/index.ts";
import { doubtsIn, mistakesIn } from "./checks.ts";
import { guardrailFinder } from "./find.ts";
import { guardrailStore, versionStore } from "./guardrail-store.ts";
import { manageGuardrails } from "./manage.ts";
import { type DeclaredGuardrail, guardrailOptions } from "./options.ts";

export default definePlugin({
  name: "guardrail-records",
  summary: "Guardrails that are kept in the store or in the config file, and managed over the API.",
  options: guardrailOptions,
  needs: [Management, Records, Checks],
  uses: [Sealing],
  provides: [GuardrailRecords],
  setup({ service, offered, provide, providers, log, onReady, onClose }, { guardrails }) {
    const checks = service(Checks);
    const declared = Object.entries(guardrails).map(([slug, given]) => declaredGuardrail(slug, given));
    const parts = { records: service(Records), sealing: offered(Sealing) };
    const store = guardrailStore({ ...parts, declared });
    const versions = versionStore(parts);
    const finder = guardrailFinder({ store, versions, declared, checks });
    onClose(finder.close);
    provide(GuardrailRecords, finder);
    manageGuardrails(service(Management), { store, versions, checks, acceptsUrl: (url) => providers.acceptsHost(url) });
    onReady(() => {
      const mistakes = Object.entries(guardrails).flatMap(([slug, given]) =>
        mistakesIn(checks, given.checks).map(({ path, message }) => ({
          path: ["guardrails", slug, "checks", ...path.map((step) => (typeof step === "number" ? step : String(step)))],
          message,
        })),
      );
      refuseOptions(mistakes);
      // What was used before goes on as it is.
      for (const [slug, given] of Object.entries(guardrails))
        for (const { path, message } of doubtsIn(checks, given.checks))
          log.warn("a guardrail may not be meant so", { guardrail: slug, check: Number(path[0]), mistake: message });
    });
  },
});

const declaredGuardrail = (slug: string, { name = slug, checks, actions }: DeclaredGuardrail) => ({
  id: slug,
  document: {
    workspace_id: null,
    deleted: false,
    slug,
    name,
    checks,
    actions,
    version_id: null,
    owner_id: null,
    updated_by: null,
  },
});
