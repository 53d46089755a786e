import { defineProvider, keyHeader } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "qdrant",
  summary: "Qdrant: a vector store of your own, below /v1/proxy/.",
  authenticate: keyHeader("api-key"),
  operations: {},
});
