import { defineProvider, keyHeader, plainTurns, raise } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = (dropped: string) => void;

const named = {
  n: "candidateCount",
  max_tokens: "maxOutputTokens",
  max_completion_tokens: "maxOutputTokens",
  top_p: "topP",
  top_k: "topK",
} as const;

const clamps = { temperature: [0, 1], candidateCount: [1, 8] } as const;

const lost = ["presence_penalty", "frequency_penalty", "logit_bias", "seed", "user"];

/** Instructions are the context of a prompt. */
function chatRequest({ messages, model: _, ...wire }: Wire, report?: Report): Record<string, unknown> {
  const { system, turns } = plainTurns(messages, report);
  return {
    ...wire,
    prompt: {
      ...(system !== undefined && { context: system }),
      messages: turns.map(({ role, text }) => ({ author: role, content: text })),
    },
  };
}

/** What was held back by a filter is no answer; otherwise nobody is told why a text ends where it does. */
function choicesOf({ candidates, filters }: Wire, choice: (candidate: Wire) => Record<string, unknown>) {
  const texts = Array.isArray(candidates) ? (candidates as Wire[]) : [];
  if (texts.length === 0 && Array.isArray(filters) && filters.length > 0)
    return [{ index: 0, ...choice({ content: "", output: "" }), finish_reason: "content_filter" }];
  return texts.map((candidate, index) => ({ index, ...choice(candidate), finish_reason: "length" }));
}

const isAnswer = ({ candidates, filters }: Wire): boolean => Array.isArray(candidates) || Array.isArray(filters);

const chatAnswer = (wire: Wire): Record<string, unknown> =>
  isAnswer(wire)
    ? { choices: choicesOf(wire, ({ content }) => ({ message: { role: "assistant", content } })) }
    : { ...wire };

const completeAnswer = (wire: Wire): Record<string, unknown> =>
  isAnswer(wire) ? { choices: choicesOf(wire, ({ output }) => ({ text: output })) } : { ...wire };

/** The one text of a request. */
function onlyText(value: unknown, param: string, does: string): string {
  const [text, ...others] = Array.isArray(value) ? value : [value];
  if (typeof text === "string" && others.length === 0) return text;
  return raise("invalid_request", `${param} must be one text: palm ${does} one at a time.`, { param });
}

function completeRequest({ prompt, stop, model: _, ...wire }: Wire): Record<string, unknown> {
  return {
    ...wire,
    prompt: { text: onlyText(prompt, "prompt", "completes") },
    ...(stop !== undefined && stop !== null && { stopSequences: [stop].flat() }),
  };
}

function vector({ embedding, ...rest }: Wire): Record<string, unknown> {
  const value = (embedding as Wire | null | undefined)?.value;
  return Array.isArray(value) ? { object: "list", data: [{ index: 0, embedding: value }] } : rest;
}

/** A model's name is the caller's word, and stays in its place in the path. */
const calling = (action: string) => (call: { readonly model: string }) =>
  `/models/${encodeURIComponent(call.model.replace(/^models\//, ""))}:${action}`;

export default defineProvider({
  name: "palm",
  summary: "Google PaLM: the models before Gemini, for deployments that still have them.",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta3",
  // The vendor takes the key in the query, too, where logs and proxies would keep it.
  authenticate: keyHeader("x-goog-api-key"),
  operations: {
    chat: {
      format: "openai-chat",
      path: calling("generateMessage"),
      whole: true,
      drops: [
        ...lost,
        "max_tokens",
        "max_completion_tokens",
        "stop",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "response_format",
        "logprobs",
        "top_logprobs",
      ],
      renames: { n: named.n, top_p: named.top_p, top_k: named.top_k },
      clamps,
      rewrite: { when: ["{"], apply: chatRequest },
      normalise: chatAnswer,
    },
    complete: {
      format: "openai-completions",
      path: calling("generateText"),
      whole: true,
      drops: [...lost, "best_of", "echo", "logprobs", "suffix"],
      renames: named,
      clamps,
      rewrite: { when: ["{"], apply: completeRequest },
      normalise: completeAnswer,
    },
    embed: {
      format: "openai-embeddings",
      path: calling("embedText"),
      drops: ["user", "dimensions"],
      rewrite: { when: ["{"], apply: ({ input }) => ({ text: onlyText(input, "input", "embeds") }) },
      normalise: vector,
    },
  },
});
