import {
  type ContentPart,
  compact,
  type Fields,
  type InstructionPart,
  leftovers,
  type OpaquePart,
  type Source,
  type TextPart,
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
  textWire,
  urlSourceWire,
} from "../wire.ts";
import { citationMark } from "./citations.ts";
import { ranIn } from "./ran-code.ts";

const known = {
  text: fieldsOf(textWire),
  image: fieldsOf(imageWire),
  document: fieldsOf(documentWire),
  inlineSource: fieldsOf(inlineSourceWire),
  urlSource: fieldsOf(urlSourceWire),
  fileSource: fieldsOf(fileSourceWire),
};

export function decodeText(block: unknown, place: Place): TextPart {
  const wire = read(textWire, block, place);
  const { text, citations } = wire;
  const more = common(wire, known.text);
  if (!citations || citations.length === 0) return { type: "text", text, ...more };
  return { type: "text", text, citations, ...more, ...citationMark(citations, more.extra?.fields) };
}

/** A block of instructions between messages: text, or one that only this format has (`tool_addition`). */
export function decodeInstruction(block: unknown, place: Place): InstructionPart {
  const wire = read(blockWire, block, place);
  return wire.type === "text" ? decodeText(wire, place) : opaque(wire);
}

export function decodeImage(block: Fields, place: Place): ContentPart {
  const wire = read(imageWire, block, place);
  const found = decodeSource(wire.source, inside(place, "source"));
  return found ? { type: "image", source: found.source, ...withSource(wire, known.image, found.rest) } : opaque(block);
}

export function decodeDocument(block: Fields, place: Place): ContentPart {
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

/** Where the bytes are; undefined for sources only this format knows. */
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

/** A block that travels as it is, since nobody here can read it. */
export const opaque = (value: Fields): OpaquePart => ({
  type: "opaque",
  format: formatName,
  value,
  ...compact({ ran: ranIn(value) }),
});
