import { hash } from "node:crypto";
import { answeredFields, defineProvider, isRecord, knownMessages, withParts, z } from "../core/provider-kit/index.ts";

type Wire = Record<string, unknown>;

const shared = {
  renames: { seed: "random_seed", safe_mode: "safe_prompt" },
  clamps: { temperature: [0, 1], top_p: [0, 1], max_tokens: [1, Number.MAX_SAFE_INTEGER] },
} as const;

/** Code that fits between a prompt and a suffix is answered as chat is. */
const withText =
  (field: "message" | "delta") =>
  (wire: Wire): Wire =>
    Array.isArray(wire.choices)
      ? { ...wire, choices: wire.choices.map((choice: Wire) => textOf(choice, field)) }
      : wire;

function textOf(choice: Wire, field: "message" | "delta"): Wire {
  const { [field]: said, ...rest } = choice;
  if (typeof said !== "object" || said === null) return choice;
  const { content } = said as Wire;
  return { ...rest, text: typeof content === "string" ? content : "" };
}

/** Ids of calls are nine letters and digits; others, of histories with another vendor, are digests of that length. */
const callId = (id: unknown): unknown =>
  typeof id !== "string" || /^[A-Za-z0-9]{9}$/.test(id) ? id : hash("sha256", id).slice(0, 9);

function withCallIds(message: Wire): Wire {
  const { tool_calls: calls, tool_call_id: id } = message;
  return {
    ...message,
    ...(id !== undefined && { tool_call_id: callId(id) }),
    ...(Array.isArray(calls) && { tool_calls: calls.map((call: Wire) => ({ ...call, id: callId(call.id) })) }),
  };
}

/** A user may not speak right after a tool: the model is given a turn in between that says nothing. */
function afterTools(messages: readonly unknown[]): unknown[] {
  const all: unknown[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (isRecord(message) && message.role === "user" && isRecord(last) && last.role === "tool")
      all.push({ role: "assistant", content: "…" });
    all.push(isRecord(message) ? withCallIds(message) : message);
  }
  return all;
}

/** Documents have an address here, which may hold their bytes, and files of the vendor stand without a box around them. */
function documentOf(part: unknown): unknown {
  if (!isRecord(part) || part.type !== "file" || !isRecord(part.file)) return part;
  const {
    file_id: id,
    file_data: data,
    file_url: url,
    filename: name,
    mime_type: type = "application/pdf",
  } = part.file;
  if (typeof id === "string") return { type: "file", file_id: id };
  const named = typeof name === "string" ? { document_name: name } : {};
  const bytes = typeof data !== "string" || data.startsWith("data:") ? data : `data:${type};base64,${data}`;
  const address = bytes ?? url;
  return typeof address === "string" ? { type: "document_url", document_url: address, ...named } : part;
}

/** Fields of chats elsewhere which the vendor refuses: "Extra inputs are not permitted" (mistralai/platform-docs-public#7). */
const unknownFields: readonly string[] = [
  "audio",
  "function_call",
  "functions",
  "logit_bias",
  "logprobs",
  "modalities",
  "prompt_cache_options",
  "prompt_cache_retention",
  "safety_identifier",
  "store",
  "thinking",
  "top_k",
  "top_logprobs",
  "user",
  "verbosity",
  "web_search_options",
];

const unknownInMessages: readonly string[] = ["function_call", "name", ...answeredFields];

const quoted = (text: string): string => `"${text}"`;

/** Who is asked for whichever tier there is, or for the one everybody has: there are no words for others. */
const tiers: Readonly<Record<string, string>> = {
  auto: "auto",
  default: "standard_only",
  standard_only: "standard_only",
};

/** Streams have their usage in the last frame, whoever asks: the switch for it is refused, too. */
function said({ service_tier: tier, stream_options: _, ...wire }: Wire, report?: (dropped: string) => void): Wire {
  if (typeof tier !== "string") return wire;
  const word = Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
  if (word === undefined) report?.("service_tier");
  return word === undefined ? wire : { ...wire, service_tier: word };
}

const fim = "/fim/completions";

export default defineProvider({
  name: "mistral-ai",
  summary: "Mistral AI: the Mistral, Codestral and Magistral models.",
  baseUrl: "https://api.mistral.ai/v1",
  options: z.strictObject({
    fimCompletion: z
      .preprocess((value) => (value === "true" ? true : value === "false" ? false : value), z.boolean())
      .default(false)
      .describe("Whether requests at the chat endpoint hold a prompt and a suffix, to be completed in the middle."),
  }),
  headerOptions: { fimCompletion: "mistral-fim-completion" },
  operations: ({ fimCompletion }) => ({
    chat: {
      format: "openai-chat",
      ...(fimCompletion && { path: fim }),
      ...shared,
      attachments: ["document-url", "document"],
      drops: unknownFields,
      rewrite: {
        when: ["required", "tool", "file", "assistant", "stream_options", "service_tier", ...unknownInMessages].map(
          quoted,
        ),
        apply: (wire, report) => ({
          ...said(wire, report),
          ...(wire.tool_choice === "required" && { tool_choice: "any" }),
          ...(Array.isArray(wire.messages) && {
            messages: knownMessages(
              withParts(afterTools(wire.messages), (parts) => parts.map(documentOf)),
              unknownInMessages,
              report,
            ),
          }),
        }),
      },
    },
    complete: {
      format: "openai-completions",
      path: fim,
      ...shared,
      drops: ["n", "best_of", "echo", "logprobs", "logit_bias", "frequency_penalty", "presence_penalty", "user"],
      normalise: withText("message"),
      normaliseFrame: withText("delta"),
    },
    // Fields the vendor does not know it refuses.
    embed: {
      format: "openai-embeddings",
      drops: ["user", "input_type", "task_type"],
      renames: { dimensions: "output_dimension" },
    },
    ocr: "mistral-ocr",
  }),
});
