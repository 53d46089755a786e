import { defineProvider, type ErrorDetail } from "../core/provider-kit/index.ts";

/** `{error: "text"}`: the status is all that tells a loading model from a broken one. */
function readError(status: number, wire: unknown): ErrorDetail | undefined {
  const { error } = (wire ?? {}) as { error?: unknown };
  return typeof error === "string" ? { message: error, code: String(status) } : undefined;
}

export default defineProvider({
  name: "huggingface",
  summary: "Hugging Face: its inference router, or an endpoint of your own as base URL.",
  baseUrl: "https://router.huggingface.co",
  headerOptions: { baseUrl: "huggingface-base-url" },
  operations: {
    chat: { format: "openai-chat", path: "/v1/chat/completions" },
    complete: { format: "openai-completions", path: "/v1/completions" },
  },
  readError,
});
