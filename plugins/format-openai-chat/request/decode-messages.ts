import {
  type AssistantMessage,
  type AssistantPart,
  type CacheMarker,
  type ContentPart,
  checked,
  compact,
  type Fields,
  fieldsBeyond,
  isRecord,
  type Message,
  readSignature,
  refuse,
  type TextPart,
  type ToolCallPart,
} from "../../../core/index.ts";
import { extraOf, formatName, type WireExtra } from "../extra.ts";
import {
  assistant,
  functionCall,
  functionMessage,
  instructions,
  redactedPart,
  refusalPart,
  textPart,
  thinkingPart,
  toolCall,
  toolMessage,
  wireMessage,
  wirePart,
} from "../wire.ts";
import { decodeCustomCall } from "./custom.ts";
import { cacheOf, decodeImage, decodePart, decodeText } from "./parts.ts";

const roles = "one of system, developer, user, assistant, tool, function";

/** Blocks of `content_blocks` that this API has no name for are written in the vocabulary of this format. */
export const blockFormat = "anthropic-messages";

export function decodeMessages(wire: readonly unknown[]): Message[] {
  // Calls of the deprecated function API have no ids. Each gets one from its place, which its answer then refers to.
  let lastCall = "call_function";
  return wire.map((message, at): Message => {
    const path = `messages[${at}]`;
    const { role } = checked(wireMessage, message, path);
    switch (role) {
      case "system":
      case "developer":
        return decodeInstructions(message, role, path);
      case "user":
        return decodeUser(message, path);
      case "assistant":
        if (isRecord(message) && isRecord(message.function_call)) lastCall = `call_function_${at}`;
        return decodeAssistant(message, path, lastCall);
      case "tool":
        return decodeTool(message, path);
      case "function":
        return decodeFunction(message, path, lastCall);
      default:
        return refuse(`${path}.role`, roles, role);
    }
  });
}

/** A string is one text part; an empty one is none. */
function partsOf<Part>(
  content: string | readonly unknown[],
  decode: (part: unknown, path: string) => Part,
  path: string,
): (Part | TextPart)[] {
  if (typeof content !== "string") return content.map((part, at) => decode(part, `${path}[${at}]`));
  return content === "" ? [] : [{ type: "text", text: content }];
}

/** A cache marker on a message stands for one on its last part. */
function marked<Part extends { readonly type: string }>(
  parts: readonly Part[],
  cache: CacheMarker | undefined,
): Part[] {
  const last = parts.at(-1);
  if (!last || !cache || last.type === "opaque" || "cache" in last) return [...parts];
  return [...parts.slice(0, -1), { ...last, cache }];
}

function onlyText(part: unknown, path: string): TextPart {
  const { type } = checked(wirePart, part, path);
  if (type !== "text") refuse(`${path}.type`, '"text"', type);
  return decodeText(part, path);
}

function decodeInstructions(wire: unknown, role: "system" | "developer", path: string): Message {
  const message = checked(instructions, wire, path);
  const parts = partsOf(message.content, onlyText, `${path}.content`);
  return {
    role,
    content: marked(parts, cacheOf(message.cache_control).cache),
    ...compact({ name: message.name }),
    ...extraOf(fieldsBeyond(message, instructions)),
  };
}

function decodeUser(wire: unknown, path: string): Message {
  const message = checked(instructions, wire, path);
  const parts = partsOf<ContentPart>(message.content, decodePart, `${path}.content`);
  return {
    role: "user",
    content: marked(parts, cacheOf(message.cache_control).cache),
    ...compact({ name: message.name }),
    ...extraOf(fieldsBeyond(message, instructions)),
  };
}

function decodeTool(wire: unknown, path: string): Message {
  const message = checked(toolMessage, wire, path);
  return {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: message.tool_call_id,
        content: partsOf<ContentPart>(message.content, decodePart, `${path}.content`),
        ...cacheOf(message.cache_control),
        ...extraOf(fieldsBeyond(message, toolMessage)),
      },
    ],
  };
}

function decodeFunction(wire: unknown, path: string, toolCallId: string): Message {
  const message = checked(functionMessage, wire, path);
  const { role: _, content, ...fields } = message;
  return {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId,
        content: partsOf<ContentPart>(content ?? "", decodePart, `${path}.content`),
        ...extraOf(fields, {}, "function"),
      },
    ],
  };
}

function decodeAssistant(wire: unknown, path: string, functionCallId: string): AssistantMessage {
  const message = checked(assistant, wire, path);
  const unread = fieldsBeyond(message, assistant);
  const thoughts = takeReasoning(unread);
  const blocks = message.content_blocks ?? message.content_parts;
  const added = blocks && addedUp(blocks);
  const said = added
    ? [...decodeBlocks(added, path, blockFormat), ...decodeContent(message.content ?? "", `${path}.content`)]
    : blocks
      ? decodeBlocks(blocks, `${path}.${message.content_blocks ? "content_blocks" : "content_parts"}`, blockFormat).map(
          cited,
        )
      : decodeContent(message.content ?? "", `${path}.content`);
  const calls = (message.tool_calls ?? []).map((call, at) => decodeToolCall(call, `${path}.tool_calls[${at}]`));
  const content: AssistantPart[] = [...thoughts, ...said];
  if (message.refusal) content.push({ type: "refusal", text: message.refusal });
  if (message.function_call) {
    const { name, arguments: text } = message.function_call;
    content.push({
      type: "tool-call",
      id: functionCallId,
      name,
      arguments: text,
      ...extraOf(fieldsBeyond(message.function_call, functionCall), {}, "function_call"),
    });
  }
  content.push(...calls);
  return {
    role: "assistant",
    content: marked(content, cacheOf(message.cache_control).cache),
    ...compact({ name: message.name }),
    ...extraOf(unread),
  };
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
      return unknownFormat === formatName ? decodeText(wire, path) : decodeCited(wire, path);
    case "refusal": {
      const part = checked(refusalPart, wire, path);
      return { type: "refusal", text: part.refusal, ...extraOf(fieldsBeyond(part, refusalPart), {}, "part") };
    }
    case "thinking": {
      const part = checked(thinkingPart, { ...(wire as object), thinking: thoughtOf(wire) }, path);
      const proof = part.signature ? readSignature(part.signature, blockFormat) : {};
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
      return { type: "opaque", format: unknownFormat, value: wire };
  }
}

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

function decodeToolCall(wire: unknown, path: string): AssistantPart {
  const { type } = checked(toolCall.pick({ type: true }), wire, path);
  if (isRecord(wire) && !isRecord(wire.function) && type !== "function" && typeof type === "string") {
    if (type !== "custom") refuse(`${path}.type`, '"function" or "custom"', type);
    return decodeCustomCall(wire, path);
  }
  return decodeFunctionCall(checked(toolCall, wire, path));
}

/** A call of a function. Its own unread fields stand inside `function`, those of the call around it beside. */
export function decodeFunctionCall(call: ReturnType<typeof toolCall.parse>): ToolCallPart {
  const outer = fieldsBeyond(call, toolCall);
  if (typeof call.type === "string" && call.type !== "function") outer.type = call.type;
  return {
    type: "tool-call",
    id: call.id,
    name: call.function.name,
    arguments: call.function.arguments ?? "",
    ...cacheOf(call.cache_control),
    ...extraOf(fieldsBeyond(call.function, functionCall), outer),
  };
}
