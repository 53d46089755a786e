import { refuse, type Source } from "../../../core/index.ts";

export const isDataUrl = (url: string): boolean => url.slice(0, 5).toLowerCase() === "data:";

/** `data:<type>;base64,<data>`, as the bytes it holds; text as text, for formats that have text documents. */
export function readDataUrl(url: string, param: string): Source {
  const comma = url.indexOf(",");
  const [mediaType = "", ...parameters] = url.slice(5, Math.max(comma, 5)).split(";");
  if (comma < 0 || mediaType === "" || parameters.at(-1)?.toLowerCase() !== "base64")
    refuse(param, "an address, or data:<media type>;base64,<data>", url);
  return bytesSource(mediaType.toLowerCase(), url.slice(comma + 1));
}

export function bytesSource(mediaType: string, data: string): Source {
  if (mediaType.startsWith("text/")) {
    const text = Buffer.from(data, "base64").toString("utf8");
    if (toBase64(text) === data) return { kind: "text", text, mediaType };
  }
  return { kind: "data", data, mediaType };
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
