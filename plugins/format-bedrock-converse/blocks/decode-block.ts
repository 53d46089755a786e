import {
  type AssistantPart,
  type CacheMarker,
  type ContentPart,
  type Fields,
  type InstructionPart,
  isRecord,
  leftovers,
  type OpaquePart,
  objectAt,
  type RedactedThinkingPart,
  readSignature,
  type TextPart,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
  textAt,
  writeJson,
} from "../../../core/index.ts";
import { extraOf, formatName, listAt, signer } from "../fields.ts";
import { decodeMedia } from "./media.ts";
import { decodeSearchResult } from "./search-result.ts";

const textFields = new Set(["text"]);
const toolUseFields = new Set(["toolUseId", "name", "input"]);
const toolResultFields = new Set(["toolUseId", "content", "status"]);
const reasoningFields = new Set(["text", "signature"]);
const guardFields = new Set(["text"]);
const citedFields = new Set(["content", "citations"]);

export type AnyPart = ContentPart | AssistantPart | ToolResultPart;

/**
 * The blocks of a message, each with the cache point behind it. A point with nothing before it, and a second one, are
 * kept as what they are.
 */
export function decodeBlocks<Part extends AnyPart>(
  blocks: unknown,
  path: string,
  decode: (block: Readonly<Fields>, path: string) => Part,
): (Part | OpaquePart)[] {
  const parts: (Part | OpaquePart)[] = [];
  const list = listAt(blocks, path);
  for (let at = 0; at < list.length; at++) {
    const place = `${path}[${at}]`;
    const block = objectAt(list[at], place);
    const last = parts.at(-1);
    const cache = cacheIn(block);
    if (cache && last && last.type !== "opaque" && !last.cache)
      parts[parts.length - 1] = Object.assign({}, last, { cache });
    else parts.push(cache ? opaque(block) : decode(block, place));
  }
  return parts;
}

/** `{cachePoint: {type: "default", ttl}}`; points of another type are none that other formats know. */
export function cacheIn(block: Readonly<Fields>): CacheMarker | undefined {
  const { cachePoint: point } = block;
  if (!isRecord(point) || point.type !== "default" || Object.keys(block).length > 1) return undefined;
  const { ttl } = point;
  return typeof ttl === "string" ? { ttl } : {};
}

const opaque = (value: unknown): OpaquePart => ({ type: "opaque", format: formatName, value });

/** What people and tools say. */
export function decodeContent(block: Readonly<Fields>, path: string): ContentPart {
  if (block.text !== undefined) return decodeText(block, path);
  return decodeGuarded(block) ?? decodeSearchResult(block) ?? decodeMedia(block) ?? opaque(block);
}

export const decodeText = (block: Readonly<Fields>, path: string): TextPart => ({
  type: "text",
  text: textAt(block.text, `${path}.text`),
  ...extraOf(leftovers(block, textFields)),
});

/** Text that a guardrail looks at is text; the block it stands in comes back around it. */
function decodeGuarded({ guardContent: guarded }: Readonly<Fields>): TextPart | undefined {
  if (!isRecord(guarded) || !isRecord(guarded.text) || typeof guarded.text.text !== "string") return undefined;
  const { text } = guarded.text;
  return { type: "text", text, ...extraOf({ guardContent: leftovers(guarded.text, guardFields) ?? {} }) };
}

/** Instructions: texts, and blocks only this format has. */
export function decodeInstruction(block: Readonly<Fields>, path: string): InstructionPart {
  if (block.text !== undefined) return decodeText(block, path);
  return decodeGuarded(block) ?? opaque(block);
}

/** What models say, in a request or an answer. */
export function decodeSaid(block: Readonly<Fields>, path: string): AssistantPart {
  if (isRecord(block.toolUse)) return isServed(block.toolUse) ? opaque(block) : decodeToolUse(block.toolUse, path);
  const thought = decodeReasoning(block) ?? decodeCited(block);
  if (thought) return thought;
  const said = decodeContent(block, path);
  // Models show images and sounds; a document of theirs is known to this format only.
  return said.type === "document" ? opaque(block) : said;
}

/** Whether a tool is the vendor's own, such as `nova_grounding`, and was called by it: no client has anything to call. */
export const isServed = ({ type }: Readonly<Fields>): boolean => type === "server_tool_use";

function decodeToolUse(wire: Readonly<Fields>, path: string): ToolCallPart {
  const { toolUseId, name, input = {} } = wire;
  return {
    type: "tool-call",
    id: textAt(toolUseId, `${path}.toolUse.toolUseId`),
    name: textAt(name, `${path}.toolUse.name`),
    arguments: writeJson(input ?? {}),
    ...extraOf(leftovers(wire, toolUseFields)),
  };
}

/** Signatures and redacted content are the vendor's, and stay as they are. */
function decodeReasoning({
  reasoningContent: wire,
}: Readonly<Fields>): ThinkingPart | RedactedThinkingPart | undefined {
  if (!isRecord(wire)) return undefined;
  if (typeof wire.redactedContent === "string") return { type: "redacted-thinking", data: wire.redactedContent };
  const { reasoningText: said } = wire;
  if (!isRecord(said) || typeof said.text !== "string") return undefined;
  const { text, signature } = said;
  return {
    type: "thinking",
    text,
    ...(typeof signature === "string" && readSignature(signature, signer)),
    ...extraOf(leftovers(said, reasoningFields)),
  };
}

/** `citationsContent`: texts with where they come from. */
function decodeCited({ citationsContent: wire }: Readonly<Fields>): TextPart | undefined {
  if (!isRecord(wire) || !Array.isArray(wire.content)) return undefined;
  const texts = wire.content.map((one) => (isRecord(one) && typeof one.text === "string" ? one.text : undefined));
  if (texts.includes(undefined)) return undefined;
  const citations: readonly unknown[] = Array.isArray(wire.citations) ? wire.citations : [];
  return {
    type: "text",
    text: texts.join(""),
    citations,
    extra: { format: formatName, fields: leftovers(wire, citedFields) ?? {} },
  };
}

export function decodeToolResult(wire: Readonly<Fields>, path: string): ToolResultPart {
  const { toolUseId, content, status } = wire;
  const place = `${path}.content`;
  const blocks = content === undefined || content === null ? [] : listAt(content, place);
  return {
    type: "tool-result",
    toolCallId: textAt(toolUseId, `${path}.toolUseId`),
    content: blocks.map((block, at) => decodeResultBlock(objectAt(block, `${place}[${at}]`), `${place}[${at}]`)),
    ...(status === "error" && { isError: true }),
    ...extraOf(leftovers(wire, toolResultFields), status === "success" ? { status } : undefined),
  };
}

/** Other formats know no JSON in results: it is shown as its text. */
function decodeResultBlock(block: Readonly<Fields>, path: string): ContentPart {
  if (block.json !== undefined && Object.keys(block).length === 1)
    return { type: "text", text: writeJson(block.json), ...extraOf(undefined, { json: true }) };
  return decodeContent(block, path);
}
