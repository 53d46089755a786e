import { defineProvider, leftovers, z } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/** What is said of a chat elsewhere and not here, where there are three settings. */
const unsaid = [
  "n",
  "stop",
  "seed",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "response_format",
  "frequency_penalty",
  "presence_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "metadata",
  "modalities",
  "reasoning_effort",
  "service_tier",
  "store",
  "user",
  "verbosity",
] as const;

const said: ReadonlySet<string> = new Set(["model", "messages", "max_tokens", "temperature", "top_p"]);

/** Settings stand apart. */
function request(wire: Wire, report?: (dropped: string) => void): Record<string, unknown> {
  const { messages, max_tokens: bound, temperature, top_p: topP } = wire;
  for (const name in leftovers(wire, said)) report?.(name);
  const settings = { max_new_tokens: bound, temperature, top_p: topP };
  const params = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined && value !== null),
  );
  for (const kind of otherKinds(messages)) report?.(`messages.${kind}`);
  return {
    messages: Array.isArray(messages) ? messages.map(inText) : messages,
    ...(Object.keys(params).length > 0 && { params }),
  };
}

type Part = { readonly type?: unknown; readonly text?: unknown } | null;

const partsOf = (message: unknown): readonly Part[] => {
  const { content } = (message ?? {}) as Wire;
  return Array.isArray(content) ? content : [];
};

/** Content that is no text. */
const otherKinds = (messages: unknown): string[] =>
  (Array.isArray(messages) ? messages : []).flatMap(partsOf).flatMap((part) => {
    const isText = typeof part?.text === "string";
    return isText || typeof part?.type !== "string" ? [] : [part.type];
  });

/** Most models take the content of a message as one text only. */
function inText(message: unknown): unknown {
  const parts = partsOf(message);
  if (parts.length === 0) return message;
  const content = parts.map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
  return { ...(message as Wire), content };
}

function answer({ output, error, ...rest }: Wire): Record<string, unknown> {
  if (typeof output !== "object" || output === null) return { ...rest, error };
  return { choices: [{ index: 0, message: { role: "assistant", ...output }, finish_reason: "stop" }] };
}

export default defineProvider({
  name: "bytez",
  summary: "Bytez: open models by their names at Hugging Face.",
  baseUrl: "https://api.bytez.com",
  options: z.strictObject({
    apiVersion: z.int().min(1).default(2).describe("The version of the vendor's API; part of the path."),
  }),
  authenticate: ({ apiKey }) => apiKey && { authorization: `Key ${apiKey.reveal()}` },
  operations: ({ apiVersion }) => ({
    chat: {
      format: "openai-chat",
      path: ({ model }) => `/models/v${apiVersion}/${model.split("/").map(step).join("/")}`,
      // A stream would be bare text, with no word of its end.
      whole: true,
      drops: unsaid,
      rewrite: { when: ["{"], apply: request },
      normalise: answer,
    },
  }),
  readError: (status, wire) => {
    const { error } = (wire ?? {}) as Wire;
    return typeof error === "string" ? { message: error, type: String(status) } : undefined;
  },
});

/** A name is the caller's word, and stays below the path of models. */
const step = (name: string): string => (/^\.+$/.test(name) ? "" : encodeURIComponent(name));
