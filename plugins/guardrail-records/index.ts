import { Checks, definePlugin, GuardrailRecords, Management, Records, Sealing } from "../../core/index.ts";
import { mistakesIn } from "./checks.ts";
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
  setup({ service, offered, provide, providers, onReady, onClose }, { guardrails }) {
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
      for (const [slug, given] of Object.entries(guardrails)) {
        const [mistake] = mistakesIn(checks, given.checks);
        if (mistake) throw new Error(`guardrails.${slug}.checks.${mistake.path.join(".")}: ${mistake.message}`);
      }
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
