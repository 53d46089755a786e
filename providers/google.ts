import { defineProvider, keyHeader, modelsByToken } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "google",
  summary: "Google: Gemini models, by the Gemini API.",
  // The version is part of the paths: some models are served by a preview of the API only.
  baseUrl: "https://generativelanguage.googleapis.com",
  // The vendor takes the key in the query, too, where logs and proxies would keep it.
  authenticate: keyHeader("x-goog-api-key"),
  operations: {
    // Labels are for bills, which the vendor's cloud writes by another provider.
    chat: { format: "gemini", drops: ["labels"] },
    count: "gemini-count-tokens",
    embed: ["gemini-embeddings", "gemini-batch-embeddings"],
  },
  listModels: modelsByToken({ said: "nextPageToken", asked: "pageToken", length: "pageSize" }),
  // Raw paths name no version where the gateway's own was in front of them.
  proxyPath: (path) => (/^\/(?:upload\/)?v\d\w*\//.test(path) ? path : `/v1beta${path}`),
});
