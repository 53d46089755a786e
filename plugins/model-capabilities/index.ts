import { definePlugin, listsProxyFields, listsProxyRule, z } from "../../core/index.ts";
import { CapabilityLists } from "./lists.ts";
import { capabilityEndpoints } from "./serve.ts";

export default definePlugin({
  name: "model-capabilities",
  summary: "Tells what models take and can do, from lists of the operator's.",
  options: z.strictObject({
    sources: z
      .array(z.string().min(1))
      .default([])
      .describe(
        "Folders of `vendor.json`, and such files, the first one first. ${MODEL_CONFIGS_CAPABILITIES_LOCAL_PATH:-}",
      ),
    proxy: z
      .strictObject({
        ...listsProxyFields("Serves `{url}/general/{vendor}`, with the content of such a file."),
      })
      .refine(...listsProxyRule)
      .prefault({})
      .describe("One address for the lists of all vendors."),
    refresh: z.number().positive().max(500).default(1).describe("Hours after which a list is read again."),
  }),
  setup({ endpoint, folder, ask, log, providers }, { sources, proxy, refresh }) {
    const address = proxy.enabled ? proxy.url : undefined;
    const lists = new CapabilityLists({
      sources,
      ...(address !== undefined && { address }),
      refresh: refresh * 3_600_000,
      folder,
      ask,
      log,
      now: Date.now,
    });
    const known = (vendor: string) => providers.knows(vendor);
    for (const one of capabilityEndpoints(lists, known)) endpoint(one);
  },
});
