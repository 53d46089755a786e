import { resolve } from "node:path";
import {
  definePlugin,
  Management,
  type PluginContext,
  Records,
  Routing,
  refuseOptions,
  Sealing,
  Stage,
  StoredProviders,
  unknownProvider,
  z,
} from "../../core/index.ts";
import { Catalogue } from "./call/catalogue.ts";
import { promptEndpoints } from "./call/endpoints.ts";
import { leafPrompts } from "./call/leaf-prompts.ts";
import { declaredIn } from "./file/declare.ts";
import { options } from "./file/options.ts";
import { readFolder } from "./file/read-folder.ts";
import { manage } from "./manage/manage.ts";
import { openStores } from "./saved/stores.ts";
import { because } from "./template/refusals.ts";

export default definePlugin({
  name: "prompts",
  summary: "Keeps prompt templates with versions, and serves requests that are made of them.",
  options,
  needs: [Records],
  uses: [Management, Routing, Sealing, StoredProviders],
  setup(context, { prompts, partials, folder }) {
    const { service, offered, providers, formats, endpoint, onClose, onReady } = context;
    const found = folder === undefined ? { prompts: {}, partials: {} } : readFolder(resolve(context.folder, folder));
    const declared = declaredIn({ prompts, partials }, found);
    const stores = openStores({ records: service(Records), sealing: offered(Sealing), ...declared });
    const management = offered(Management);
    const shared = { providers, stored: offered(StoredProviders) };
    const catalogue = new Catalogue({
      stores,
      prompts: declared.prompts,
      partials: declared.partials,
      organisations: management !== undefined,
      ...shared,
    });
    onClose(() => catalogue.close());
    for (const one of promptEndpoints(catalogue, formats)) endpoint(one);
    refuseWithoutModel(context);
    const routing = offered(Routing);
    routing?.field({ name: "prompt_id", schema: z.string().min(1), inherit: "none" });
    routing?.request(leafPrompts(catalogue, formats));
    if (management) manage(management, stores, shared);
    onReady(() => {
      const missing = declared.providers.filter(({ slug }) => !providers.configured(slug));
      refuseOptions(
        missing.map(({ slug, prompt, path }) => ({
          path,
          message: `the prompt "${prompt}" ${unknownProvider(slug, providers)}`,
        })),
      );
    });
  },
});

/** What a model is missing from is known when the config has had its say. */
function refuseWithoutModel({ hooks }: Pick<PluginContext, "hooks">): void {
  hooks.beforeRequest.tap({ name: "prompts", stage: Stage.enrich }, (seen) => {
    if (!("kind" in seen) && seen.origin?.prompt && !seen.model)
      throw because(
        "prompt_model_missing",
        `The prompt "${seen.origin.prompt.slug}" names no model, and neither does this call.`,
        "model",
      );
    return seen;
  });
}
