import { decodedText, type Source } from "../../../core/index.ts";

/** Types of files that are text, whatever they are sent as. */
const isText = (mediaType: string): boolean =>
  /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|javascript|sql)\b/i.test(mediaType);

/** What stands in a document; undefined where that is no text, or somewhere else. */
export function readSource(source: Source): string | undefined {
  if (source.kind === "text") return source.text;
  if (source.kind !== "data" || !isText(source.mediaType)) return undefined;
  const bytes = Buffer.from(source.data, "base64");
  return decoded(bytes, source.mediaType) ?? bytes.toString("latin1");
}

/** The document with another text in it: in UTF-8, or byte by byte where nobody knows its letters, so that the others stay. */
export function writeSource(source: Source, text: string): Source {
  if (source.kind === "text") return { ...source, text };
  if (source.kind !== "data" || !isText(source.mediaType)) return source;
  const isKnown = decoded(Buffer.from(source.data, "base64"), source.mediaType) !== undefined;
  if (!isKnown) return { ...source, data: Buffer.from(text, "latin1").toString("base64") };
  const mediaType = source.mediaType.replace(charset, "charset=utf-8");
  return { ...source, mediaType, data: Buffer.from(text, "utf8").toString("base64") };
}

const charset = /charset\s*=\s*"?([^\s";]+)"?/i;

/** Undefined where the letters are not what the type says, or are called something unknown. */
const decoded = (bytes: Buffer, mediaType: string): string | undefined =>
  decodedText(bytes, charset.exec(mediaType)?.[1] ?? guessed(bytes));

/** Addresses with data in them come without their charset. UTF-16 has a mark, or zeros in every other place of most letters. */
function guessed(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (!bytes.includes(0)) return "utf-8";
  const zeros = [0, 0];
  bytes.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) * 4 < bytes.length || Math.min(even, odd) > 0) return "utf-8";
  return odd > 0 ? "utf-16le" : "utf-16be";
}
