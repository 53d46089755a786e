import { definePlugin, GuardrailRecords, Management, Records, Sealing } from "../../core/index.ts";
import { guardrailFinder } from "./find.ts";
import { guardrailStore } from "./guardrail-store.ts";
import { manageGuardrails } from "./manage.ts";
import { type DeclaredGuardrail, guardrailOptions } from "./options.ts";

export default definePlugin({
  name: "guardrail-records",
  summary: "Guardrails that are kept in the store or in the config file, and managed over the API.",
  options: guardrailOptions,
  needs: [Management, Records],
  uses: [Sealing],
  provides: [GuardrailRecords],
  setup({ service, offered, provide, providers, onClose }, { guardrails }) {
    const declared = Object.entries(guardrails).map(([slug, given]) => declaredGuardrail(slug, given));
    const store = guardrailStore({ records: service(Records), sealing: offered(Sealing), declared });
    const finder = guardrailFinder(store, declared);
    onClose(finder.close);
    provide(GuardrailRecords, finder);
    manageGuardrails(service(Management), store, (url) => providers.acceptsHost(url));
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
