import { defineProvider, z } from "../core/provider-kit/index.ts";

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
      rewrite: {
        when: ['"required"'],
        apply: (wire) => ({ ...wire, ...(wire.tool_choice === "required" && { tool_choice: "any" }) }),
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
    embed: "openai-embeddings",
    ocr: "mistral-ocr",
  }),
});
