import { refuse, type Source, textOfBytes } from "../../../core/index.ts";

export const isDataUrl = (url: string): boolean => url.slice(0, 5).toLowerCase() === "data:";

/** `data:<type>;base64,<data>`, as the bytes it holds; text as text, for formats that have text documents. */
export function readDataUrl(url: string, param: string): Source {
  const comma = url.indexOf(",");
  const [mediaType = "", ...parameters] = url.slice(5, Math.max(comma, 5)).split(";");
  if (comma < 0 || mediaType === "" || parameters.at(-1)?.toLowerCase() !== "base64")
    refuse(param, "an address, or data:<media type>;base64,<data>", url);
  return bytesSource(mediaType.toLowerCase(), url.slice(comma + 1), parameters);
}

export function bytesSource(mediaType: string, data: string, parameters?: readonly string[]): Source {
  const text = mediaType.startsWith("text/") ? textOfBytes(data, parameters) : undefined;
  return text === undefined ? { kind: "data", data, mediaType } : { kind: "text", text, mediaType };
}

const toBase64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

/** Bytes or text as an address. */
export const dataUrl = (source: Extract<Source, { kind: "data" | "text" }>): string =>
  `data:${source.mediaType};base64,${source.kind === "data" ? source.data : toBase64(source.text)}`;

/** The name `input_audio.format` has for a media type. */
export function audioFormat(mediaType: string): string {
  const name = mediaType.slice(mediaType.indexOf("/") + 1);
  return audioNames[name] ?? name;
}
const audioNames: Readonly<Record<string, string>> = { mpeg: "mp3", "x-wav": "wav", wave: "wav", "x-flac": "flac" };
