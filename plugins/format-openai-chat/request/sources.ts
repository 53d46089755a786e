import { type Fields, refuse, type Source, textOfBytes } from "../../../core/index.ts";

interface DataUrl {
  readonly mediaType: string;
  readonly data: string;
  /** What the address says of the type: `charset=…`. */
  readonly parameters?: readonly string[];
}

export const isDataUrl = (url: string): boolean => url.slice(0, 5).toLowerCase() === "data:";

/** As `parsedDataUrl` does; other data is refused. */
export const readDataUrl = (url: string, param: string): DataUrl =>
  parsedDataUrl(url) ?? refuse(param, "an address, or data:<media type>;base64,<data>", url);

/** `data:<type>;base64,<data>`. Parameters of the type (`;charset=…`) are no part of it: vendors compare it as a whole. */
export function parsedDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(",");
  const head = comma < 0 ? url : url.slice(5, comma);
  const [mediaType = "", ...parameters] = head.split(";");
  if (comma < 0 || mediaType === "" || parameters.at(-1)?.toLowerCase() !== "base64") return undefined;
  return { mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1), parameters };
}

export const dataUrl = (mediaType: string, data: string): string => `data:${mediaType};base64,${data}`;

/** The bytes of a document: as text when they are text, so that formats with text documents can say so. */
export function bytesSource({ mediaType, data, parameters }: DataUrl): Source {
  const text = mediaType.startsWith("text/") ? textOfBytes(data, parameters) : undefined;
  return text === undefined ? { kind: "data", data, mediaType } : { kind: "text", text, mediaType };
}

export const toBase64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

/** The name `input_audio.format` has for a media type. */
export function audioFormat(mediaType: string): string {
  const name = mediaType.slice(mediaType.indexOf("/") + 1);
  return audioNames[name] ?? name;
}
const audioNames: Readonly<Record<string, string>> = { mpeg: "mp3", "x-wav": "wav", wave: "wav", "x-flac": "flac" };

/** Where a source is, in one string. */
export function address(source: Source): string {
  switch (source.kind) {
    case "url":
      return source.url;
    case "data":
      return dataUrl(source.mediaType, source.data);
    case "text":
      return dataUrl(source.mediaType, toBase64(source.text));
    case "file":
      return source.fileId;
  }
}

/** The type of what is at an address, where the client said it. */
export const typed = (source: Source): Fields =>
  source.kind === "url" && source.mediaType !== undefined ? { mime_type: source.mediaType } : {};
