import { defineProvider, modelsByToken } from "../../core/provider-kit/index.ts";
import { batchProcedures } from "./batches.ts";
import { fileProcedures } from "./files.ts";
import { generate } from "./generate.ts";

export default defineProvider({
  name: "cohere",
  summary: "Cohere: the Command models, older text completions, embeddings and reranking.",
  // The version is part of the paths: two of them are in use.
  baseUrl: "https://api.cohere.ai",
  forwards: ["x-client-name"],
  operations: { chat: "cohere-chat", complete: generate, embed: "cohere-embeddings", rerank: "cohere-rerank" },
  procedures: { ...fileProcedures, ...batchProcedures },
  listModels: modelsByToken({ said: "next_page_token", asked: "page_token", length: "page_size" }),
  // Raw paths name no version where the gateway's own was in front of them.
  proxyPath: (path) => (/^\/v\d\//.test(path) ? path : `/v1${path}`),
});
