import { defineProvider, keyHeader, raise, z } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Turn = { type: "human" | "model"; text: string; media_url?: string };

/** What stands between two turns of the same side: the vendor wants them in turns. */
const filler = { human: { type: "model", text: "Okay." }, model: { type: "human", text: "Go on." } } as const;

function turnOf({ role, content }: Wire): Turn {
  const parts: Wire[] = typeof content === "string" ? [{ text: content }] : Array.isArray(content) ? content : [];
  const text = parts.map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
  const image = parts.map((part) => (part?.image_url as Wire | undefined)?.url).find((url) => typeof url === "string");
  return {
    type: role === "user" ? "human" : "model",
    text,
    ...(typeof image === "string" && { media_url: image }),
  };
}

/** Instructions are told with what the user says first: the vendor knows two sides only. */
function historyOf(messages: unknown): Turn[] {
  const said = (Array.isArray(messages) ? messages : []).map((message) => (message ?? {}) as Wire);
  const first = Math.max(
    0,
    said.findIndex(({ role }) => role !== "system" && role !== "developer"),
  );
  const instructions = said.slice(0, first).map((message) => turnOf(message).text);
  const turns: Turn[] = [];
  for (const [at, message] of said.slice(first).entries()) {
    const turn = turnOf(message);
    if (at === 0 && turn.type === "human") turn.text = [...instructions, turn.text].join("\n\n");
    const before = turns.at(-1)?.type ?? "model";
    if (before === turn.type) turns.push(filler[turn.type]);
    turns.push(turn);
  }
  if (turns.slice(1).some((turn) => turn.media_url !== undefined))
    raise("invalid_request", "messages: reka-ai takes one image, in the first message.", { param: "messages" });
  return turns;
}

function request({ messages, stop, ...wire }: Wire): Record<string, unknown> {
  return {
    ...wire,
    conversation_history: historyOf(messages),
    ...(stop !== undefined && stop !== null && { stop_words: [stop].flat() }),
  };
}

function answer({ text, finish_reason: reason, metadata, id, ...rest }: Wire): Record<string, unknown> {
  if (typeof text !== "string") return rest;
  const { input_tokens: input, generated_tokens: output } = (metadata ?? {}) as Wire;
  const counted = typeof input === "number" && typeof output === "number";
  return {
    id,
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: reason ?? "stop" }],
    ...(counted && { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } }),
  };
}

/** A conversation of two sides. */
const history = {
  format: "openai-chat",
  path: "/chat",
  // The frames of a stream repeat all of the text before.
  whole: true,
  drops: [
    "n",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "response_format",
    "logit_bias",
    "logprobs",
    "top_logprobs",
    "user",
  ],
  renames: {
    model: "model_name",
    max_completion_tokens: "request_output_len",
    max_tokens: "request_output_len",
    top_p: "runtime_top_p",
    top_k: "runtime_top_k",
    seed: "random_seed",
  },
  rewrite: { when: ["{"], apply: request },
  normalise: answer,
} as const;

export default defineProvider({
  name: "reka-ai",
  summary: "Reka: the Reka models, which see images, and open models.",
  baseUrl: "https://api.reka.ai",
  options: z.strictObject({
    api: z
      .enum(["history", "completions"])
      .default("history")
      .describe(
        "What is asked: a conversation of two sides, or chat completions, with tools, streams and any number of images.",
      ),
  }),
  authenticate: keyHeader("x-api-key"),
  // docs.reka.ai, "Chat", has chat completions only (decision 0065).
  operations: ({ api }) => ({
    chat: api === "completions" ? { format: "openai-chat", path: "/v1/chat/completions" } : history,
  }),
  proxyPath: (path) => (/^\/(?:v\d\/|chat(?:[?]|$))/.test(path) ? path : `/v1${path}`),
});
