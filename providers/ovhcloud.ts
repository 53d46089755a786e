import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "ovhcloud",
  summary: "OVHcloud AI Endpoints: open models, served from Europe.",
  baseUrl: "https://oai.endpoints.kepler.ai.cloud.ovh.net/v1",
  operations: { chat: "openai-chat" },
});
