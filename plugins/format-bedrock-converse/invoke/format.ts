import { type Format, isRecord, type PathContext } from "../../../core/index.ts";
import { decodeError, encodeError, errorHeaders } from "../errors.ts";
import { decodeChat, decodeChatResponse, encodeChat, encodeChatResponse } from "./chat.ts";
import { chatFamilies, families } from "./families.ts";
import type { Family } from "./family.ts";
import { decodeCompletion, encodeCompletion } from "./request.ts";
import { choicesIn, decodeResponse, encodeResponse } from "./response.ts";
import { decodeStream, encodeStream } from "./stream.ts";
import { usageIn } from "./usage.ts";

/** Models are invoked at a path that names them, with a body of their maker's own. */
const path = ({ model, stream }: PathContext): string =>
  `/model/${encodeURIComponent(model)}/${stream ? "invoke-with-response-stream" : "invoke"}`;

/** What text completions and chats have in common. */
const shared = (family: Family) => {
  const { clamps, defaults, whole } = family;
  return {
    framing: "aws-event-stream",
    decodeError,
    encodeError,
    errorHeaders,
    requestIdHeader: "x-amzn-requestid",
    readUsage: (wire: unknown) => (isRecord(wire) ? usageIn(family, wire, choicesIn(wire, family.answer)) : undefined),
    decodeStream: () => decodeStream(family),
    encodeStream: () => encodeStream(family),
    upstream: { path, ...(clamps && { clamps }), ...(defaults && { defaults }), ...(whole && { whole }) },
  } as const;
};

const sayable = (family: Family, names: readonly string[]): readonly string[] =>
  names.filter((name) => !Object.hasOwn(family.settings, name));

const either = ["frequency_penalty", "presence_penalty", "logit_bias", "logprobs", "n", "seed", "stop", "user"];

const completionFormat = (family: Family): Format<"complete"> => ({
  name: `bedrock-${family.name}-completions`,
  operation: "complete",
  drops: sayable(family, [...either, "best_of", "echo", "suffix"]),
  decodeRequest: (body) => decodeCompletion(family, body),
  encodeRequest: (request, report) => encodeCompletion(family, request, report),
  decodeResponse: (body) => decodeResponse(family, body),
  encodeResponse: (response) => encodeResponse(family, response),
  ...shared(family),
});

const inChats = ["top_k", "top_logprobs", "tools", "tool_choice", "parallel_tool_calls", "response_format"];
const inThinking = ["reasoning_effort", "thinking", "service_tier"];
const inMessages = ["name", "cache_control", "tool_calls", "tool_result.is_error", "thinking", "citations"];
const inParts = ["image", "audio", "document", "opaque"];
const onlyInChats = [...inChats, ...inThinking, ...[...inMessages, ...inParts].map((name) => `messages.${name}`)];

const chatFormat = (family: Family): Format<"chat"> => ({
  name: `bedrock-${family.name}-chat`,
  operation: "chat",
  drops: sayable(family, [...either, ...onlyInChats]),
  decodeRequest: (body) => decodeChat(family, body),
  encodeRequest: (request, report) => encodeChat(family, request, report),
  decodeResponse: (body) => decodeChatResponse(family, body),
  encodeResponse: (response) => encodeChatResponse(family, response),
  ...shared(family),
});

export const completionFormats: readonly Format<"complete">[] = families.map(completionFormat);
export const chatFormats: readonly Format<"chat">[] = chatFamilies.map(chatFormat);
