import { defineProvider } from "sluice/provider-kit";

export default defineProvider({
  name: "acme",
  summary: "Acme's inference API.",
  baseUrl: "https://api.acme.example/v1",
  operations: {
    chat: { format: "openai-chat", drops: ["logit_bias"], clamps: { temperature: [0, 1] } },
    embed: "openai-embeddings",
  },
});
