import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "milvus",
  summary: "Milvus: a vector store of your own, below /v1/proxy/.",
  operations: {},
});
