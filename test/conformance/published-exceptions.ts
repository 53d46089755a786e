import { isDeepStrictEqual } from "node:util";

/**
 * Where what is sent or answered may differ from the SDKs, and why. For the check the object at `at` is made to fit; all
 * else about it is checked as it is.
 */
export interface Exception {
  /** `openai-chat request`, `gemini answer`, … */
  readonly of: string;
  /** The path of an object, with `[]` for any item; empty for the whole. */
  readonly at: string;
  /** Only objects with these values. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** Fields taken out of it. */
  readonly without?: readonly string[];
  /** Fields put into it where they are absent. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** The whole item is taken out of its list. */
  readonly gone?: true;
  readonly why: string;
}

const otherVendors = "other vendors of this format know it, and the client wrote it for one of them";
const ownWords = "the SDK does not know it, and the client or the vendor wrote it itself";
const gateways = "the gateway adds it, and readers of the format pass over it";
const unknown = "what no vendor said is unknown, and not zero";
const callers = "younger than most answers; one without it is of a call the model made itself";

export const exceptions: readonly Exception[] = [
  {
    of: "openai-chat request",
    at: "",
    without: ["cache_control", "context_management", "thinking", "top_k"],
    why: otherVendors,
  },
  { of: "openai-chat request", at: "messages[]", without: ["reasoning_content"], why: otherVendors },
  {
    of: "openai-chat request",
    at: "messages[].content[]",
    where: { type: "video_url" },
    gone: true,
    why: otherVendors,
  },
  {
    of: "openai-chat request",
    at: "messages[].content[].image_url",
    without: ["mime_type", "media_resolution"],
    why: otherVendors,
  },
  { of: "openai-chat request", at: "tools[].function", without: ["defer_loading"], why: otherVendors },
  { of: "openai-chat request", at: "tools[]", where: { type: "web_search" }, gone: true, why: otherVendors },
  {
    of: "openai-responses request",
    at: "",
    without: ["max_tool_calls"],
    why: "the SDK has it in requests over a WebSocket only, and the API in both",
  },
  {
    of: "openai-responses request",
    at: "input[]",
    where: { type: "message", role: "assistant" },
    given: { id: "msg_1", status: "completed" },
    why: "only what the vendor said itself has an id; the API takes what others said without",
  },
  {
    of: "openai-responses request",
    at: "input[].content[]",
    where: { type: "input_image" },
    given: { detail: "auto" },
    why: "the SDK itself says what absence means",
  },
  {
    of: "openai-responses request",
    at: "input[].content[]",
    where: { type: "input_audio" },
    gone: true,
    why: "the SDK declares the part, and not where it may stand; the vendor says which models take it",
  },
  {
    of: "anthropic-messages request",
    at: "",
    without: ["temperature", "top_p", "top_k"],
    why: "gone from version 2026-10-21 of the API, which the SDK speaks; in version 2023-06-01 older models take them",
  },
  {
    of: "anthropic-messages request",
    at: "",
    without: ["context_management"],
    why: "a field of the beta API, which the client turned on in a header",
  },
  { of: "anthropic-messages request", at: "tools[].cache_control", without: ["scope"], why: ownWords },
  {
    of: "bedrock-converse request",
    at: "guardrailConfig",
    without: ["streamProcessingMode"],
    why: "of streams only, and written by a client that asks for none",
  },
  {
    of: "gemini request",
    at: "tools[].functionDeclarations[].parameters",
    without: ["additionalProperties"],
    why: ownWords,
  },
  { of: "gemini request", at: "generationConfig.responseSchema", without: ["additionalProperties"], why: ownWords },

  { of: "openai-chat answer", at: "", without: ["provider"], why: gateways },
  {
    of: "openai-chat answer",
    at: "usage",
    without: ["cache_read_input_tokens", "cache_creation_input_tokens", "num_search_queries"],
    why: gateways,
  },
  {
    of: "openai-chat answer",
    at: "usage",
    without: ["cost", "prompt_cache_hit_tokens", "prompt_cache_miss_tokens"],
    why: ownWords,
  },
  { of: "openai-chat answer", at: "choices[]", without: ["native_finish_reason"], why: ownWords },
  {
    of: "openai-chat answer",
    at: "choices[].message",
    without: ["reasoning_content", "reasoning", "reasoning_details"],
    why: otherVendors,
  },
  {
    of: "openai-chat answer",
    at: "choices[].logprobs.content[]",
    without: ["token_ids", "token_logprobs"],
    why: ownWords,
  },
  {
    of: "openai-responses answer",
    at: "output[]",
    where: { type: "image_generation_call" },
    without: ["background", "output_format", "quality", "revised_prompt", "size"],
    why: ownWords,
  },
  {
    of: "openai-responses answer",
    at: "",
    without: ["usage"],
    where: { usage: null },
    why: "the API itself says null for what it has not",
  },
  {
    of: "openai-responses answer",
    at: "",
    without: ["user"],
    where: { user: null },
    why: "the API itself says null for what it was not told",
  },
  {
    of: "openai-responses answer",
    at: "output[]",
    where: { type: "custom_tool_call" },
    without: ["status"],
    why: ownWords,
  },
  {
    of: "openai-responses answer",
    at: "output[].content[].logprobs[]",
    without: ["token_ids", "token_logprobs"],
    why: ownWords,
  },
  {
    of: "openai-responses answer",
    at: "output[].content[].logprobs[]",
    where: { bytes: null },
    without: ["bytes"],
    given: { bytes: [] },
    why: "null is what the chat API says of a token without bytes, and an empty list would say that it is empty",
  },
  {
    of: "openai-responses answer",
    at: "",
    without: ["store"],
    why: "the API repeats what was asked of it, and the SDK names only some of that",
  },
  {
    of: "openai-responses answer",
    at: "usage.input_tokens_details",
    given: { cache_write_tokens: 0 },
    why: "younger than most vendors of this format, who do not say it",
  },
  {
    of: "openai-responses answer",
    at: "usage.input_tokens_details",
    without: ["audio_tokens"],
    why: gateways,
  },
  { of: "openai-responses answer", at: "usage.output_tokens_details", without: ["audio_tokens"], why: gateways },
  ...["tool_use", "server_tool_use", "web_search_tool_result"].map((type) => ({
    of: "anthropic-messages answer",
    at: "content[]",
    where: { type },
    given: { caller: { type: "direct" } },
    why: callers,
  })),
  { of: "anthropic-messages answer", at: "usage.server_tool_use", given: { web_fetch_requests: 0 }, why: unknown },
  { of: "gemini answer", at: "candidates[].citationMetadata", without: ["citationSources"], why: ownWords },
  {
    of: "gemini answer",
    at: "candidates[].safetyRatings[]",
    where: { category: "HARM_CATEGORY_VIOLENCE" },
    gone: true,
    why: ownWords,
  },
  { of: "bedrock-converse answer", at: "", given: { metrics: { latencyMs: 0 } }, why: unknown },
  {
    of: "bedrock-converse answer",
    at: "",
    given: { usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } },
    why: unknown,
  },
];

/** The value as it would have to be, and the exceptions that were made for it. */
export function fitted(of: string, value: unknown, but?: Exception): { value: unknown; made: ReadonlySet<Exception> } {
  const mine = exceptions.filter((one) => one.of === of && one !== but);
  const made = new Set<Exception>();
  const gone = Symbol("gone");

  function mend(node: unknown, path: string): unknown {
    if (Array.isArray(node)) return node.map((item) => mend(item, `${path}[]`)).filter((item) => item !== gone);
    if (typeof node !== "object" || node === null) return node;
    let fields: Record<string, unknown> = { ...node };
    for (const one of mine) {
      if (one.at !== path || !matches(fields, one.where)) continue;
      const kept = Object.entries(fields).filter(([name]) => !one.without?.includes(name));
      const mended = { ...one.given, ...Object.fromEntries(kept) };
      if (one.gone || !isDeepStrictEqual(mended, fields)) made.add(one);
      if (one.gone) return gone;
      fields = mended;
    }
    return Object.fromEntries(
      Object.entries(fields).map(([name, inner]) => [name, mend(inner, path === "" ? name : `${path}.${name}`)]),
    );
  }

  return { value: mend(value, ""), made };
}

const matches = (fields: Readonly<Record<string, unknown>>, where: Exception["where"] = {}): boolean =>
  Object.entries(where).every(([name, value]) => fields[name] === value);
