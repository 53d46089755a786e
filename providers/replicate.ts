import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "replicate",
  summary: "Replicate: predictions by models of many makers, below /v1/proxy/predictions.",
  baseUrl: "https://api.replicate.com/v1",
  operations: {},
});
