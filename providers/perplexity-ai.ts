import { defineProvider, isRecord } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/**
 * What the models of the chat API are now: one model, which works as hard as a preset has it, searches the web and says from
 * where. The chat API has ended on 27 September 2026 (docs.perplexity.ai, Migrate from Sonar to the Agent API).
 */
const presets: Readonly<Record<string, string>> = {
  sonar: "fast",
  "sonar-pro": "low",
  "sonar-reasoning": "low",
  "sonar-reasoning-pro": "medium",
  "sonar-deep-research": "high",
};

function rewritten({ text, ...wire }: Wire): Record<string, unknown> {
  const { model } = wire;
  const preset = typeof model === "string" && Object.hasOwn(presets, model) ? presets[model] : undefined;
  return {
    ...wire,
    ...(preset !== undefined && { model: "perplexity/sonar", preset: wire.preset ?? preset }),
    ...asked(text, wire),
  };
}

/** A schema of the answer stands where chat completions have it. */
function asked(text: unknown, { response_format: own }: Wire): Record<string, unknown> {
  if (!isRecord(text)) return text === undefined ? {} : { text };
  const { format, ...others } = text;
  const left = Object.keys(others).length > 0 ? { text: others } : {};
  if (own !== undefined || !isRecord(format) || format.type !== "json_schema") return { text };
  const { type, ...schema } = format;
  return { ...left, response_format: { type, json_schema: schema } };
}

export default defineProvider({
  name: "perplexity-ai",
  summary: "Perplexity: the Sonar model and those of other makers, which search the web.",
  baseUrl: "https://api.perplexity.ai",
  operations: {
    chat: {
      format: "openai-responses",
      path: "/v1/responses",
      rewrite: { when: ['"sonar', '"text"'], apply: rewritten },
    },
  },
  // Searches and pages are on the bill beside the tokens, and models of other makers are behind it.
  statesCost: true,
});
