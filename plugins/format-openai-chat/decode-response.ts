import { type AssistantPart, type ChatResponse, type Choice, GatewayError, raise } from "../../core/index.ts";
import { checked } from "./checked.ts";
import { blockFormat, decodeBlocks, decodeContent, decodeFunctionCall, takeReasoning } from "./decode-messages.ts";
import { decodeError } from "./errors.ts";
import { compact, extraOf, formatName, isRecord, rest } from "./extra.ts";
import { decodeFinishReason } from "./finish-reason.ts";
import { decodeUsage, unreadUsage } from "./usage.ts";
import { answeredChoice, answeredMessage, toolCall, wireResponse } from "./wire.ts";

type WireChoice = ReturnType<typeof answeredChoice.parse>;
type WireMessage = ReturnType<typeof answeredMessage.parse>;

export function decodeResponse(body: unknown): ChatResponse {
  try {
    const wire = checked(wireResponse, body, "");
    const unread = compact(rest(wire, wireResponse));
    const moreUsage = unreadUsage(wire.usage);
    if (Object.keys(moreUsage).length > 0) unread.usage = moreUsage;
    return {
      ...compact({ id: wire.id || undefined, model: wire.model || undefined, created: wire.created || undefined }),
      choices: wire.choices.map(decodeChoice),
      ...compact({ usage: decodeUsage(wire.usage) }),
      ...extraOf(unread),
    };
  } catch (cause) {
    if (!(cause instanceof GatewayError)) throw cause;
    const said = isRecord(body) && body.choices === undefined ? decodeError(body)?.message : undefined;
    return raise("upstream_invalid", `The answer is not a chat completion: ${said ?? cause.message}`);
  }
}

function decodeChoice(wire: WireChoice, at: number): Choice {
  const { message } = wire;
  const index = wire.index ?? at;
  const path = `choices[${at}].message`;
  const unread = compact(rest(message, answeredMessage));
  const content: AssistantPart[] = [...takeReasoning(unread), ...said(message, path)];
  if (message.refusal) content.push({ type: "refusal", text: message.refusal });
  for (const [position, call] of (message.tool_calls ?? []).entries())
    content.push(answeredCall(call, `call_${index}_${position}`, `${path}.tool_calls[${position}]`));
  const { reason, raw } = decodeFinishReason(wire.finish_reason);
  return {
    index,
    content,
    finishReason: reason,
    ...compact({ rawFinishReason: raw, logprobs: wire.logprobs }),
    ...extraOf(unread, compact(rest(wire, answeredChoice))),
  };
}

/** Blocks say more than `content`, which repeats their text; `content_parts` alone may hold no more than images. */
function said(message: WireMessage, path: string): AssistantPart[] {
  const { content_blocks: blocks, content_parts: parts, content } = message;
  if (blocks && blocks.length > 0) return decodeBlocks(blocks, `${path}.content_blocks`, blockFormat);
  const plain = decodeContent(content ?? "", `${path}.content`);
  if (!parts) return plain.filter((part) => part.type !== "text" || part.text !== "");
  const shown = decodeBlocks(parts, `${path}.content_parts`, blockFormat);
  return shown.some((part) => part.type === "text") ? shown : [...plain, ...shown];
}

/** Some vendors leave out the id, or give the arguments as an object. */
export function answeredCall(wire: Readonly<Record<string, unknown>>, fallbackId: string, path: string): AssistantPart {
  if (wire.type === "custom") return { type: "opaque", format: formatName, value: wire };
  const named = isRecord(wire.function) ? { ...wire.function, arguments: argumentsText(wire.function.arguments) } : {};
  const id = typeof wire.id === "string" && wire.id !== "" ? wire.id : fallbackId;
  return decodeFunctionCall(checked(toolCall, { ...wire, id, function: named }, path));
}

export const argumentsText = (value: unknown): string => {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
};
