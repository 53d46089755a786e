import { defineProvider, raise } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/** One text in, one text out. */
function request({ prompt, stop, model: _, ...rest }: Wire): Record<string, unknown> {
  const [text, ...others] = Array.isArray(prompt) ? prompt : [prompt];
  if (typeof text !== "string" || others.length > 0)
    raise("invalid_request", "prompt must be one text: triton completes one at a time.", { param: "prompt" });
  return { text_input: text, ...rest, ...(stop !== undefined && stop !== null && { stop_words: [stop].flat() }) };
}

export default defineProvider({
  name: "triton",
  summary: "NVIDIA Triton: a model on an inference server of your own.",
  anonymous: true,
  operations: {
    complete: {
      format: "openai-completions",
      path: "/generate",
      whole: true,
      drops: ["n", "best_of", "echo", "logprobs", "logit_bias", "suffix", "user", "seed"],
      // The server has no bound of its own for an answer.
      defaults: { max_tokens: 100 },
      rewrite: { when: ["{"], apply: request },
      normalise: ({ model_name: model, text_output: text, ...rest }) =>
        typeof text === "string" ? { model, choices: [{ index: 0, text, finish_reason: "stop" }] } : rest,
    },
  },
});
