import {
  type AssistantPart,
  acceptedId,
  argumentsObject,
  type ContentPart,
  carriedOpaque,
  compact,
  type DocumentPart,
  type Fields,
  type ImagePart,
  isSignedFor,
  isVideo,
  lookUp,
  type OpaquePart,
  type Source,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
} from "../../../core/index.ts";
import { encodeCache, formatName, listOf, type Report, reportOthers, restore } from "../fields.ts";
import { ownCitations, provenCitations } from "./citations.ts";
import { passageFrom, withoutPassage } from "./encode-passage.ts";
import { isRanElsewhere } from "./ran-code.ts";

/** Parts of instructions, of a user turn or of a tool result as blocks. */
export function encodeContent(parts: readonly ContentPart[], report: Report): Fields[] {
  const blocks: Fields[] = [];
  let passed = 0;
  for (const [at, part] of parts.entries()) {
    if (at < passed) continue;
    const passage = passageFrom(parts, at);
    passed = at + (passage?.length ?? 1);
    blocks.push(...listOf(passage?.block ?? encodePart(part, report)));
  }
  return blocks;
}

function encodePart(part: ContentPart, report: Report): Fields | undefined {
  if (part.type !== "opaque") reportOthers(part.extra, "messages.", report);
  switch (part.type) {
    case "text":
      return encodeText(withoutPassage(part, report), report);
    case "image":
      return encodeImage(withoutPassage(part, report), report);
    case "document":
      return encodeDocument(part, report);
    case "audio":
      report("messages.audio");
      return undefined;
    case "opaque":
      return encodeOpaque(part, report);
  }
}

/** Parts of an assistant turn as blocks. */
export const encodeAssistant = (parts: readonly AssistantPart[], report: Report): Fields[] =>
  parts.flatMap((part) => listOf(encodeSaid(part, report)));

function encodeSaid(part: AssistantPart, report: Report): Fields | undefined {
  if (part.type !== "opaque") reportOthers(part.extra, "messages.", report);
  switch (part.type) {
    case "text":
      return encodeText(part, report);
    case "refusal":
      return encodeText({ ...part, type: "text" }, report);
    case "thinking":
      // Without its signature thinking is refused by the API, and with another vendor's: better gone than fatal.
      if (isSignedFor(part, formatName))
        return restore({ type: "thinking", thinking: part.text, signature: part.signature }, part.extra);
      report("messages.thinking");
      return undefined;
    case "tool-call":
      return encodeToolCall(part);
    case "redacted-thinking":
      return restore({ type: "redacted_thinking", data: part.data }, part.extra);
    case "opaque":
      return encodeOpaque(part, report);
    case "image":
    case "audio":
      report(`messages.${part.type}`);
      return undefined;
  }
}

/**
 * The API refuses empty text blocks, and messages of which all text is white space: models of other vendors say line ends
 * before they call a tool, and tools print nothing else.
 */
function encodeText(part: TextPart, report: Report): Fields | undefined {
  const own = ownCitations(part);
  const proven = own && provenCitations(own);
  if (part.citations && proven?.length !== part.citations.length) report("messages.citations");
  const citations = proven && proven.length === 0 && own.length > 0 ? undefined : proven;
  if (!visible.test(part.text)) {
    if (part.text !== "") report("messages.text");
    return undefined;
  }
  return restore(
    { type: "text", text: part.text, ...(citations && { citations }), ...encodeCache(part.cache) },
    part.extra,
  );
}

const visible = /\S/;

export function encodeToolResult(part: ToolResultPart, report: Report): Fields {
  reportOthers(part.extra, "messages.", report);
  const content = encodeContent(part.content, report);
  return restore(
    Object.assign(
      compact({
        type: "tool_result",
        tool_use_id: acceptedId(part.toolCallId),
        content: content.length > 0 ? shortened(content) : undefined,
        is_error: part.isError,
      }),
      encodeCache(part.cache),
    ),
    part.extra,
  );
}

/** One plain text block is written as a string. */
export function shortened(content: readonly Fields[]): string | readonly Fields[] {
  const [only] = content;
  const plain = content.length === 1 && only?.type === "text" && Object.keys(only).length === 2;
  return plain && typeof only.text === "string" ? only.text : content;
}

function encodeToolCall(part: ToolCallPart): Fields {
  const { id, name, arguments: text, cache, extra } = part;
  const input = argumentsObject(text);
  return restore({ type: "tool_use", id: acceptedId(id), name, input, ...encodeCache(cache) }, extra);
}

function encodeImage(part: ImagePart, report: Report): Fields | undefined {
  const { source, cache, extra, detail } = part;
  if (source.kind === "data" && source.mediaType === "application/pdf")
    return encodeDocument({ type: "document", source, ...(cache && { cache }), ...(extra && { extra }) }, report);
  if (source.kind === "text" || isElsewhere(source)) {
    report("messages.image");
    return undefined;
  }
  if (detail !== undefined && detail !== "auto") report("messages.image_url.detail");
  return restore({ type: "image", source: encodeSource(source), ...encodeCache(cache) }, extra);
}

/** Documents are PDF only; text of any kind has a source of its own, and videos have none. */
function encodeDocument(part: DocumentPart, report: Report): Fields | undefined {
  const { source, name, cache, extra } = part;
  const shown = asText(source);
  if ((shown.kind === "data" && shown.mediaType !== "application/pdf") || isVideo(part) || isElsewhere(shown)) {
    report("messages.document");
    return undefined;
  }
  return restore(
    Object.assign(compact({ type: "document", source: encodeSource(shown), title: name }), encodeCache(cache)),
    extra,
  );
}

/** The vendor fetches from the web, and not from the storage of clouds. */
const isElsewhere = (source: Source): boolean =>
  source.kind === "url" && /^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(source.url);

const asText = (source: Source): Source =>
  source.kind === "data" && source.mediaType.startsWith("text/")
    ? { kind: "text", text: Buffer.from(source.data, "base64").toString("utf8"), mediaType: source.mediaType }
    : source;

/** What others call types the API has one name for. */
const mediaTypes: Readonly<Record<string, string>> = { "image/jpg": "image/jpeg" };

function encodeSource(source: Source): Fields {
  switch (source.kind) {
    case "data":
      return {
        type: "base64",
        media_type: lookUp(mediaTypes, source.mediaType) ?? source.mediaType,
        data: source.data,
      };
    case "text":
      // The only media type this source may name, whatever the text is.
      return { type: "text", media_type: "text/plain", data: source.text };
    case "url":
      return { type: "url", url: source.url };
    case "file":
      return { type: "file", file_id: source.fileId };
  }
}

const encodeOpaque = (part: OpaquePart, report: Report): Fields | undefined =>
  carriedOpaque(part, formatName, report, isRanElsewhere);
