import { bearer, defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "modal",
  summary: "Modal: a model server you deployed there. Its modal-key and modal-secret go in the option headers.",
  anonymous: true,
  authenticate: ({ apiKey }) => (apiKey && apiKey.reveal() !== "" ? bearer(apiKey) : undefined),
  operations: { chat: "openai-chat", complete: "openai-completions", embed: "openai-embeddings" },
});
