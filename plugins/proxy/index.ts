import { z } from "zod";
import { definePlugin, modelList } from "../../core/index.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

export default definePlugin({
  name: "proxy",
  summary: "Passes every other path, and everything below /v1/proxy, to the provider as it is.",
  options: z.strictObject({}),
  setup({ endpoint }) {
    endpoint({
      type: "listModels",
      method: "GET",
      path: "/v1/models",
      // Where another plugin has a list of its own, that one is asked first.
      url: /\/models\/?(?:\?|$)/,
      rawBody: true,
      corrects: modelList,
      anyScope: ["completions.write", "virtual_keys.list", "models.list"],
    });
    for (const method of methods) {
      for (const path of ["/v1/*", "/v1/proxy/*"]) endpoint({ type: "proxy", method, path, rawBody: true });
    }
  },
});
