import type { DocumentPart } from "../../model/content.ts";

/** How names of files end, by the media type of what is in them. */
const endings: ReadonlyMap<string, string> = new Map([
  ["application/pdf", "pdf"],
  ["application/json", "json"],
  ["application/msword", "doc"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["application/vnd.ms-excel", "xls"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
  ["application/vnd.ms-powerpoint", "ppt"],
  ["application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"],
  ["application/rtf", "rtf"],
  ["text/csv", "csv"],
  ["text/html", "html"],
  ["text/markdown", "md"],
  ["text/xml", "xml"],
  ["application/xml", "xml"],
]);

const hasEnding = /\.[A-Za-z0-9]{1,8}$/;

/**
 * The name of a file with these bytes: vendors want one, and go by its ending, which names of other formats do not have
 * (`Q3 report`) or cannot.
 */
export function fileNameFor(name: string | undefined, mediaType: string): string {
  if (name !== undefined && hasEnding.test(name)) return name;
  const type = mediaType.toLowerCase().split(";", 1)[0] as string;
  const ending = endings.get(type) ?? (type.startsWith("text/") ? "txt" : /^\w+\/([a-z]{2,5})$/.exec(type)?.[1]);
  return ending === undefined ? (name ?? "document") : `${name ?? "document"}.${ending}`;
}

/** Whether what has this media type is text, and can be said as such where no files are taken. */
export const isTextType = (mediaType: string): boolean =>
  /^(?:text\/|application\/(?:[\w.]+\+)?(?:json|xml|yaml)(?:;|$))/i.test(mediaType);

/** Whether a document is a video, by its type or, where it has none, by its address. */
export const isVideo = ({ source }: DocumentPart): boolean =>
  "mediaType" in source && source.mediaType !== undefined
    ? source.mediaType.startsWith("video/")
    : source.kind === "url" && (isYouTube(source.url) || videoAddress.test(source.url));

/** Whether what is there is a video of YouTube: Google's models watch it, and nobody else can. */
export const isYouTube = (url: string): boolean =>
  /^https?:\/\/(?:(?:www|m|music)\.)?(?:youtube(?:-nocookie)?\.com|youtu\.be)\//i.test(url);

const videoAddress = /\.(?:mp4|mov|mpe?g|avi|wmv|flv|webm|mkv|3gp)(?:[?#]|$)/i;
