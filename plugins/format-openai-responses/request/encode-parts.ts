import {
  type AssistantPart,
  breakpointFor,
  type ContentPart,
  carriedOpaque,
  type DocumentPart,
  type Fields,
  fileNameFor,
  type ImagePart,
  type OpaquePart,
  reportForeign,
  reportMarker,
  type ToolResultPart,
} from "../../../core/index.ts";
import { formatName, isOwn, type Report, readExtra } from "../extra.ts";
import { isRanElsewhere } from "../response/ran-code.ts";
import { audioFormat, dataUrl } from "./sources.ts";

/** `isExact` is whether the vendor is one who knows all of this format. */
export function encodeParts(parts: readonly ContentPart[], report: Report, isExact: boolean): Fields[] {
  const encoded: Fields[] = [];
  for (const part of parts) {
    const wire = encodePart(part, report, isExact);
    if (wire) encoded.push(wire);
  }
  return encoded;
}

/** One part of plain text is written as a string. */
export function contentOf(parts: readonly Fields[]): string | readonly Fields[] {
  const [first] = parts;
  if (!first) return "";
  return parts.length === 1 && first.type === "input_text" && Object.keys(first).length === 2
    ? String(first.text)
    : parts;
}

/** A part as wire JSON; undefined when this format has no way to say it, which is reported. */
function encodePart(part: ContentPart, report: Report, isExact: boolean): Fields | undefined {
  if (part.type === "opaque") return encodeOpaque(part, report);
  const breakpoint = breakpointFor(part.cache, formatName, isExact);
  reportLosses(part, report, breakpoint !== undefined);
  const wire = encodeKnown(part, report);
  return wire && breakpoint ? { ...wire, prompt_cache_breakpoint: breakpoint } : wire;
}

function encodeKnown(part: Exclude<ContentPart, { type: "opaque" }>, report: Report): Fields | undefined {
  const { fields } = readExtra(part.extra);
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text, ...fields };
    case "image":
      return encodeImage(part, fields, report);
    case "document":
      return { type: "input_file", ...encodeFile(part), ...fields };
    case "audio": {
      const { source } = part;
      if (source.kind === "data")
        return { type: "input_audio", input_audio: { data: source.data, format: audioFormat(source.mediaType) } };
      report("messages.audio");
      return undefined;
    }
  }
}

export const encodeOpaque = (part: OpaquePart, report: Report): Fields | undefined =>
  carriedOpaque(part, formatName, report, isRanElsewhere);

/** Reports what is lost with any part: cache markers, another format's citations and fields. Of a marker the breakpoint may be written. */
export function reportLosses(
  part: Exclude<ContentPart | AssistantPart, { type: "opaque" }> | ToolResultPart,
  report: Report,
  isMarked = false,
): void {
  reportMarker(part.cache, report, isMarked);
  if (part.type === "text" && part.citations && !isOwn(part.extra)) report("messages.citations");
  reportForeign(formatName, part.extra, "messages.", report);
}

function encodeImage({ source, detail }: ImagePart, fields: Readonly<Fields>, report: Report): Fields | undefined {
  const more = { ...(detail !== undefined && { detail }), ...fields };
  switch (source.kind) {
    case "url":
      return { type: "input_image", image_url: source.url, ...more };
    case "data":
      return { type: "input_image", image_url: dataUrl(source), ...more };
    case "file":
      return { type: "input_image", file_id: source.fileId, ...more };
    case "text":
      report("messages.image");
      return undefined;
  }
}

/** The vendor wants a name beside bytes, and goes by its ending; clients of this format have theirs. */
function encodeFile({ source, name, extra }: DocumentPart): Fields {
  switch (source.kind) {
    case "file":
      return { file_id: source.fileId };
    case "url":
      return { file_url: source.url, ...(name !== undefined && { filename: name }) };
    default:
      return {
        filename: name !== undefined && isOwn(extra) ? name : fileNameFor(name, source.mediaType),
        file_data: dataUrl(source),
      };
  }
}
