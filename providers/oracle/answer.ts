import { type ClientHeaders, compact } from "../../core/provider-kit/index.ts";
import { choiceOf } from "./cohere.ts";

type Wire = Readonly<Record<string, unknown>>;
type Answer = Record<string, unknown>;

const isWire = (value: unknown): value is Wire => typeof value === "object" && value !== null && !Array.isArray(value);
const wiresIn = (value: unknown): Wire[] => (Array.isArray(value) ? value.filter(isWire) : []);

function messageOf(message: unknown, streamed: boolean): Answer {
  const { content, toolCalls, reasoningContent: thought, refusal } = isWire(message) ? message : {};
  const text = wiresIn(content)
    .map((part) => (typeof part.text === "string" ? part.text : ""))
    .join("");
  const calls = wiresIn(toolCalls).map(({ id, name, arguments: given }, index) => ({
    ...(streamed && { index }),
    ...(id !== undefined && { id }),
    type: "function",
    function: { name, arguments: given },
  }));
  return {
    role: "assistant",
    content: text,
    ...(typeof thought === "string" && thought !== "" && { reasoning_content: thought }),
    ...(typeof refusal === "string" && refusal !== "" && { refusal }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** `stop`, `length`, `tool_calls`, in whichever case. */
const reasonOf = (reason: unknown) => (typeof reason === "string" ? reason.toLowerCase() : null);

function usageOf(usage: unknown): Answer | undefined {
  if (!isWire(usage)) return undefined;
  const { promptTokens, completionTokens, totalTokens, promptTokensDetails, completionTokensDetails } = usage;
  const cached = isWire(promptTokensDetails) ? promptTokensDetails.cachedTokens : undefined;
  const { reasoningTokens, acceptedPredictionTokens, rejectedPredictionTokens } = isWire(completionTokensDetails)
    ? completionTokensDetails
    : {};
  const written = compact({
    reasoning_tokens: reasoningTokens,
    accepted_prediction_tokens: acceptedPredictionTokens,
    rejected_prediction_tokens: rejectedPredictionTokens,
  });
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: totalTokens,
    ...(typeof cached === "number" && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(Object.keys(written).length > 0 && { completion_tokens_details: written }),
  };
}

/** `{modelId, chatResponse: {choices, usage, timeCreated}}` as a chat completion; its id stands in a header. */
export function chatOf(wire: Wire, headers: ClientHeaders = {}): Answer {
  const { chatResponse, modelId } = wire;
  if (!isWire(chatResponse)) return { ...wire };
  const older = chatResponse.apiFormat === "COHERE";
  if (!older && !Array.isArray(chatResponse.choices)) return { ...wire };
  const created = Date.parse(String(chatResponse.timeCreated));
  const id = headers["opc-request-id"];
  return {
    ...(typeof id === "string" && { id }),
    model: modelId,
    ...(Number.isFinite(created) && { created: Math.floor(created / 1000) }),
    choices: older ? [choiceOf(chatResponse, false)] : genericChoices(chatResponse.choices),
    usage: usageOf(chatResponse.usage),
  };
}

const genericChoices = (choices: unknown): Answer[] =>
  wiresIn(choices).map(({ index, message, finishReason, logprobs }) => ({
    index,
    message: messageOf(message, false),
    finish_reason: reasonOf(finishReason),
    ...measuresOf(logprobs),
  }));

/** `{tokens, tokenLogprobs, topLogprobs: [{token: "-0.1"}]}`, of each token the same place. */
function measuresOf(measures: unknown): Answer {
  const { tokens, tokenLogprobs: own, topLogprobs: top } = isWire(measures) ? measures : {};
  if (!Array.isArray(tokens) || !Array.isArray(own)) return {};
  const measure = (token: unknown, logprob: unknown) => ({ token, logprob: Number(logprob), bytes: null });
  const content = tokens.map((token, at) => {
    const likeliest: unknown = Array.isArray(top) ? top[at] : undefined;
    const others = Object.entries(isWire(likeliest) ? likeliest : {});
    return { ...measure(token, own[at]), top_logprobs: others.map(([one, value]) => measure(one, value)) };
  });
  return { logprobs: { content, refusal: null } };
}

/** A frame is one choice, with the usage of the answer in the last of them. */
export function chatFrame(wire: Wire): Answer {
  const { index = 0, message, finishReason, usage, logprobs } = wire;
  if ("choices" in wire) return { ...wire };
  // `{code, message}`: what failed is told as others tell it.
  if (typeof message === "string") return { error: { message, ...compact({ code: wire.code }) } };
  if (wire.apiFormat === "COHERE") return { choices: [choiceOf(wire, true)], usage: usageOf(usage) };
  if (message === undefined && finishReason === undefined && usage === undefined) return { ...wire };
  const ends = message !== undefined || finishReason !== undefined;
  return {
    choices: ends
      ? [
          {
            index,
            delta: message === undefined ? {} : messageOf(message, true),
            finish_reason: reasonOf(finishReason),
            ...measuresOf(logprobs),
          },
        ]
      : [],
    usage: usageOf(usage),
  };
}
