import { isRecord, recordsIn } from "../../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = ((dropped: string) => void) | undefined;

/** Settings, by what the vendor calls them. Others have the same name on both sides. */
const names = new Map(
  Object.entries({
    max_tokens: "maxTokens",
    n: "numGenerations",
    top_p: "topP",
    top_k: "topK",
    frequency_penalty: "frequencyPenalty",
    presence_penalty: "presencePenalty",
    logit_bias: "logitBias",
    logprobs: "logProbs",
    stream: "isStream",
    is_echo: "isEcho",
    parallel_tool_calls: "isParallelToolCalls",
  }),
);

/**
 * OpenAI's models that reason: "'maxTokens' is not supported with this model. Use 'maxCompletionTokens' instead" (oracle/langchain-oracle
 * issue 41). The others of OpenAI take either name.
 */
const isLimitedByCompletion = (model: unknown): boolean => /^openai\.(?!gpt-oss)/i.test(String(model));

/** Words the vendor has in capitals (GenericChatRequest of oci-generativeaiinference); undefined for one it has not. */
const wordOf =
  (...known: readonly string[]) =>
  (value: unknown): string | undefined => {
    const word = String(value).toUpperCase();
    return known.includes(word) ? word : undefined;
  };

const most = new Map<unknown, string>([
  ["xhigh", "high"],
  ["max", "high"],
]);
const effort = wordOf("NONE", "MINIMAL", "LOW", "MEDIUM", "HIGH");

/** The usage of a stream. What else may be said of one is OpenAI's own. */
const streamedOf = (value: unknown): unknown =>
  isRecord(value) && value.include_usage === true ? { isIncludeUsage: true } : null;

type Translations = Readonly<Record<string, readonly [string, (value: unknown) => unknown]>>;

const tableOf = (all: Translations) => new Map(Object.entries(all));

/** `{type: "content", content}`, of which the vendor takes a list of texts. */
function predictionOf(value: unknown): unknown {
  const { content } = isRecord(value) ? value : {};
  const parts = typeof content === "string" ? [{ text: content }] : recordsIn(content);
  return parts.length === 0
    ? undefined
    : { type: "CONTENT", content: parts.map(({ text }) => ({ type: "TEXT", text })) };
}

/** Where somebody is stands one level deeper in the other API, which says that it is not exact. */
function searchOf(value: unknown): unknown {
  const { search_context_size: size, user_location: location } = isRecord(value) ? value : {};
  const { approximate } = isRecord(location) ? location : {};
  return {
    ...(typeof size === "string" && { searchContextSize: size.toUpperCase() }),
    ...(isRecord(approximate) && { userLocation: approximate }),
  };
}

const translated = tableOf({
  reasoning_effort: ["reasoningEffort", (value) => effort(most.get(value) ?? value)],
  verbosity: ["verbosity", wordOf("LOW", "MEDIUM", "HIGH")],
  service_tier: ["serviceTier", wordOf("AUTO", "DEFAULT", "PRIORITY")],
  response_format: ["responseFormat", formatOf],
  stream_options: ["streamOptions", streamedOf],
  prediction: ["prediction", predictionOf],
  web_search_options: ["webSearchOptions", searchOf],
});

function formatOf(value: unknown): unknown {
  const { type, json_schema: asked } = isRecord(value) ? value : {};
  if (type === "text") return { type: "TEXT" };
  if (type === "json_object") return { type: "JSON_OBJECT" };
  if (type !== "json_schema" || !isRecord(asked)) return undefined;
  const { strict, ...jsonSchema } = asked;
  return {
    type: "JSON_SCHEMA",
    jsonSchema: { ...jsonSchema, ...(typeof strict === "boolean" && { isStrict: strict }) },
  };
}

/** The older format for Cohere's models knows JSON with or without a schema, and nothing of how much is thought. */
const ofCohere = tableOf({
  stream_options: ["streamOptions", streamedOf],
  response_format: ["responseFormat", cohereFormatOf],
});

function cohereFormatOf(value: unknown): unknown {
  const { type, json_schema: asked } = isRecord(value) ? value : {};
  if (type === "json_schema" && isRecord(asked)) return { type: "JSON_OBJECT", schema: asked.schema };
  return type === "json_schema" ? undefined : formatOf(value);
}

/** What the older format has no place for. */
const lostWithCohere = new Set([
  "n",
  "logprobs",
  "top_logprobs",
  "logit_bias",
  "prediction",
  "web_search_options",
  "reasoning_effort",
  "verbosity",
  "service_tier",
  "parallel_tool_calls",
]);

/** Settings nobody is told the loss of: they say what is so anyway. */
const isNeutral = (name: string, value: unknown): boolean =>
  (name === "n" && value === 1) || (name === "parallel_tool_calls" && value === true) || value === false || value === 0;

/** The vendor is told how many of the likeliest tokens are to be measured, which tells it to measure, too. */
export function measured({ logprobs: wanted, top_logprobs: most, ...settings }: Wire, report: Report): Wire {
  if ((wanted ?? null) === null && (most ?? 0) !== 0) report?.("top_logprobs");
  if (wanted !== true) return wanted === false ? settings : { ...settings, logprobs: wanted };
  return { ...settings, logprobs: typeof most === "number" && most > 0 ? most : 1 };
}

/** Settings of a chat completion request, as the vendor takes them in either of its formats. */
export function settingsFor(
  model: unknown,
  settings: Wire,
  isCohere: boolean,
  report: Report,
): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    if (value === null || value === undefined) continue;
    if (isCohere && lostWithCohere.has(name)) {
      if (!isNeutral(name, value)) report?.(name);
      continue;
    }
    const [own, read] = (isCohere ? ofCohere : translated).get(name) ?? [nameFor(name, model)];
    const said = read ? read(value) : value;
    if (said === undefined) report?.(name);
    else if (said !== null) told[own] = said;
  }
  return told;
}

const nameFor = (name: string, model: unknown): string =>
  name === "max_tokens" && isLimitedByCompletion(model) ? "maxCompletionTokens" : (names.get(name) ?? name);
