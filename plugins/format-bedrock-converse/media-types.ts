import { lookUp } from "../../core/index.ts";

export type MediaKind = "image" | "document" | "video" | "audio";

/** Formats by the media types other formats have for them; what is not here is called by its subtype. */
const named: Readonly<Record<MediaKind, Readonly<Record<string, string>>>> = {
  image: { "image/jpg": "jpeg" },
  document: {
    "application/msword": "doc",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.ms-excel": "xls",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/pdf": "pdf",
    "text/csv": "csv",
    "text/html": "html",
    "text/plain": "txt",
    "text/markdown": "md",
    "application/json": "txt",
  },
  video: { "video/quicktime": "mov", "video/x-matroska": "mkv", "video/3gpp": "three_gp", "video/x-ms-wmv": "wmv" },
  audio: {
    "audio/x-m4a": "m4a",
    "audio/x-wav": "wav",
    "audio/wave": "wav",
    "audio/x-flac": "flac",
    "audio/pcm16": "pcm",
    "audio/l16": "pcm",
  },
};

/** The types of formats that have another name, where a format stands for more than one. */
const typed: Readonly<Record<MediaKind, Readonly<Record<string, string>>>> = {
  image: {},
  document: {
    ...Object.fromEntries(Object.entries(named.document).map(([type, format]) => [format, type])),
    txt: "text/plain",
  },
  video: { mov: "video/quicktime", mkv: "video/x-matroska", three_gp: "video/3gpp" },
  audio: {},
};

/** `image/png` is `png`, `application/pdf` is `pdf` (providers.md section 9.3). Text of any other kind is `txt`. */
export function formatOf(kind: MediaKind, mediaType: string): string {
  const [type = ""] = mediaType.toLowerCase().split(";");
  const known = lookUp(named[kind], type);
  if (known !== undefined) return known;
  return kind === "document" && type.startsWith("text/") ? "txt" : type.slice(type.indexOf("/") + 1);
}

/** The media type of a format. */
export const mediaTypeOf = (kind: MediaKind, format: string): string =>
  lookUp(typed[kind], format) ?? `${kind === "document" ? "application" : kind}/${format}`;

/** What an address says about what is there, for those that come without a type. */
export function kindOf(mediaType: string): MediaKind {
  const [top] = mediaType.split("/");
  return top === "image" || top === "video" || top === "audio" ? top : "document";
}

const videoFormats = new Set(["mkv", "mov", "mp4", "webm", "flv", "mpeg", "mpg", "wmv", "three_gp", "avi"]);
const imageFormats = new Set(["jpeg", "jpg", "png", "bmp", "tiff", "webp", "gif"]);
const spelledOut: Readonly<Record<string, string>> = { jpg: "jpeg", htm: "html", "3gp": "three_gp" };

/** The format that the extension of an address names; undefined where it names none. */
function formatIn(uri: string): string | undefined {
  const extension = /\.([a-z0-9_]+)$/i.exec(uri)?.[1]?.toLowerCase();
  return extension === undefined ? undefined : (lookUp(spelledOut, extension) ?? extension);
}

/** What is at an address, by its extension; undefined where it has none. What is said to be a sound is one. */
export function inAddress(uri: string, isSound = false): { kind: MediaKind; format: string } | undefined {
  const format = formatIn(uri);
  if (format === undefined) return undefined;
  if (isSound) return { kind: "audio", format };
  if (imageFormats.has(format)) return { kind: "image", format };
  return { kind: videoFormats.has(format) ? "video" : "document", format };
}
