import {
  type AssistantPart,
  type ChatRequest,
  type ChatResponse,
  type ContentPart,
  compact,
  type Fields,
  type Message,
  reportMarker,
  type ToolResultPart,
} from "../../../core/index.ts";
import type { Report } from "../fields.ts";
import type { Family } from "./family.ts";
import { decodeCompletion, encodeAsked, reportLost } from "./request.ts";
import { decodeResponse, encodeResponse } from "./response.ts";

/** Whose turn it is after the dialogue. */
const invitation = "Assistant:";

/** A dialogue as one text: a line for each message, and the model's turn. */
const flattened = (messages: readonly Message[], report: Report): string =>
  [...messages.map((message) => lineOf(message, report)), invitation].join("\n");

function lineOf(message: Message, report: Report): string {
  if ("name" in message && message.name !== undefined) report("messages.name");
  reportLost(message.extra, "messages.", report);
  const role = message.role === "developer" ? "system" : message.role;
  return `${role}: ${textsOf(message.content, report).join("")}`;
}

type Part = ContentPart | AssistantPart | ToolResultPart;

/** Nothing but text can be said here. */
const textsOf = (parts: readonly Part[], report: Report): string[] =>
  parts.flatMap((part) => {
    if (part.type !== "opaque") {
      reportMarker(part.cache, report);
      reportLost(part.extra, "messages.", report);
    }
    switch (part.type) {
      case "text":
        if (part.citations) report("messages.citations");
        return [part.text];
      case "refusal":
        return [part.text];
      case "tool-result":
        if (part.isError) report("messages.tool_result.is_error");
        return textsOf(part.content, report);
      case "tool-call":
        report("messages.tool_calls");
        return [];
      case "redacted-thinking":
        report("messages.thinking");
        return [];
      default:
        report(`messages.${part.type}`);
        return [];
    }
  });

/** What these models cannot be told, whatever its value. */
const unsaid = ({ toolChoice, parallelToolCalls, reasoning, responseFormat, tools, ...request }: ChatRequest) =>
  compact({
    tools,
    tool_choice: toolChoice,
    parallel_tool_calls: parallelToolCalls,
    response_format: responseFormat?.type === "text" ? undefined : responseFormat,
    reasoning_effort: reasoning?.effort,
    thinking: reasoning?.mode ?? reasoning?.budgetTokens,
    logprobs: request.logprobs || undefined,
    top_logprobs: request.topLogprobs,
    seed: request.seed,
    service_tier: request.serviceTier,
  });

export const encodeChat = (family: Family, request: ChatRequest, report: Report): Fields =>
  encodeAsked(
    family,
    {
      prompt: flattened(request.messages, report),
      settings: compact({
        max_tokens: request.maxTokens,
        temperature: request.temperature,
        top_p: request.topP,
        top_k: request.topK,
        n: request.n,
        stop: request.stop,
        frequency_penalty: request.frequencyPenalty,
        presence_penalty: request.presencePenalty,
        logit_bias: request.logitBias,
        user: request.user,
        ...unsaid(request),
      }),
      stream: request.stream,
      extra: request.extra,
    },
    report,
  );

/** Whoever stands in for the vendor reads what arrived as one message. */
export function decodeChat(family: Family, body: unknown): ChatRequest {
  const { prompt, logprobs: _, ...request } = decodeCompletion(family, body);
  return { ...request, messages: [{ role: "user", content: [{ type: "text", text: String(prompt) }] }] };
}

export function decodeChatResponse(family: Family, body: unknown): ChatResponse {
  const { choices, ...answer } = decodeResponse(family, body);
  return {
    ...answer,
    choices: choices.map(({ text, ...choice }) => ({
      ...choice,
      content: text === "" ? [] : [{ type: "text", text }],
    })),
  };
}

export const encodeChatResponse = (family: Family, { choices, ...answer }: ChatResponse): Fields =>
  encodeResponse(family, {
    ...answer,
    choices: choices.map(({ content, ...choice }) => ({
      ...choice,
      text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
    })),
  });
