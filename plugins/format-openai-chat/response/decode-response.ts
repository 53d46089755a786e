import {
  type AssistantPart,
  type ChatResponse,
  type Choice,
  checked,
  compact,
  type Fields,
  GatewayError,
  isRecord,
  raise,
  readErrorBody,
  saidBeyond,
  withTier,
  writeJson,
} from "../../../core/index.ts";
import { extraOf } from "../extra.ts";
import { answeredCustomCall } from "../request/custom.ts";
import { blockFormat, decodeBlocks, decodeContent, takeReasoning } from "../request/decode-blocks.ts";
import { decodeFunctionCall } from "../request/decode-messages.ts";
import { answeredChoice, answeredMessage, toolCall, wireResponse } from "../wire.ts";
import { citationsIn } from "./annotations.ts";
import { callIds } from "./call-ids.ts";
import { takeDrawn } from "./drawn-images.ts";
import { decodeFinishReason } from "./finish-reason.ts";
import { moderation as moderated } from "./moderation.ts";
import { saidInAll } from "./several-messages.ts";
import { hasRunTools, unreadUsage, usageWith } from "./usage.ts";

type WireChoice = ReturnType<typeof answeredChoice.parse>;
type WireMessage = Partial<ReturnType<typeof answeredMessage.parse>>;

export function decodeResponse(body: unknown): ChatResponse {
  try {
    const wire = checked(wireResponse, body, "");
    for (const { error } of wire.choices) if (isRecord(error)) raise("upstream_invalid", failedWith({ error }));
    const unread = saidBeyond(wire, wireResponse) ?? {};
    const moderation = moderated.decode(wire.moderation);
    if (!moderation && (wire.moderation ?? undefined) !== undefined) unread.moderation = wire.moderation;
    const moreUsage = unreadUsage(wire.usage);
    if (moreUsage) unread.usage = moreUsage;
    const id = wire.id || undefined;
    const created = wire.created || undefined;
    const idOf = callIds(id ?? created);
    return compact({
      id,
      model: wire.model || undefined,
      created,
      choices: wire.choices.map((choice, at) => decodeChoice(choice, at, idOf)),
      moderation,
      usage: withTier(usageWith(wire.usage, hasRunTools(wire), wire), unread.service_tier),
      extra: extraOf(unread).extra,
    });
  } catch (cause) {
    if (!(cause instanceof GatewayError) || cause.code === "upstream_invalid") throw cause;
    const said = isRecord(body) && !Array.isArray(body.choices) ? readErrorBody(body)?.message : undefined;
    return raise("upstream_invalid", `The answer is not a chat completion: ${said ?? cause.message}`);
  }
}

/** A model that failed while it answered is told of in its choice, which holds what it had said before. */
const failedWith = (choice: Fields): string => `The answer failed: ${readErrorBody(choice)?.message ?? "an error"}`;

function decodeChoice(wire: WireChoice, at: number, idOf: ReturnType<typeof callIds>): Choice {
  const message = wire.message ?? saidInAll(wire.messages) ?? {};
  const index = wire.index ?? at;
  const path = `choices[${at}].message`;
  const unread = saidBeyond(message, answeredMessage) ?? {};
  const content: AssistantPart[] = takeReasoning(unread);
  for (const part of said(message, path)) content.push(part);
  for (const part of takeDrawn(unread)) content.push(part);
  takeCitations(unread, content);
  const { refusal } = message;
  if (typeof refusal === "string" && refusal !== "") content.push({ type: "refusal", text: refusal });
  message.tool_calls?.forEach((call, position) => {
    content.push(answeredCall(call, idOf(index, position), `${path}.tool_calls[${position}]`));
  });
  const { reason, raw } = decodeFinishReason(wire.finish_reason, content.some(isCall));
  return compact({
    index,
    content,
    finishReason: reason,
    rawFinishReason: raw,
    logprobs: wire.logprobs,
    extra: extraOf(unread, saidBeyond(wire, answeredChoice)).extra,
  });
}

/** Sources stand beside the message: they are about its text, where that is one. */
function takeCitations(unread: Fields, content: AssistantPart[]): void {
  const citations = citationsIn(unread.annotations);
  const texts = citations ? content.filter((part) => part.type === "text") : [];
  const [text] = texts;
  if (!citations || !text || texts.length > 1 || text.citations) return;
  content[content.indexOf(text)] = { ...text, citations };
  delete unread.annotations;
}

const isCall = (part: AssistantPart): boolean => part.type === "tool-call";

/** Empty texts do not exist in an answer. */
const isSaid = (part: AssistantPart): boolean =>
  part.type !== "text" || part.text !== "" || part.citations !== undefined;

/** Blocks say more than `content`, which repeats their text; `content_parts` alone may hold no more than images. */
function said(message: WireMessage, path: string): AssistantPart[] {
  const { content_blocks: blocks, content_parts: parts, content } = message;
  if (blocks && blocks.length > 0) return decodeBlocks(blocks, `${path}.content_blocks`, blockFormat).filter(isSaid);
  const plain = decodeContent(content ?? "", `${path}.content`).filter(isSaid);
  if (!parts) return plain;
  const shown = decodeBlocks(parts, `${path}.content_parts`, blockFormat);
  return shown.some((part) => part.type === "text") ? shown : [...plain, ...shown];
}

/** Some vendors leave out the id, give the arguments as an object, or number the calls as in a stream. */
export function answeredCall(wire: Readonly<Fields>, fallbackId: string, path: string): AssistantPart {
  const { index: _, ...call } = wire;
  if (call.type === "custom") return answeredCustomCall(call, fallbackId);
  const named = isRecord(call.function) ? { ...call.function, arguments: argumentsText(call.function.arguments) } : {};
  const id = typeof call.id === "string" && call.id !== "" ? call.id : fallbackId;
  return decodeFunctionCall(checked(toolCall, { ...call, id, function: named }, path));
}

export const argumentsText = (value: unknown): string => {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : writeJson(value);
};
