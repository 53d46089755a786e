import { defineProvider, plainTurns, raise } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

const named = {
  n: "numResults",
  max_completion_tokens: "maxTokens",
  max_tokens: "maxTokens",
  top_p: "topP",
  top_k: "topKReturn",
} as const;

const lost = ["logit_bias", "logprobs", "seed", "user"];

type Report = (dropped: string) => void;

/** What both kinds of request are told in the vendor's words. */
function settings({ model: _, stop, ...wire }: Wire): Record<string, unknown> {
  const { presence_penalty: presence, frequency_penalty: frequency, ...rest } = wire;
  return {
    ...rest,
    ...(stop !== undefined && stop !== null && { stopSequences: [stop].flat() }),
    ...(typeof presence === "number" && { presencePenalty: { scale: presence } }),
    ...(typeof frequency === "number" && { frequencyPenalty: { scale: frequency } }),
  };
}

function chatRequest({ messages, ...wire }: Wire, report?: Report): Record<string, unknown> {
  const { system, turns } = plainTurns(messages, report);
  return { ...settings(wire), ...(system !== undefined && { system }), messages: turns };
}

const reasonOf = (reason: unknown) => ((reason as Wire | null)?.reason === "length" ? "length" : "stop");

function chatAnswer({ id, outputs, ...rest }: Wire): Record<string, unknown> {
  if (!Array.isArray(outputs)) return rest;
  const choices = outputs.map(({ text, role = "assistant", finishReason }: Wire, index) => ({
    index,
    message: { role, content: text },
    finish_reason: reasonOf(finishReason),
  }));
  return { id, choices };
}

function completeRequest(wire: Wire): Record<string, unknown> {
  const { prompt } = wire;
  const [text, ...others] = Array.isArray(prompt) ? prompt : [prompt];
  if (typeof text !== "string" || others.length > 0)
    raise("invalid_request", "prompt must be one text: ai21 completes one at a time.", { param: "prompt" });
  return { ...settings(wire), prompt: text };
}

const lengthOf = (tokens: unknown): number => (Array.isArray(tokens) ? tokens.length : 0);

/** Tokens come one by one, and are counted here. */
function completeAnswer({ id, prompt, completions, ...rest }: Wire): Record<string, unknown> {
  if (!Array.isArray(completions)) return rest;
  const data = completions.map((one: Wire) => (one?.data ?? {}) as Wire);
  const input = lengthOf((prompt as Wire | null)?.tokens);
  const output = data.reduce((sum, { tokens }) => sum + lengthOf(tokens), 0);
  return {
    id: id === undefined ? undefined : String(id),
    choices: data.map(({ text }, index) => ({
      index,
      text,
      finish_reason: reasonOf(completions[index]?.finishReason),
    })),
    ...(input > 0 && {
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    }),
  };
}

function vectors({ results, ...rest }: Wire): Record<string, unknown> {
  if (!Array.isArray(results)) return rest;
  return { object: "list", data: results.map((one: Wire, index) => ({ index, embedding: one?.embedding })) };
}

/** A model's name is the caller's word, and stays in its place in the path. */
const below = (action: string) => (call: { readonly model: string }) => `/${encodeURIComponent(call.model)}/${action}`;

/** Models before Jamba, which know neither tools nor streams. */
const isJurassic = (model: string): boolean => /^j2-/.test(model);

/**
 * docs.ai21.com, "Chat request" (decision 0065): what it does not name is left out. Streams have no tools there (`stream` "must be False if
 * using tools"), so that whole answers are asked for.
 */
const jamba = {
  format: "openai-chat",
  path: "/chat/completions",
  serves: (model: string): boolean => !isJurassic(model),
  whole: true,
  drops: [
    "frequency_penalty",
    "logit_bias",
    "logprobs",
    "parallel_tool_calls",
    "presence_penalty",
    "reasoning_effort",
    "seed",
    "top_logprobs",
    "user",
  ],
  clamps: { n: [1, 16] },
} as const;

export default defineProvider({
  name: "ai21",
  summary: "AI21: the Jamba models, and the Jurassic ones before them.",
  baseUrl: "https://api.ai21.com/studio/v1",
  operations: {
    chat: [
      jamba,
      {
        format: "openai-chat",
        path: below("chat"),
        whole: true,
        drops: [...lost, "tools", "tool_choice", "parallel_tool_calls", "response_format", "top_logprobs"],
        renames: named,
        clamps: { temperature: [0, 1] },
        rewrite: { when: ["{"], apply: chatRequest },
        normalise: chatAnswer,
      },
    ],
    complete: {
      format: "openai-completions",
      path: below("complete"),
      whole: true,
      drops: [...lost, "best_of", "echo", "suffix"],
      renames: named,
      clamps: { temperature: [0, 1] },
      rewrite: { when: ["{"], apply: completeRequest },
      normalise: completeAnswer,
    },
    embed: {
      format: "openai-embeddings",
      path: "/embed",
      drops: ["user", "dimensions"],
      renames: { input_type: "type" },
      rewrite: {
        when: ["{"],
        apply: ({ input, model: _, encoding_format: __, ...rest }) => ({
          ...rest,
          texts: Array.isArray(input) ? input : [input],
        }),
      },
      normalise: vectors,
    },
  },
});
