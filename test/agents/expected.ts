import type { Wire } from "../conformance/conversations/speaker.ts";

/** What comes of a session at a vendor, beside all that is the same with every vendor. */
export interface Expected {
  /** What is left out of the conversation, and of what is asked beside it. */
  readonly dropped?: readonly string[];
  readonly beside?: readonly string[];
  /** Fields of the last request: how hard it is to think, foremost. */
  readonly sent: Wire;
  /** How many places a cache of the prompt is to end at. */
  readonly markers?: number;
}

type ByModel = Readonly<Record<string, Expected>>;

const high = { reasoning_effort: "high" };
const adaptive = { thinking: { type: "adaptive" }, output_config: { effort: "high" } };
const converse = (fields: Wire) => ({ additionalModelRequestFields: fields });
const leveled = { generationConfig: { thinkingConfig: { thinkingLevel: "high" } } };

/** What no other vendor than Claude's has a place for. */
const context = ["context_management", "messages.cache_control"];
const failures = "messages.tool_result.is_error";
const chatted = [...context, failures, "thinking", "user"];
const unsearched = ["reasoning_effort", "thinking", "tool_choice", "tools.web_search", "user"];

export const ofClaudeCode: ByModel = {
  "deepseek-v4": { dropped: chatted, beside: unsearched, sent: { ...high, thinking: { type: "enabled" } } },
  "mistral-large-latest": { dropped: chatted, beside: unsearched, sent: high },
  "gpt-5.6": {
    dropped: [...chatted, "messages.thinking"],
    beside: unsearched,
    sent: { reasoning: { effort: "high" }, store: false },
  },
  "grok-4.6": { dropped: chatted, beside: unsearched, sent: high },
  "claude-opus-4-8": { sent: { ...adaptive, context_management: {} }, markers: 3 },
  "claude-sonnet-4-5": { sent: { thinking: { type: "enabled", budget_tokens: 31_999 } }, markers: 3 },
  "gemini-3-pro-preview": { dropped: [...context, "user"], beside: unsearched, sent: leveled },
  "us.anthropic.claude-opus-4-8": { dropped: ["context_management"], sent: adaptive, markers: 3 },
  "us.amazon.nova-premier-v1:0": {
    dropped: ["context_management", "reasoning_effort", "thinking", "user"],
    beside: unsearched,
    sent: {},
    markers: 3,
  },
  "command-a-reasoning-08-2025": {
    dropped: [...context, failures, "reasoning_effort", "thinking.display", "user"],
    beside: unsearched.filter((one) => one !== "thinking"),
    sent: { thinking: { type: "enabled" } },
  },
};

const ofClient = ["client_metadata", "tools.web_search"];
const others = [...ofClient, "prompt_cache_key", "text.verbosity"];
const session = { prompt_cache_key: "01a00000-0000-7000-8000-000000000000" };
const own = { ...session, reasoning: { effort: "high" }, text: { verbosity: "low" }, store: false };

export const ofCodex: ByModel = {
  "deepseek-v4": { dropped: ofClient, sent: { ...high, ...session } },
  "mistral-large-latest": { dropped: [...ofClient, "verbosity"], sent: { ...high, ...session } },
  "gpt-5.6": { sent: own },
  "grok-4.6": { dropped: ["tools.search_content_types"], sent: own },
  "claude-opus-4-8": { dropped: others, sent: adaptive },
  "claude-sonnet-4-5": { dropped: others, sent: { thinking: { type: "enabled" } } },
  "gemini-3-pro-preview": { dropped: others, sent: leveled },
  "us.anthropic.claude-opus-4-8": { dropped: others, sent: converse(adaptive) },
  "us.amazon.nova-premier-v1:0": { dropped: [...others, "reasoning_effort"], sent: {} },
  "command-a-reasoning-08-2025": { dropped: [...others, "reasoning_effort"], sent: {} },
};

const searched = new Set(["tools.search_content_types", "tools.web_search"]);

/** Vendors that cannot be told to call one tool at a time. */
const atOnce = /^(?:gemini|us\.|command)/;

/** The same where its tools come in the conversation: the vendor is not to search the web, nor to call two tools at once. */
export const ofCodexInCode: ByModel = Object.fromEntries(
  Object.entries(ofCodex).map(([model, { dropped = [], ...rest }]) => {
    const kept = dropped.filter((one) => !searched.has(one));
    const also = [
      ...(kept.length > 0 ? ["reasoning.context"] : []),
      ...(atOnce.test(model) ? ["parallel_tool_calls"] : []),
    ];
    return [model, { ...rest, dropped: [...kept, ...also] }];
  }),
);

const sampled = { temperature: 1, top_p: 0.95 };
const told = [failures, "thinking.display", "top_k"];
const unasked = ["thinking.display", "tools.google_search", "top_k"];
const shown = { thinking: { type: "adaptive", display: "summarized" } };

export const ofGeminiCli: ByModel = {
  "deepseek-v4": { dropped: told, beside: [...unasked, "response_format.json_schema"], sent: { ...high, ...sampled } },
  "mistral-large-latest": { dropped: told, beside: unasked, sent: { ...high, ...sampled } },
  "gpt-5.6": { dropped: [...told, "top_p"], beside: [...unasked, "temperature", "top_p"], sent: { store: false } },
  "grok-4.6": { dropped: told, beside: unasked, sent: { ...high, ...sampled } },
  "claude-opus-4-8": {
    dropped: ["top_k", "top_p"],
    beside: ["temperature", "tools.google_search", "top_k", "top_p"],
    sent: { ...adaptive, ...shown },
  },
  // What it does not give back of its thinking it does not go on with in the turn.
  "claude-sonnet-4-5": {
    dropped: ["reasoning_effort", "top_k", "top_p"],
    beside: ["tools.google_search", "top_k", "top_p"],
    sent: { temperature: 1, thinking: { type: "enabled" } },
  },
  "gemini-3-pro-preview": { sent: { generationConfig: { thinkingConfig: { thinkingLevel: "HIGH" } } } },
  "us.anthropic.claude-opus-4-8": {
    dropped: ["top_k", "top_p"],
    beside: ["temperature", "tools.google_search", "top_k", "top_p"],
    sent: converse({ ...adaptive, ...shown }),
  },
  "us.amazon.nova-premier-v1:0": {
    dropped: ["reasoning_effort"],
    beside: ["reasoning_effort", "tools.google_search"],
    sent: { inferenceConfig: { temperature: 1, topP: 0.95 } },
  },
  "command-a-reasoning-08-2025": {
    dropped: [failures, "reasoning_effort"],
    beside: ["reasoning_effort", "tools.google_search"],
    sent: { temperature: 1, p: 0.95, k: 64 },
  },
};

const room = { max_tokens: 32_000 };
const converseRoom = { inferenceConfig: { maxTokens: 32_000 } };

export const ofOpenCode: ByModel = {
  "deepseek-v4": { sent: room },
  "mistral-large-latest": { dropped: ["messages.reasoning_content"], sent: room },
  "gpt-5.6": { sent: { max_output_tokens: 32_000, store: false } },
  "grok-4.6": { sent: room },
  "claude-opus-4-8": { sent: room },
  "claude-sonnet-4-5": { sent: room },
  "gemini-3-pro-preview": { sent: { generationConfig: { maxOutputTokens: 32_000 } } },
  "us.anthropic.claude-opus-4-8": { sent: converseRoom },
  "us.amazon.nova-premier-v1:0": { beside: ["reasoning_effort"], sent: converseRoom },
  "command-a-reasoning-08-2025": { beside: ["reasoning_effort"], sent: room },
};

const qwenRoom = { max_tokens: 32_768 };
const qwenConverse = { inferenceConfig: { maxTokens: 32_768 } };

export const ofQwenCode: ByModel = {
  "deepseek-v4": { sent: qwenRoom },
  "mistral-large-latest": { sent: qwenRoom },
  "gpt-5.6": { sent: { max_output_tokens: 32_768, store: false } },
  "grok-4.6": { sent: qwenRoom },
  "claude-opus-4-8": { sent: qwenRoom },
  "claude-sonnet-4-5": { sent: qwenRoom },
  "gemini-3-pro-preview": { sent: { generationConfig: { maxOutputTokens: 32_768 } } },
  "us.anthropic.claude-opus-4-8": { sent: qwenConverse },
  "us.amazon.nova-premier-v1:0": { sent: qwenConverse },
  "command-a-reasoning-08-2025": { sent: qwenRoom },
};
