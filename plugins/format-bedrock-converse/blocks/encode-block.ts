import {
  type AssistantPart,
  acceptedId,
  argumentsObject,
  type ContentPart,
  carriedOpaque,
  compact,
  type Fields,
  isRecord,
  isSignedElsewhere,
  isSignedFor,
  isVideo,
  type OpaquePart,
  readJson,
  type TextPart,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
  writeSignature,
} from "../../../core/index.ts";
import { formatName, isOwn, type Report, reportOthers, restore, signer, writtenIn } from "../fields.ts";
import type { CachePoints } from "./cache-point.ts";
import { encodeMedia, type Namer } from "./media.ts";
import { encodeFound } from "./search-result.ts";

/** What writing the blocks of one request needs to know. */
export interface BlockContext {
  readonly report: Report;
  readonly nameOf: Namer;
  readonly cachePoints: CachePoints;
  /** The request was written in this format. */
  readonly own: boolean;
  /** Who made the model, where its name says it. */
  readonly family: string;
  /** The model takes nothing of what was thought before. */
  readonly refusesThoughts: boolean;
}

/** Fields of the chat API's parts that have a place here. */
const carried: ReadonlySet<string> = new Set(["bucketOwner", "context"]);

const isBlank = (text: string): boolean => text.trim() === "";

/** A text; undefined for a blank one, which the vendor refuses. */
function encodeText(part: TextPart, report: Report): Fields | undefined {
  const { text, extra, citations } = part;
  reportOthers(extra, "messages.", report);
  const { searchResult } = writtenIn(extra);
  if (searchResult !== undefined) return encodeFound(searchResult, text);
  if (isBlank(text)) {
    if (text !== "") report("messages.text");
    if (!(isOwn(extra) && citations?.length)) return undefined;
  }
  if (isOwn(extra)) {
    if (isRecord(extra.fields.guardContent)) return { guardContent: { text: { ...extra.fields.guardContent, text } } };
    if (citations) return { citationsContent: { content: [{ text }], citations, ...extra.fields } };
  } else if (citations) report("messages.citations");
  return restore({ text }, extra);
}

/** What operators and people say; undefined for what is nothing here. */
export function encodeContent(part: ContentPart, path: string, context: BlockContext): Fields | undefined {
  const { report } = context;
  if (part.type === "opaque") return carriedOpaque(part, formatName, report);
  if (part.type === "text") return encodeText(part, report);
  reportOthers(part.extra, "messages.", report, carried);
  if (part.type === "image" && part.detail !== undefined && part.detail !== "auto") report("messages.image_url.detail");
  if (context.family === "anthropic" && !context.own && isHeard(part)) {
    report(`messages.${part.type === "audio" ? "audio" : "video"}`);
    return undefined;
  }
  return encodeMedia(part, path, context.nameOf);
}

/** Sounds and videos: Claudes take neither, and refuse every request of a conversation that has one. */
const isHeard = (part: Exclude<ContentPart, OpaquePart | TextPart>): boolean =>
  part.type === "audio" || (part.type === "document" && isVideo(part));

/** What models said before. */
export function encodeSaid(part: AssistantPart, path: string, context: BlockContext): Fields | undefined {
  const { report } = context;
  if (context.refusesThoughts && !context.own && (part.type === "thinking" || part.type === "redacted-thinking")) {
    if (part.type !== "thinking" || part.text !== "" || part.signature !== undefined) report("messages.thinking");
    return undefined;
  }
  switch (part.type) {
    case "thinking":
      reportOthers(part.extra, "messages.", report);
      return encodeThought(part, context);
    case "redacted-thinking":
      return { reasoningContent: { redactedContent: part.data } };
    case "refusal":
      reportOthers(part.extra, "messages.", report);
      return isBlank(part.text) ? undefined : { text: part.text };
    case "tool-call":
      reportOthers(part.extra, "messages.", report);
      return encodeToolUse(part, context);
    case "image":
    case "audio":
      // The vendor takes them of users only.
      if (context.own) return encodeContent(part, path, context);
      report(`messages.${part.type}`);
      return undefined;
    default:
      return encodeContent(part, path, context);
  }
}

/** A Claude refuses thinking without a signature of its own, other models signatures; who is unknown gets what there is. */
function encodeThought(part: ThinkingPart, { own, family, report }: BlockContext): Fields | undefined {
  const signs = family === "anthropic";
  const signed = isSignedFor(part, signer) && (signs || family === "");
  if (own ? !isSignedElsewhere(part, signer) : signed) return encodeThinking(part);
  const blank = isBlank(part.text);
  if (signs || part.signature !== undefined || (blank && part.text !== "")) report("messages.thinking");
  return signs || blank ? undefined : { reasoningContent: { reasoningText: { text: part.text } } };
}

/** With what stands for a signature where there is none. */
export function encodeThinking(part: ThinkingPart, without?: string): Fields {
  const signature = part.signature === undefined ? without : writeSignature(part, signer);
  return { reasoningContent: { reasoningText: restore(compact({ text: part.text, signature }), part.extra) } };
}

/** The arguments of a call as JSON; none at all are an empty object. Undefined when the text is no JSON. */
function parseArguments(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return readJson(text) ?? {};
  } catch {
    return undefined;
  }
}

/** An id as the vendor takes it; a client of this format has its own back. */
const idIn = (id: string, { own }: BlockContext): string => (own ? id : acceptedId(id, longestId));
export const longestId = 64;

function encodeToolUse(part: ToolCallPart, context: BlockContext): Fields {
  const input = (context.own ? parseArguments(part.arguments) : undefined) ?? argumentsObject(part.arguments);
  return toolUse({ id: idIn(part.id, context), name: part.name, ...(part.extra && { extra: part.extra }) }, input);
}

export const toolUse = ({ id, name, extra }: Pick<ToolCallPart, "id" | "name" | "extra">, input: unknown): Fields => ({
  toolUse: restore({ toolUseId: id, name, input }, extra),
});

/** A result. An empty text is illegal in it, an empty list is not. */
export function encodeToolResult(part: ToolResultPart, path: string, context: BlockContext): Fields[] {
  const { toolCallId, isError, extra, content } = part;
  reportOthers(extra, "messages.", context.report);
  const blocks = content.map((one, at) => encodeResultBlock(one, `${path}.content[${at}]`, context));
  const status = isError ? "error" : writtenIn(extra).status;
  const wire = compact({
    toolUseId: idIn(toolCallId, context),
    content: blocks.filter((block) => block !== undefined),
    status,
  });
  // There are no cache points inside a result: one that stands there is set behind it.
  const cache = part.cache ?? content.map((one) => ("cache" in one ? one.cache : undefined)).find(Boolean);
  return [{ toolResult: restore(wire, extra) }, ...context.cachePoints(cache, "messages.cache_control")];
}

function encodeResultBlock(part: ContentPart, path: string, context: BlockContext): Fields | undefined {
  if (part.type === "text" && writtenIn(part.extra).json === true) {
    const json = parseArguments(part.text);
    if (json !== undefined) return { json };
  }
  // Sounds are for messages; results have texts, images, documents and, but for Claudes, videos.
  if (part.type === "audio") {
    context.report("messages.tool_result.audio");
    return undefined;
  }
  return encodeContent(part, path, context);
}
