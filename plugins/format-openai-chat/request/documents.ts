import {
  type DocumentPart,
  type Fields,
  fileNameFor,
  type ImagePart,
  isTextType,
  isVideo,
  type Source,
} from "../../../core/index.ts";
import { fieldsOf, isOwn, spellingOf } from "../extra.ts";
import { addressed } from "./mistrals-words.ts";
import { address, toBase64, typed } from "./sources.ts";
import type { Report, Vendor } from "./vendor.ts";

/** What a client of this format wrote comes back as it was; of others it is written what the format has a word for. */
export function encodeDocument(part: DocumentPart, report: Report, vendor: Vendor | undefined): Fields | undefined {
  const spelling = isOwn(part.extra) ? spellingOf(part.extra) : undefined;
  if (spelling === undefined || (spelling === addressed && hasUsualWords(part, vendor)))
    return othersDocument(part, report, vendor);
  return ownDocument(part);
}

/** Whether a vendor is known to take what Mistral's clients show it in the words of everybody else; others may be hosts of Mistral's models. */
function hasUsualWords({ source }: DocumentPart, vendor: Vendor = { exact: true }): boolean {
  if (vendor.attachments?.includes("document-url")) return true;
  return vendor.exact === true && source.kind === "data" && source.mediaType === pdf;
}

/** An image that a client of this format showed as a file; undefined of others. */
export const imageFile = (part: ImagePart): Fields | undefined =>
  fileSpellings.has(spellingOf(part.extra)) ? ownDocument({ ...part, type: "document" }) : undefined;

/** How clients write files; an image says one of them, or it was written as an image. */
const fileSpellings: ReadonlySet<string | undefined> = new Set([
  ...["unnamed", "named", "typed"],
  ...["raw", "raw-typed", "address"],
]);

function ownDocument(part: DocumentPart): Fields {
  const { source, name, extra } = part;
  const { inner, outer } = fieldsOf(extra);
  switch (spellingOf(extra)) {
    case "image_url":
      return { type: "image_url", image_url: { url: address(source), ...typed(source), ...inner }, ...outer };
    case addressed:
      return { type: addressed, document_url: address(source), ...(name && { document_name: name }), ...outer };
    default:
      return { type: "file", file: { ...ownFile(part), ...inner }, ...outer };
  }
}

function ownFile({ source, name, extra }: DocumentPart): Fields {
  const filename = name === undefined ? {} : { filename: name };
  switch (source.kind) {
    case "file":
      return {
        file_id: source.fileId,
        ...(source.mediaType !== undefined && { mime_type: source.mediaType }),
        ...filename,
      };
    case "url":
      return { file_url: source.url, ...typed(source), ...filename };
    default: {
      const spelling = spellingOf(extra);
      if (spelling !== "raw" && spelling !== "raw-typed") return { file_data: address(source), ...filename };
      const data = source.kind === "data" ? source.data : toBase64(source.text);
      return { file_data: data, ...(spelling === "raw-typed" && { mime_type: source.mediaType }), ...filename };
    }
  }
}

/**
 * The namesake of this format takes PDFs, as bytes: "To use text from a file in Chat Completions, read the file in your
 * application and send its contents as a text content part" (guides/file-inputs). What else a vendor takes it says.
 */
function othersDocument(part: DocumentPart, report: Report, vendor: Vendor | undefined): Fields | undefined {
  const { source, name } = part;
  const { inner, outer } = fieldsOf(part.extra);
  const takes = (kind: NonNullable<Vendor["attachments"]>[number]) => vendor?.attachments?.includes(kind) === true;
  const named = name === undefined ? {} : { filename: name };
  const file = (said: Fields): Fields => ({ type: "file", file: { ...said, ...inner }, ...outer });
  if (source.kind === "file") return file({ file_id: source.fileId, ...named });
  const text = textOf(source);
  if (text !== undefined) return { type: "text", text: name === undefined ? text : `${name}\n\n${text}` };
  if (isVideo(part)) {
    if (takes("video")) return { type: "video_url", video_url: { url: address(source) } };
    report("messages.video");
    return undefined;
  }
  if (source.kind === "url" && takes("document-url")) return file({ file_url: source.url, ...typed(source), ...named });
  if (source.kind === "data" && (source.mediaType === pdf || takes("document")))
    return file({ file_data: address(source), filename: fileNameFor(name, source.mediaType) });
  report("messages.document");
  return undefined;
}

const pdf = "application/pdf";

/** What a document says, where it is text; formats that have no text documents hold it as bytes. */
function textOf(source: Source): string | undefined {
  if (source.kind === "text") return source.text;
  if (source.kind !== "data" || !isTextType(source.mediaType)) return undefined;
  const text = Buffer.from(source.data, "base64").toString("utf8");
  return toBase64(text) === source.data ? text : undefined;
}
