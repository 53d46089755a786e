import {
  type AssistantPart,
  checked,
  type Fields,
  fieldsBeyond,
  isRecord,
  readSignature,
  type TextPart,
} from "../../../core/index.ts";
import { extraOf, formatName, type WireExtra } from "../extra.ts";
import { type assistant, redactedPart, refusalPart, textPart, thinkingPart, wirePart } from "../wire.ts";
import { decodeImage, decodePart, decodeText } from "./parts.ts";

/** Blocks of `content_blocks` that this API has no name for are written in the vocabulary of this format. */
export const blockFormat = "anthropic-messages";

/** A string is one text part; an empty one is none. */
export function partsOf<Part>(
  content: string | readonly unknown[],
  decode: (part: unknown, path: string) => Part,
  path: string,
): (Part | TextPart)[] {
  if (typeof content !== "string") return content.map((part, at) => decode(part, `${path}[${at}]`));
  return content === "" ? [] : [{ type: "text", text: content }];
}

/**
 * What an assistant says, besides its calls: blocks, where they say anything, stand for the content. Clients that keep a list for
 * all answers keep an empty one, or one of calls only.
 */
export function decodeSaid(message: ReturnType<typeof assistant.parse>, path: string): AssistantPart[] {
  const content = () => decodeContent(message.content ?? "", `${path}.content`);
  const name = message.content_blocks ? "content_blocks" : "content_parts";
  const blocks = message[name];
  if (!blocks) return content();
  const added = addedUp(blocks);
  if (added) return [...decodeBlocks(added, path, blockFormat), ...content()];
  const said = decodeBlocks(blocks, `${path}.${name}`, blockFormat).map(cited);
  return said.length > 0 ? said : content();
}

/**
 * Clients that add up the deltas of a stream send back `{index, delta: {...}}`: all of a block, or the last delta alone. What
 * is surely whole of it is read; texts are in `content`, too. Undefined where all blocks say what they are.
 */
function addedUp(blocks: readonly unknown[]): readonly Fields[] | undefined {
  const isDelta = (block: unknown): block is { readonly delta: Fields } =>
    isRecord(block) && block.type === undefined && isRecord(block.delta);
  if (!blocks.some(isDelta)) return undefined;
  const whole: Fields[] = [];
  for (const { delta } of blocks.filter(isDelta)) {
    const { thinking, signature, data } = delta;
    if (thinking && signature) whole.push({ type: "thinking", thinking, signature });
    else if (typeof data === "string") whole.push({ type: "redacted_thinking", data });
  }
  return whole;
}

/**
 * Vendors that show thinking do it in `reasoning_content` or `reasoning`. Takes it out of the unread fields of a
 * message, so that it is known as thinking and written back under the same name.
 */
export function takeReasoning(unread: Fields): AssistantPart[] {
  for (const name of reasoningFields) {
    const text = unread[name];
    if (typeof text !== "string") continue;
    delete unread[name];
    if (text !== "") return [{ type: "thinking", text, ...extraOf({}, {}, name) }];
  }
  return [];
}
export const reasoningFields = ["reasoning_content", "reasoning"] as const;

export const decodeContent = (content: string | readonly unknown[], path: string): AssistantPart[] =>
  typeof content === "string"
    ? partsOf<AssistantPart>(content, decodeText, path)
    : decodeBlocks(content, path, formatName);

/** Parts of an assistant: `tool_use` blocks repeat what `tool_calls` says and are left out. */
export function decodeBlocks(blocks: readonly unknown[], path: string, unknownFormat: string): AssistantPart[] {
  const parts: AssistantPart[] = [];
  for (const [at, block] of blocks.entries()) {
    const part = decodeBlock(block, `${path}[${at}]`, unknownFormat);
    if (part) parts.push(part);
  }
  return parts;
}

function decodeBlock(wire: unknown, path: string, unknownFormat: string): AssistantPart | undefined {
  const { type } = checked(wirePart, wire, path);
  switch (type) {
    case "tool_use":
      return undefined;
    case "text":
      return unknownFormat === formatName ? decodeText(onlyOwn(wire), path) : decodeCited(wire, path);
    case "refusal": {
      const part = checked(refusalPart, wire, path);
      return { type: "refusal", text: part.refusal, ...extraOf(fieldsBeyond(part, refusalPart), {}, "part") };
    }
    case "thinking": {
      const part = checked(thinkingPart, { ...(wire as object), thinking: thoughtOf(wire) }, path);
      // What is written as a list is Mistral's, and so is its signature: Claude would refuse it.
      const isClaudes = isRecord(wire) && typeof wire.thinking === "string";
      const proof = part.signature && isClaudes ? readSignature(part.signature, blockFormat) : {};
      return Object.assign({ type: "thinking" as const, text: part.thinking }, proof);
    }
    case "redacted_thinking":
      return { type: "redacted-thinking", data: checked(redactedPart, wire, path).data };
    case "image_url":
      return decodeAssistantImage(wire, path, unknownFormat);
    case "input_audio": {
      const part = decodePart(wire, path);
      return part.type === "audio" ? part : undefined;
    }
    default:
      return { type: "opaque", format: isItem(type) ? itemFormat : unknownFormat, value: wire };
  }
}

/** A text without what some clients (`@openai/agents` 0.20) repeat in it of the message it stands in. */
function onlyOwn(wire: unknown): unknown {
  if (!isRecord(wire) || !("role" in wire || "tool_calls" in wire)) return wire;
  const { role: _role, tool_calls: _calls, ...own } = wire;
  return own;
}

/** Blocks of a client are those of whoever answered it, and items of the Responses API are none that others know. */
const itemFormat = "openai-responses";
const isItem = (type: unknown): boolean =>
  typeof type === "string" && /_call(?:_output)?$|^mcp_(?:list_tools|approval_request)$/.test(type);

/** Some vendors write thinking as a list of text parts. */
export function thoughtOf(wire: unknown): unknown {
  const thinking = isRecord(wire) ? wire.thinking : undefined;
  return Array.isArray(thinking) ? thinking.map((part) => part?.text ?? "").join("") : thinking;
}

/** Citations in a history belong to the vendor that wrote them, which gets them back. */
const cited = (part: AssistantPart): AssistantPart =>
  part.type === "text" && part.citations && !part.extra
    ? { ...part, extra: { format: blockFormat, fields: {} } }
    : part;

function decodeCited(wire: unknown, path: string): TextPart {
  const { citations, ...block } = checked(textPart, wire, path);
  return { ...decodeText(block, path), ...(Array.isArray(citations) && { citations }) };
}

/** An image in `content` came from a vendor that takes images there; one in `content_blocks` did not. */
function decodeAssistantImage(wire: unknown, path: string, unknownFormat: string): AssistantPart {
  const part = decodeImage(wire, path);
  if (part.type !== "image") return { type: "opaque", format: formatName, value: wire };
  if (unknownFormat !== formatName) return part;
  const extra: WireExtra = { format: formatName, fields: {}, ...part.extra, spelling: "image_url" };
  return { ...part, extra };
}
