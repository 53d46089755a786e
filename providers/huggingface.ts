import { defineProvider, type ErrorDetail, modelsAt } from "../core/provider-kit/index.ts";

/** `{error: "text"}`: the status is all that tells a loading model from a broken one. */
function readError(status: number, wire: unknown): ErrorDetail | undefined {
  const { error } = (wire ?? {}) as { error?: unknown };
  return typeof error === "string" ? { message: error, code: String(status) } : undefined;
}

const isOldHost = (baseUrl: string | undefined): boolean =>
  baseUrl !== undefined && /^https?:\/\/api-inference\.huggingface\.co\/*$/.test(baseUrl);

/** The older host serves each model at a path of its own. */
const below = (baseUrl: string | undefined, path: string) =>
  isOldHost(baseUrl)
    ? ({ model }: { readonly model: string }) => `/models/${model.split("/").map(step).join("/")}${path}`
    : path;

/** A name is the caller's word, and stays below the path of models. */
const step = (name: string): string => (/^\.+$/.test(name) ? "" : encodeURIComponent(name));

export default defineProvider({
  name: "huggingface",
  summary: "Hugging Face: its inference router, or an endpoint of your own as base URL.",
  baseUrl: "https://router.huggingface.co",
  headerOptions: { baseUrl: "huggingface-base-url" },
  operations: ({ baseUrl }) => ({
    chat: { format: "openai-chat", path: below(baseUrl, "/v1/chat/completions") },
    complete: { format: "openai-completions", path: below(baseUrl, "/v1/completions") },
  }),
  proxyPath: (path, { baseUrl }) => (isOldHost(baseUrl) ? path : modelsAt(path, "/v1/models")),
  readError,
});
