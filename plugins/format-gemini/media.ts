import {
  type AudioPart,
  compact,
  type DocumentPart,
  type Fields,
  type ImagePart,
  isRecord,
  isYouTube,
  leftovers,
  type Source,
} from "../../core/index.ts";
import { camelled, extraOf, writtenIn } from "./fields.ts";
import { kindOf, mediaTypeOf, spelledHere } from "./media-types.ts";

export type MediaPart = ImagePart | AudioPart | DocumentPart;

const inlineFields = new Set(["mimeType", "data"]);
const fileFields = new Set(["mimeType", "fileUri"]);

/**
 * `inlineData` and `fileData` as what they hold; undefined when a part has neither, or one nobody can read. What else
 * the part says (`videoMetadata`, `thoughtSignature`) is kept beside it.
 */
export function decodeMedia(part: Readonly<Fields>): MediaPart | undefined {
  if (isRecord(part.inlineData)) {
    const inline = camelled(part.inlineData);
    const { mimeType, data } = inline;
    if (typeof data !== "string" || typeof mimeType !== "string") return undefined;
    return media(kindOf(mimeType), inlineSource(mimeType, data), part, "inlineData", leftovers(inline, inlineFields));
  }
  if (!isRecord(part.fileData)) return undefined;
  const file = camelled(part.fileData);
  const { mimeType, fileUri } = file;
  if (typeof fileUri !== "string") return undefined;
  const mediaType = typeof mimeType === "string" ? mimeType : undefined;
  // Google's own clients need not say what such an address is of.
  const untyped = mediaType === undefined && isYouTube(fileUri);
  const kind = untyped ? "document" : kindOf(mediaType);
  const inner = leftovers(file, fileFields);
  return media(kind, fileSource(fileUri, mediaType, kind), part, "fileData", inner, untyped ? { untyped } : undefined);
}

function media(
  type: MediaPart["type"],
  source: Source,
  part: Readonly<Fields>,
  place: "inlineData" | "fileData",
  inner: Fields | undefined,
  written?: Fields,
): MediaPart {
  const fields = { ...leftovers(part, new Set([place])), ...(inner && { [place]: inner }) };
  return { type, source, ...extraOf(fields, written) };
}

/** Text is shown as text, so that formats with text documents can say so. */
function inlineSource(mediaType: string, data: string): Source {
  if (mediaType.startsWith("text/")) {
    const text = Buffer.from(data, "base64").toString("utf8");
    if (toBase64(text) === data) return { kind: "text", text, mediaType };
  }
  return { kind: "data", data, mediaType };
}

/** A type that the address tells as well is left out: that is how most clients of other formats write it. */
const fileSource = (uri: string, mediaType: string | undefined, kind: MediaPart["type"]): Source => ({
  ...(isAddress(uri) ? { kind: "url", url: uri } : { kind: "file", fileId: uri }),
  ...(mediaType !== mediaTypeOf(uri, kind) && compact({ mediaType })),
});

const isAddress = (uri: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(uri);

const toBase64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

/** An image, a sound or a document as a part. */
export function encodeMedia({ type, source, extra }: MediaPart): Fields {
  switch (source.kind) {
    case "data":
      return { inlineData: { mimeType: spelledHere(source.mediaType), data: source.data } };
    case "text":
      return { inlineData: { mimeType: source.mediaType, data: toBase64(source.text) } };
    case "file": {
      const usual = type === "image" ? undefined : mediaTypeOf(source.fileId, type);
      return { fileData: compact({ mimeType: source.mediaType ?? usual, fileUri: source.fileId }) };
    }
    case "url": {
      // Clients of old put bare base64 where an address belongs.
      if (!isAddress(source.url)) return { inlineData: { mimeType: "image/jpeg", data: source.url } };
      const mimeType = writtenIn(extra).untyped ? undefined : (source.mediaType ?? mediaTypeOf(source.url, type));
      return { fileData: compact({ mimeType, fileUri: source.url }) };
    }
  }
}
