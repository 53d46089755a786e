import { isYouTube, lookUp } from "../../core/index.ts";

/**
 * Media types by the extension of an address (providers.md section 7.3, inference-api.md section 7.2; what models from Gemini 4 on read of
 * Microsoft's and OpenDocument's).
 */
const byExtension: Readonly<Record<string, string>> = {
  mp4: "video/mp4",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  bmp: "image/bmp",
  tiff: "image/tiff",
  webp: "image/webp",
  heic: "image/heic",
  heif: "image/heif",
  pdf: "application/pdf",
  csv: "text/csv",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  dotx: "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
  ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  odp: "application/vnd.oasis.opendocument.presentation",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odt: "application/vnd.oasis.opendocument.text",
  html: "text/html",
  md: "text/markdown",
  mp3: "audio/mp3",
  wav: "audio/wav",
  txt: "text/plain",
  mov: "video/mov",
  mpeg: "video/mpeg",
  mpg: "video/mpg",
  avi: "video/avi",
  wmv: "video/wmv",
  mpegps: "video/mpegps",
  flv: "video/flv",
  webm: "video/webm",
  mkv: "video/mkv",
  threegpp: "video/three_gpp",
  "3gp": "video/3gpp",
  opus: "audio/opus",
  flac: "audio/flac",
  pcm: "audio/pcm",
  aac: "audio/aac",
  m4a: "audio/m4a",
  mpga: "audio/mpga",
  ogg: "audio/ogg",
};

/** Kinds of media whose addresses do not say what they are. An image without a type is the vendor's to look at. */
const usual = { image: undefined, audio: "audio/mp3", document: "application/pdf" } as const;

/** The media type of what is at an address, as far as the address tells. */
export function mediaTypeOf(url: string, kind: keyof typeof usual): string | undefined {
  // Vertex AI wants a type, and takes this one for whatever it shows.
  if (isYouTube(url)) return "video/mp4";
  const [path = ""] = url.split(/[?#]/);
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase();
  return (extension === undefined ? undefined : lookUp(byExtension, extension)) ?? usual[kind];
}

/** What other formats call types this API has another name for. */
const spelled: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "audio/pcm16": "audio/pcm",
  "audio/x-aac": "audio/aac",
  "audio/x-m4a": "audio/m4a",
};

export const spelledHere = (mediaType: string): string => lookUp(spelled, mediaType) ?? mediaType;

export function kindOf(mediaType: string | undefined): keyof typeof usual {
  if (mediaType === undefined || mediaType.startsWith("image/")) return "image";
  return mediaType.startsWith("audio/") ? "audio" : "document";
}
