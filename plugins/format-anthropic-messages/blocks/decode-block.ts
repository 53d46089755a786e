import {
  type AssistantPart,
  type ContentPart,
  compact,
  type Fields,
  leftovers,
  type OpaquePart,
  readSignature,
  type Source,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
} from "../../../core/index.ts";
import { common, extraOf, formatName } from "../fields.ts";
import { inside, type Place, read } from "../read.ts";
import {
  blockWire,
  documentWire,
  fieldsOf,
  fileSourceWire,
  imageWire,
  inlineSourceWire,
  redactedWire,
  textWire,
  thinkingWire,
  toolResultWire,
  toolUseWire,
  urlSourceWire,
} from "../wire.ts";

const known = {
  text: fieldsOf(textWire),
  image: fieldsOf(imageWire),
  document: fieldsOf(documentWire),
  thinking: fieldsOf(thinkingWire),
  redacted: fieldsOf(redactedWire),
  toolUse: fieldsOf(toolUseWire),
  toolResult: fieldsOf(toolResultWire),
  inlineSource: fieldsOf(inlineSourceWire),
  urlSource: fieldsOf(urlSourceWire),
  fileSource: fieldsOf(fileSourceWire),
};

/** A string is shorthand for one text block; an empty one for none. */
export function blocksOf<Part>(
  content: string | readonly unknown[],
  place: Place,
  decode: (block: unknown, place: Place) => Part,
): (Part | TextPart)[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return content.map((block, at) => decode(block, inside(place, at)));
}

/** A block of a user turn or of a tool result. */
export function decodeContent(block: unknown, place: Place): ContentPart {
  const wire = read(blockWire, block, place);
  switch (wire.type) {
    case "text":
      return decodeText(wire, place);
    case "image":
      return decodeImage(wire, place);
    case "document":
      return decodeDocument(wire, place);
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

export function decodeText(block: unknown, place: Place): TextPart {
  const wire = read(textWire, block, place);
  const { text, citations } = wire;
  return { type: "text", text, ...(citations && { citations }), ...common(wire, known.text) };
}

function decodeToolUse(block: unknown, place: Place): ToolCallPart {
  const wire = read(toolUseWire, block, place);
  const { id, name, input } = wire;
  return { type: "tool-call", id, name, arguments: JSON.stringify(input ?? {}), ...common(wire, known.toolUse) };
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

function decodeImage(block: Fields, place: Place): ContentPart {
  const wire = read(imageWire, block, place);
  const found = decodeSource(wire.source, inside(place, "source"));
  return found ? { type: "image", source: found.source, ...withSource(wire, known.image, found.rest) } : opaque(block);
}

function decodeDocument(block: Fields, place: Place): ContentPart {
  const wire = read(documentWire, block, place);
  const found = decodeSource(wire.source, inside(place, "source"));
  if (!found) return opaque(block);
  return {
    type: "document",
    source: found.source,
    ...compact({ name: wire.title }),
    ...withSource(wire, known.document, found.rest),
  };
}

/** Where the bytes are; undefined for sources only this format knows (documents made of content blocks). */
function decodeSource(wire: Fields, place: Place): { source: Source; rest: Fields | undefined } | undefined {
  switch (wire.type) {
    case "base64": {
      const { media_type: mediaType, data } = read(inlineSourceWire, wire, place);
      return { source: { kind: "data", data, mediaType }, rest: leftovers(wire, known.inlineSource) };
    }
    case "text": {
      const { media_type: mediaType, data } = read(inlineSourceWire, wire, place);
      return { source: { kind: "text", text: data, mediaType }, rest: leftovers(wire, known.inlineSource) };
    }
    case "url":
      return {
        source: { kind: "url", url: read(urlSourceWire, wire, place).url },
        rest: leftovers(wire, known.urlSource),
      };
    case "file":
      return {
        source: { kind: "file", fileId: read(fileSourceWire, wire, place).file_id },
        rest: leftovers(wire, known.fileSource),
      };
    default:
      return undefined;
  }
}

function withSource(wire: Fields, fields: ReadonlySet<string>, source: Fields | undefined) {
  const { cache, extra } = common(wire, fields);
  return { ...(cache && { cache }), ...extraOf({ ...extra?.fields, ...(source && { source }) }) };
}

/** Thinking carries no cache marker: `cache_control` on it is kept with whatever else is unknown. */
const rest = (wire: Fields, fields: ReadonlySet<string>) => extraOf(leftovers(wire, fields));

const opaque = (value: Fields): OpaquePart => ({ type: "opaque", format: formatName, value });
