import type { Source } from "../../../core/index.ts";

/** Types of files that are text, whatever they are sent as. */
const isText = (mediaType: string): boolean =>
  /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|javascript|sql)\b/i.test(mediaType);

/** What stands in a document; undefined where that is no text, or somewhere else. */
export function readSource(source: Source): string | undefined {
  if (source.kind === "text") return source.text;
  if (source.kind !== "data" || !isText(source.mediaType)) return undefined;
  return Buffer.from(source.data, "base64").toString("utf8");
}

/** The document with another text in it. */
export function writeSource(source: Source, text: string): Source {
  if (source.kind === "text") return { ...source, text };
  if (source.kind !== "data" || !isText(source.mediaType)) return source;
  return { ...source, data: Buffer.from(text, "utf8").toString("base64") };
}
