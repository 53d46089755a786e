import {
  type AudioPart,
  type CacheMarker,
  type ContentPart,
  checked,
  compact,
  type DocumentPart,
  fieldsBeyond,
  fileNameFor,
  type ImagePart,
  markerOf,
  refuse,
  type Source,
  type TextPart,
} from "../../../core/index.ts";
import { extraOf, formatName } from "../extra.ts";
import { audioPart, filePart, imagePart, textPart, wirePart } from "../wire.ts";
import { bytesSource, isDataUrl, readDataUrl } from "./sources.ts";

/** The gateway's own extension: a cache marker for vendors that have them. */
export const cacheOf = (
  wire: { readonly ttl?: string | null | undefined } | null | undefined,
): { cache?: CacheMarker } => (wire ? { cache: typeof wire.ttl === "string" ? { ttl: wire.ttl } : {} } : {});

/** A string is one text part; an empty one is none. */
export function partsOf<Part>(
  content: string | readonly unknown[],
  decode: (part: unknown, path: string) => Part,
  path: string,
): (Part | TextPart)[] {
  if (typeof content !== "string") return content.map((part, at) => decode(part, `${path}[${at}]`));
  return content === "" ? [] : [{ type: "text", text: content }];
}

/** What people and tools say. Part types this file does not know travel untouched. */
export function decodePart(wire: unknown, path: string): ContentPart {
  const { type } = checked(wirePart, wire, path);
  switch (type) {
    case "input_text":
    case "output_text":
    case "text":
      return decodeText(wire, path);
    case "input_image":
      return decodeImage(wire, path);
    case "input_file":
      return decodeFile(wire, path);
    case "input_audio":
      return decodeAudio(wire, path);
    default:
      return { type: "opaque", format: formatName, value: wire };
  }
}

export function decodeText(wire: unknown, path: string): TextPart {
  const part = checked(textPart, wire, path);
  return { type: "text", text: part.text, ...markerOf(part, formatName), ...extraOf(fieldsBeyond(part, textPart)) };
}

/** Instructions are text in every format. */
export function onlyText(wire: unknown, path: string): TextPart {
  const part = decodePart(wire, path);
  return part.type === "text" ? part : refuse(`${path}.type`, '"input_text"', checked(wirePart, wire, path).type);
}

function decodeImage(wire: unknown, path: string): ImagePart {
  const part = checked(imagePart, wire, path);
  return {
    type: "image",
    source: imageSource(part, path),
    ...compact({ detail: part.detail }),
    ...markerOf(part, formatName),
    ...extraOf(compact(fieldsBeyond(part, imagePart))),
  };
}

function imageSource({ file_id: fileId, image_url: url }: ReturnType<typeof imagePart.parse>, path: string): Source {
  if (typeof fileId === "string") return { kind: "file", fileId };
  if (typeof url !== "string") return refuse(path, "an object with image_url or file_id", { image_url: url });
  return isDataUrl(url) ? readDataUrl(url, `${path}.image_url`) : { kind: "url", url };
}

function decodeFile(wire: unknown, path: string): DocumentPart {
  const part = checked(filePart, wire, path);
  const { filename: name } = part;
  const source = fileSource(part, path);
  const isOwnName =
    typeof name === "string" && "mediaType" in source && fileNameFor(name, source.mediaType ?? "") !== name;
  return {
    type: "document",
    source,
    ...compact({ name }),
    ...markerOf(part, formatName),
    ...extraOf(compact(fieldsBeyond(part, filePart)), isOwnName ? { spelling: "named" } : {}),
  };
}

/** `file_data` without `data:` in front is the bytes of a PDF: that is what the vendor takes there. */
function fileSource(part: ReturnType<typeof filePart.parse>, path: string): Source {
  const { file_id: fileId, file_data: data, file_url: url } = part;
  if (typeof fileId === "string") return { kind: "file", fileId };
  if (typeof data === "string")
    return isDataUrl(data) ? readDataUrl(data, `${path}.file_data`) : bytesSource("application/pdf", data);
  if (typeof url === "string") return { kind: "url", url };
  return refuse(path, "an object with file_id, file_data or file_url", part);
}

function decodeAudio(wire: unknown, path: string): AudioPart {
  const part = checked(audioPart, wire, path);
  const { input_audio: audio } = part;
  return {
    type: "audio",
    source: { kind: "data", data: audio.data, mediaType: `audio/${audio.format}` },
    ...markerOf(part, formatName),
  };
}
