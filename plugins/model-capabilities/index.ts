import { definePlugin, z } from "../../core/index.ts";
import { CapabilityLists } from "./lists.ts";
import { capabilityEndpoints } from "./serve.ts";

const isAddress = (url: string): boolean => /^https:/i.test(url) && URL.canParse(url) && !/[?#]/.test(url);

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
        enabled: z
          .boolean()
          .default(false)
          .describe("Whether it is asked, before `sources`. ${MODEL_CONFIGS_PROXY_FETCH_ENABLED:-false}"),
        url: z
          .string()
          .refine(isAddress, "an https:// address, with no query")
          .optional()
          .describe("Serves `{url}/general/{vendor}`, with the content of such a file. ${MODEL_CONFIGS_PROXY_URL}"),
      })
      .refine(({ enabled, url }) => !enabled || url !== undefined, {
        path: ["url"],
        error: "missing: say which address is asked, or set enabled to false",
      })
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
