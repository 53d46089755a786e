import { defineProvider, isRecord, z } from "../../core/provider-kit/index.ts";
import { searchFields, searching } from "./search.ts";

type Wire = Readonly<Record<string, unknown>>;

/**
 * What the models of the chat API are now: one model, which works as hard as a preset has it, searches the web and says from
 * where. The chat API has ended on 27 September 2026 (docs.perplexity.ai, Migrate from Sonar to the Agent API; decision 0051).
 */
const presets: Readonly<Record<string, string>> = {
  sonar: "fast",
  "sonar-pro": "low",
  "sonar-reasoning": "low",
  "sonar-reasoning-pro": "medium",
  "sonar-deep-research": "high",
};

function rewritten({ text, ...wire }: Wire, report: (dropped: string) => void = () => {}): Record<string, unknown> {
  const { model } = wire;
  const preset = typeof model === "string" && Object.hasOwn(presets, model) ? presets[model] : undefined;
  const meant = preset === undefined ? wire : { ...wire, model: "perplexity/sonar", preset: wire.preset ?? preset };
  return { ...searching(meant, report), ...asked(text, wire) };
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

/** The vendor serves agents below a version; chat stands beside it. */
const path = "/v1/responses";

const responses = { format: "openai-responses", path, functionsOnly: true } as const;

/** Beside how to search, which language to answer in, which both APIs call the same. */
const chatFields = [...searchFields, "language_preference"];

const agent = { ...responses, chatFields, rewrite: { when: ['"sonar', '"text"'], apply: rewritten } };

const completions = {
  format: "openai-chat",
  renames: { max_completion_tokens: "max_tokens", frequency_penalty: "repetition_penalty" },
  clamps: { max_tokens: [1, Number.MAX_SAFE_INTEGER], temperature: [0, 2], top_p: [0, 1], top_k: [0, 2048] },
} as const;

export default defineProvider({
  name: "perplexity-ai",
  summary: "Perplexity: the Sonar model and those of other makers, which search the web.",
  baseUrl: "https://api.perplexity.ai",
  options: z.strictObject({
    api: z
      .enum(["agent", "completions"])
      .default("agent")
      .describe(
        "What answers clients that do not speak the Responses API: chat completions, for hosts that still serve them.",
      ),
  }),
  operations: ({ api }) => ({ chat: api === "agent" ? agent : [completions, responses] }),
  // Searches and pages are on the bill beside the tokens, and models of other makers are behind it.
  statesCost: true,
});
