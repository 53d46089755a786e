import {
  type AssistantPart,
  type ContentPart,
  compact,
  type Fields,
  leftovers,
  readSignature,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  writeJson,
} from "../../../core/index.ts";
import { common, extraOf, formatName } from "../fields.ts";
import { inside, type Place, read } from "../read.ts";
import { blockWire, fieldsOf, redactedWire, thinkingWire, toolResultWire, toolUseWire } from "../wire.ts";
import { decodePassage } from "./decode-passage.ts";
import { decodeDocument, decodeImage, decodeText, opaque } from "./decode-plain.ts";

const known = {
  thinking: fieldsOf(thinkingWire),
  redacted: fieldsOf(redactedWire),
  toolUse: fieldsOf(toolUseWire),
  toolResult: fieldsOf(toolResultWire),
};

/** A string is shorthand for one text block; an empty one for none. */
export function blocksOf<Part>(
  content: string | readonly unknown[],
  place: Place,
  decode: (block: unknown, place: Place) => Part | readonly Part[],
): (Part | TextPart)[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  const parts: (Part | TextPart)[] = [];
  // A loop, for it is a third of what `flatMap` takes: there is one for every message.
  for (let at = 0; at < content.length; at++) {
    const decoded = decode(content[at], inside(place, at));
    if (isList(decoded)) for (const part of decoded) parts.push(part);
    else parts.push(decoded);
  }
  return parts;
}

const isList = <Part>(decoded: Part | readonly Part[]): decoded is readonly Part[] => Array.isArray(decoded);

/** A block of a user turn or of a tool result. */
export function decodeContent(block: unknown, place: Place): ContentPart | readonly ContentPart[] {
  const wire = read(blockWire, block, place);
  switch (wire.type) {
    case "text":
      return decodeText(wire, place);
    case "image":
      return decodeImage(wire, place);
    case "document":
      return decodePassage(wire, place) ?? decodeDocument(wire, place);
    case "search_result":
      return decodePassage(wire, place) ?? opaque(wire);
    default:
      return opaque(wire);
  }
}

/** A block of an assistant turn, of a request or of an answer. */
export function decodeAssistant(block: unknown, place: Place): AssistantPart {
  const wire = read(blockWire, block, place);
  switch (wire.type) {
    case "text":
      return decodeText(wire, place);
    case "thinking": {
      const { thinking, signature } = read(thinkingWire, wire, place);
      const proof = signature ? readSignature(signature, formatName) : {};
      return Object.assign({ type: "thinking" as const, text: thinking }, proof, rest(wire, known.thinking));
    }
    case "redacted_thinking":
      return { type: "redacted-thinking", data: read(redactedWire, wire, place).data, ...rest(wire, known.redacted) };
    case "tool_use":
      return decodeToolUse(wire, place);
    default:
      return opaque(wire);
  }
}

function decodeToolUse(block: unknown, place: Place): ToolCallPart {
  const wire = read(toolUseWire, block, place);
  const { id, name, input } = wire;
  return { type: "tool-call", id, name, arguments: writeJson(input ?? {}), ...common(wire, known.toolUse) };
}

export function decodeToolResult(block: unknown, place: Place): ToolResultPart {
  const wire = read(toolResultWire, block, place);
  return {
    type: "tool-result",
    toolCallId: wire.tool_use_id,
    content: blocksOf(wire.content ?? [], inside(place, "content"), decodeContent),
    ...compact({ isError: wire.is_error }),
    ...common(wire, known.toolResult),
  };
}

/** Thinking carries no cache marker: `cache_control` on it is kept with whatever else is unknown. */
const rest = (wire: Fields, fields: ReadonlySet<string>) => extraOf(leftovers(wire, fields));
