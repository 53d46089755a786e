import {
  type AudioPart,
  type DocumentPart,
  type Fields,
  GatewayError,
  type ImagePart,
  isRecord,
  leftovers,
  type Source,
} from "../../../core/index.ts";
import { extraOf, restore, writtenIn } from "../fields.ts";
import { formatOf, inAddress, kindOf, type MediaKind, mediaTypeOf } from "../media-types.ts";
import { linesIn } from "./search-result.ts";

export type MediaPart = ImagePart | AudioPart | DocumentPart;

const kinds = ["image", "document", "video", "audio"] as const;
const mediaFields = new Set(["format", "source", "name"]);
const addressFields = new Set(["uri"]);

/**
 * An image, document, video or sound as a part; undefined when a block is none of them, or one that only this format
 * can say. A video travels as a document with the type of one.
 */
export function decodeMedia(block: Readonly<Fields>): MediaPart | undefined {
  const kind = kinds.find((name) => isRecord(block[name]));
  const wire = kind && block[kind];
  if (!kind || !isRecord(wire) || !isRecord(wire.source)) return undefined;
  const { format, name, source: from } = wire;
  const mediaType = typeof format === "string" ? mediaTypeOf(kind, format) : undefined;
  const read = decodeSource(from, kind, mediaType);
  if (!read) return undefined;
  const fields = { ...leftovers(wire, mediaFields), ...(read.rest && { source: read.rest }) };
  const more = extraOf(Object.keys(fields).length > 0 ? { [kind]: fields } : undefined, read.written);
  switch (kind) {
    case "image":
    case "audio":
      return { type: kind, source: read.source, ...more };
    default:
      return { type: "document", source: read.source, ...(typeof name === "string" && { name }), ...more };
  }
}

interface ReadSource {
  readonly source: Source;
  readonly rest?: Fields;
  readonly written?: Fields;
}

function decodeSource(wire: Readonly<Fields>, kind: MediaKind, mediaType: string | undefined): ReadSource | undefined {
  const { bytes, s3Location: place, text, content } = wire;
  if (typeof bytes === "string" && mediaType !== undefined) return { source: inlineSource(mediaType, bytes) };
  if (typeof text === "string" && kind === "document")
    return {
      source: { kind: "text", text, mediaType: mediaType ?? "text/plain" },
      written: { source: "text", ...(mediaType === undefined && { untyped: true }) },
    };
  // A document in pieces, each of which can be cited.
  const lines = kind === "document" ? linesIn(content) : undefined;
  if (lines !== undefined)
    return {
      source: { kind: "text", text: lines, mediaType: mediaType ?? "text/plain" },
      written: { source: "content", content, ...(mediaType === undefined && { untyped: true }) },
    };
  if (!isRecord(place) || typeof place.uri !== "string") return undefined;
  const rest = leftovers(place, addressFields);
  return {
    source: { kind: "url", url: place.uri, ...(mediaType !== undefined && { mediaType }) },
    ...(rest && { rest: { s3Location: rest } }),
  };
}

const toBase64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

/** Text is shown as text, so that formats with text documents can say so. */
function inlineSource(mediaType: string, data: string): Source {
  if (mediaType.startsWith("text/")) {
    const text = Buffer.from(data, "base64").toString("utf8");
    if (toBase64(text) === data) return { kind: "text", text, mediaType };
  }
  return { kind: "data", data, mediaType };
}

/** Names documents: a name in a request is there once, and holds nothing the vendor refuses. */
export type Namer = (name: string | undefined) => string;

export function encodeMedia(part: MediaPart, path: string, nameOf: Namer): Fields {
  const { source, extra } = part;
  const placed = placeOf(part, path);
  const name = placed.kind === "document" ? { name: nameOf("name" in part ? part.name : undefined) } : {};
  const format = placed.format === undefined || writtenIn(extra).untyped ? {} : { format: placed.format };
  // What a document is about is said of it in the Messages API, too.
  const context =
    placed.kind === "document" && typeof extra?.fields.context === "string" ? extra.fields.context : undefined;
  const about = context === undefined ? {} : { context };
  const own = { source: encodeSource(source, extra, placed.owner) };
  const wire = { [placed.kind]: Object.assign({}, format, name, own, about) };
  return restore(wire, extra);
}

function encodeSource(source: Source, extra: MediaPart["extra"], owner: Fields): Fields {
  switch (source.kind) {
    case "data":
      return { bytes: source.data };
    case "text":
      return encodeTextSource(source.text, extra);
    case "url":
      return { s3Location: { uri: source.url, ...owner } };
    case "file":
      return {};
  }
}

/** As it was written, where it was written so and says the same still. */
function encodeTextSource(text: string, extra: MediaPart["extra"]): Fields {
  const { source, content } = writtenIn(extra);
  if (source === "content" && linesIn(content) === text) return { content };
  return source === undefined ? { bytes: toBase64(text) } : { text };
}

interface Place {
  readonly kind: MediaKind;
  readonly format: string | undefined;
  /** Whose bucket it is, where a chat client said so. */
  readonly owner: Fields;
}

/** Which block a part becomes. The vendor fetches nothing but from S3, and has no files of its own. */
function placeOf({ type, source, extra }: MediaPart, path: string): Place {
  if (source.kind === "file") throw unreachable(path, `the file ${source.fileId}`);
  if (source.kind !== "url") {
    const kind = type === "document" ? videoOr(source.mediaType) : type;
    return { kind, format: formatOf(kind, source.mediaType), owner: {} };
  }
  const { url, mediaType } = source;
  if (!url.startsWith("s3://")) throw unreachable(path, url);
  const bucketOwner = extra?.fields.bucketOwner;
  const owner = typeof bucketOwner === "string" ? { bucketOwner } : {};
  if (mediaType === undefined) {
    const guessed = inAddress(url, type === "audio");
    return guessed ? { ...guessed, owner } : { kind: type, format: type === "document" ? "pdf" : undefined, owner };
  }
  const kind = type === "document" ? videoOr(mediaType) : type;
  return { kind, format: formatOf(kind, mediaType), owner };
}

/** Documents of other formats may hold images and sounds, too. */
const videoOr = (mediaType: string): MediaKind => kindOf(mediaType);

const unreachable = (path: string, what: string) =>
  new GatewayError(
    "invalid_request",
    `${path}: Bedrock does not fetch ${what.slice(0, 120)}. Send the bytes (a data: URL or base64), or an s3:// address ` +
      "with its mime_type.",
    { param: path },
  );
