import { type Fields, isRecord, raise, recordsIn } from "../../core/provider-kit/index.ts";

/** The older text completions, in words of their own (providers.md section 12.5). */
function request({ prompt, stop, stream_options: _, ...rest }: Readonly<Fields>): Fields {
  const [text, ...others] = Array.isArray(prompt) ? prompt : [prompt];
  if (typeof text !== "string" || others.length > 0)
    raise("invalid_request", "prompt must be one text: cohere completes one at a time.", { param: "prompt" });
  return { ...rest, prompt: text, ...(stop !== undefined && stop !== null && { end_sequences: [stop].flat() }) };
}

/** Whole answers mostly do not say why they ended: nobody is told that they are complete. */
function reasonOf(word: unknown): string {
  if (typeof word !== "string" || word === "MAX_TOKENS" || word === "ERROR_LIMIT") return "length";
  return word === "ERROR_TOXIC" ? "content_filter" : "stop";
}

function usageOf(meta: unknown): Fields | undefined {
  const { billed_units: billed } = isRecord(meta) ? meta : {};
  if (!isRecord(billed) || typeof billed.input_tokens !== "number") return undefined;
  const { input_tokens: input, output_tokens: output } = billed;
  return { prompt_tokens: input, completion_tokens: output };
}

function answer(wire: Readonly<Fields>): Fields {
  const { id, generations, meta } = wire;
  if (!Array.isArray(generations)) return { ...wire };
  const choices = recordsIn(generations).map(({ text, finish_reason: word }, index) => ({
    index,
    text,
    finish_reason: reasonOf(word),
  }));
  return { id, choices, usage: usageOf(meta) };
}

/** `{text, index}`, and at the end `{is_finished, finish_reason, response}` with all that was said once more. */
function frame(wire: Readonly<Fields>): Fields {
  const { text, index = 0, is_finished: isLast, finish_reason: word, response, message } = wire;
  // What failed is told as others tell it.
  if (typeof message === "string") return { error: { message } };
  if (isLast !== true)
    return typeof text === "string" ? { choices: [{ index, text, finish_reason: null }] } : { ...wire };
  const { generations, meta } = isRecord(response) ? response : {};
  const all = recordsIn(generations);
  const ended = (all.length > 0 ? all : [{}]).map((one: Fields, at) => ({
    index: at,
    text: "",
    finish_reason: reasonOf(one.finish_reason ?? word),
  }));
  return { choices: ended, usage: usageOf(meta) };
}

export const generate = {
  format: "openai-completions",
  path: "/v1/generate",
  framing: "ndjson",
  drops: ["best_of", "echo", "suffix", "logprobs", "user"],
  renames: { top_p: "p", top_k: "k", n: "num_generations" },
  clamps: {
    temperature: [0, 5],
    k: [0, 500],
    frequency_penalty: [0, 1],
    presence_penalty: [0, 1],
    num_generations: [1, 5],
  },
  rewrite: { when: ["{"], apply: request },
  normalise: answer,
  normaliseFrame: frame,
} as const;
