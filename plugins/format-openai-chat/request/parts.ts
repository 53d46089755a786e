import {
  type AssistantPart,
  type AudioPart,
  breakpointFor,
  type CacheMarker,
  type ContentPart,
  carriedOpaque,
  checked,
  compact,
  type DocumentPart,
  type Fields,
  fieldsBeyond,
  fileNameFor,
  type ImagePart,
  markerOf,
  refuse,
  reportForeign,
  reportMarker,
  type Source,
  type TextPart,
  type ToolResultPart,
} from "../../../core/index.ts";
import { extraOf, fieldsOf, formatName, isOwn, withKept } from "../extra.ts";
import {
  addressedPart,
  audioPart,
  fileOf,
  filePart,
  imagePart,
  imageUrl,
  inputAudio,
  textPart,
  wirePart,
} from "../wire.ts";
import { encodeDocument, imageFile } from "./documents.ts";
import { addressed } from "./mistrals-words.ts";
import { address, audioFormat, bytesSource, isDataUrl, parsedDataUrl, readDataUrl, typed } from "./sources.ts";
import type { Report, Vendor } from "./vendor.ts";

type WireCache = { readonly ttl?: string | null | undefined } | null | undefined;
export const cacheOf = (wire: WireCache): { cache?: CacheMarker } =>
  wire ? { cache: typeof wire.ttl === "string" ? { ttl: wire.ttl } : {} } : {};

/** What people and tools say. Part types this file does not know travel untouched. */
export function decodePart(wire: unknown, path: string): ContentPart {
  const { type } = checked(wirePart, wire, path);
  switch (type) {
    case "text":
      return decodeText(wire, path);
    case "image_url":
      return decodeImage(wire, path);
    case "input_audio":
      return decodeAudio(wire, path);
    case "file":
      return decodeFile(wire, path);
    case addressed:
      return decodeAddressed(wire) ?? { type: "opaque", format: formatName, value: wire };
    default:
      return { type: "opaque", format: formatName, value: wire };
  }
}

export function decodeText(wire: unknown, path: string): TextPart {
  const part = checked(textPart, wire, path);
  return { type: "text", text: part.text, ...markerOf(part, formatName), ...extraOf(fieldsBeyond(part, textPart)) };
}

/** `image_url` carries more than images: what a data URL or `mime_type` says is no image becomes a document. */
export function decodeImage(wire: unknown, path: string): ImagePart | DocumentPart {
  const part = checked(imagePart, wire, path);
  const image = checked(
    imageUrl,
    typeof part.image_url === "string" ? { url: part.image_url } : part.image_url,
    `${path}.image_url`,
  );
  const source: Source = isDataUrl(image.url)
    ? bytesSource(readDataUrl(image.url, `${path}.image_url.url`))
    : { kind: "url", url: image.url, ...(image.mime_type && { mediaType: image.mime_type }) };
  const isImage = source.kind === "file" || (source.mediaType ?? "image/").startsWith("image/");
  const more = markerOf(part, formatName);
  const inner = fieldsBeyond(image, imageUrl);
  const outer = fieldsBeyond(part, imagePart);
  if (isImage)
    return {
      type: "image",
      source,
      ...(image.detail && { detail: image.detail }),
      ...more,
      ...extraOf(inner, outer),
    };
  const detail = compact({ detail: image.detail });
  return { type: "document", source, ...more, ...extraOf({ ...inner, ...detail }, outer, "image_url") };
}

function decodeAudio(wire: unknown, path: string): AudioPart {
  const part = checked(audioPart, wire, path);
  const audio = part.input_audio;
  return {
    type: "audio",
    source: { kind: "data", data: audio.data, mediaType: `audio/${audio.format}` },
    ...markerOf(part, formatName),
    ...extraOf(
      fieldsBeyond(audio, inputAudio),
      fieldsBeyond(part, audioPart),
      soundsOfAll.has(audio.format) ? undefined : "format",
    ),
  };
}

/** The formats of sounds the namesake of this format takes. */
const soundsOfAll: ReadonlySet<string> = new Set(["wav", "mp3"]);

/** The images that vendors of all formats look at: others would refuse a drawing (`image/svg+xml`) that is shown as an image. */
const imageTypes: ReadonlySet<string | undefined> = new Set(
  ["png", "jpeg", "jpg", "gif", "webp"].map((name) => `image/${name}`),
);

/** Files that are images are shown to other formats as images: not all of them look at images among documents. */
function decodeFile(wire: unknown, path: string): DocumentPart | ImagePart {
  const part = checked(filePart, wire, path);
  const file = part.file;
  const name = file.filename ?? file.file_name;
  const { source, spelling, unread } = fileSource(file, `${path}.file`);
  const inner = { ...fieldsBeyond(file, fileOf), ...unread };
  const outer = fieldsBeyond(part, filePart);
  if (imageTypes.has(source.mediaType))
    return {
      type: "image",
      source,
      ...markerOf(part, formatName),
      ...withKept(extraOf(inner, outer, spelling ?? "unnamed"), compact({ filename: name ?? undefined })),
    };
  return {
    type: "document",
    source,
    ...(typeof name === "string" && { name }),
    ...markerOf(part, formatName),
    ...extraOf(
      inner,
      outer,
      spelling ?? (typeof name !== "string" && typeof file.file_data === "string" ? "unnamed" : undefined),
    ),
  };
}

/** A document as clients of Mistral's write it: by an address, which may hold its bytes. */
function decodeAddressed(wire: unknown): DocumentPart | undefined {
  const { success, data: part } = addressedPart.safeParse(wire);
  if (!success) return undefined;
  const { document_url: url, document_name: name } = part;
  const source = addressSource(url);
  return (
    source && {
      type: "document",
      source,
      ...(name && { name }),
      ...extraOf({}, fieldsBeyond(part, addressedPart), addressed),
    }
  );
}

/** Undefined of data in a form that nobody but Mistral may know. */
function addressSource(url: string): Source | undefined {
  if (!isDataUrl(url)) return { kind: "url", url };
  const data = parsedDataUrl(url);
  return data && bytesSource(data);
}

type WireFile = { readonly [Name in keyof typeof fileOf.shape]?: string | null | undefined };
interface FileSource {
  readonly source: Source;
  readonly spelling?: string;
  /** Other places of the same bytes; the first one named counts. */
  readonly unread?: Fields;
}

function fileSource(file: WireFile, path: string): FileSource {
  const { file_id: fileId, file_data: data, file_url: url, mime_type: mediaType } = file;
  if (typeof fileId === "string")
    return {
      source: { kind: "file", fileId, ...(typeof mediaType === "string" && { mediaType }) },
      ...(typeof mediaType === "string" && { spelling: "typed" }),
      unread: compact({ file_data: data, file_url: url }),
    };
  if (typeof data === "string") {
    const unread = compact({ file_url: url });
    if (isDataUrl(data)) {
      const read = readDataUrl(data, `${path}.file_data`);
      const name = file.filename ?? file.file_name;
      const isUsual = read.mediaType === "application/pdf" && name === fileNameFor(name ?? undefined, read.mediaType);
      const named = typeof name === "string" && !isUsual;
      return { source: bytesSource(read), unread, ...(named && { spelling: "named" }) };
    }
    const spelling = typeof mediaType === "string" ? "raw-typed" : "raw";
    return { source: rawSource(data, mediaType ?? "application/pdf"), spelling, unread };
  }
  if (typeof url === "string")
    return { source: { kind: "url", url, ...(typeof mediaType === "string" && { mediaType }) }, spelling: "address" };
  return refuse(path, "an object with file_id, file_data or file_url", file);
}

const base64Text = /^[A-Za-z0-9+/]*={0,2}$/;

/** `file_data` without `data:` in front is base64; plain text is accepted where the type says it is text. */
function rawSource(data: string, mediaType: string): Source {
  if (mediaType.startsWith("text/") && (data.length % 4 !== 0 || !base64Text.test(data)))
    return { kind: "text", text: data, mediaType };
  return bytesSource({ mediaType, data });
}

/** A part as wire JSON; undefined when this format has no way to say it, which is reported. */
export function encodePart(part: ContentPart | AssistantPart, report: Report, vendor?: Vendor): Fields | undefined {
  if (part.type === "opaque") return carriedOpaque(part, formatName, report);
  const breakpoint = breakpointFor(part.cache, formatName, vendor?.exact === true);
  reportLosses(part, report, breakpoint !== undefined);
  const wire = encodeKnown(part, report, vendor);
  return wire && breakpoint ? { ...wire, prompt_cache_breakpoint: breakpoint } : wire;
}

function encodeKnown(
  part: Exclude<ContentPart | AssistantPart, { type: "opaque" }>,
  report: Report,
  vendor: Vendor | undefined,
): Fields | undefined {
  const { inner, outer } = fieldsOf(part.extra);
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, ...inner };
    case "image":
      return encodeImage(part, inner, outer, report);
    case "document":
      return encodeDocument(part, report, vendor);
    case "audio": {
      if (part.source.kind !== "data") break;
      const format = audioFormat(part.source.mediaType);
      const takes = soundsOfAll.has(format) || isOwn(part.extra) || vendor?.attachments?.includes("audio");
      if (!takes) break;
      return { type: "input_audio", input_audio: { data: part.source.data, format, ...inner }, ...outer };
    }
  }
  report(`messages.${part.type.replaceAll("-", "_")}`);
  return undefined;
}

/** Reports what is lost with any part: cache markers, citations, fields of another format. */
export function reportLosses(
  part: Exclude<ContentPart | AssistantPart, { type: "opaque" }> | ToolResultPart,
  report: Report,
  isMarked = false,
): void {
  reportMarker(part.cache, report, isMarked);
  if (part.type === "text" && part.citations) report("messages.citations");
  reportForeign(formatName, part.extra, "messages.", report);
}

function encodeImage(part: ImagePart, inner: Fields, outer: Fields, report: Report): Fields | undefined {
  const { source } = part;
  const file = imageFile(part);
  if (file) return file;
  if (source.kind === "file") return { type: "file", file: { file_id: source.fileId, ...inner }, ...outer };
  if (source.kind === "text") {
    report("messages.image");
    return undefined;
  }
  const detail = part.detail === undefined ? {} : { detail: part.detail };
  return { type: "image_url", image_url: { url: address(source), ...detail, ...typed(source), ...inner }, ...outer };
}
