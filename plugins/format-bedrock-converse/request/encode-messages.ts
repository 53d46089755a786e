import {
  type AssistantPart,
  type ChatRequest,
  type ContentPart,
  type Fields,
  isInstruction,
  joined,
  type Message,
  refuseSilence,
  type SystemMessage,
  withoutLastThoughts,
  withUniqueIds,
  withUserTurn,
} from "../../../core/index.ts";
import { cachePointsFor } from "../blocks/cache-point.ts";
import { type BlockContext, encodeContent, encodeSaid, encodeToolResult } from "../blocks/encode-block.ts";
import { isOwn, type Report, reportOthers, restore, signer } from "../fields.ts";
import { familyOf, refusesThoughts } from "../model-family.ts";

/** A wire message while it is being put together. */
interface Turn {
  readonly role: "user" | "assistant" | "system";
  readonly content: Fields[];
  rest: Fields;
}

export interface EncodedMessages {
  readonly system: readonly Fields[];
  readonly messages: readonly Fields[];
}

/** Said beside a document, which the vendor refuses to look at without a word. */
const wordBesideDocument = "See the document.";

/** Said before a model that spoke first: the vendor refuses conversations that do not begin with the user. */
const opening = (): Turn => ({ role: "user", content: [{ text: "…" }], rest: {} });

/** The vendor wants roles to alternate: neighbours of one role are one turn, tool results with the user's words. */
export function encodeMessages(request: ChatRequest, report: Report): EncodedMessages {
  const own = isOwn(request.extra);
  const messages = own ? request.messages : withUniqueIds(withUserTurn(request.messages, signer));
  const context: BlockContext = {
    report,
    nameOf: namer(),
    cachePoints: cachePointsFor(request, report),
    own,
    family: familyOf(request.model),
    refusesThoughts: refusesThoughts(request.model),
  };
  const system: Fields[] = [];
  const turns: Turn[] = [];
  const said = new Set<number>();
  for (const [at, message] of messages.entries()) {
    reportOthers(message.extra, "messages.", report);
    if ("name" in message && message.name !== undefined) report("messages.name");
    const path = `messages[${at}].content`;
    const blocks = blocksIn(message, path, context);
    if (isInstruction(message)) {
      if (!isOwn(message.extra)) system.push(...blocks);
      else if (blocks.length > 0) turns.push({ role: "system", content: blocks, rest: restore({}, message.extra) });
    } else {
      if (blocks.length > 0) said.add(at);
      if (!own && turns.length === 0 && message.role === "assistant" && blocks.length > 0) turns.push(opening());
      addTurn(turns, message, blocks);
    }
  }
  refuseSilence(messages, said);
  return { system, messages: turns.map(encodeTurn) };
}

/** The blocks of parts, with the cache points behind them. */
function encodeEach<Part extends ContentPart | AssistantPart>(
  parts: readonly Part[],
  path: string,
  context: BlockContext,
  encode: (part: Part, path: string, context: BlockContext) => Fields | undefined,
): Fields[] {
  const blocks: Fields[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as Part;
    const block = encode(part, `${path}[${at}]`, context);
    if (!block) continue;
    blocks.push(block);
    if ("cache" in part && part.cache)
      for (const point of context.cachePoints(part.cache, "messages.cache_control")) blocks.push(point);
  }
  return blocks;
}

function blocksIn(message: Message, path: string, context: BlockContext): Fields[] {
  switch (message.role) {
    case "system":
    case "developer":
    case "user":
      return encodeEach<ContentPart>(message.content, path, context, encodeContent);
    case "assistant": {
      const blocks = encodeEach(message.content, path, context, encodeSaid);
      const endsSpoken = context.family === "anthropic" && !context.own;
      return endsSpoken ? withoutLastThoughts(blocks, isThought, context.report) : blocks;
    }
    case "tool":
      return message.content.flatMap((part, at) => encodeToolResult(part, `${path}[${at}]`, context));
  }
}

const isThought = (block: Fields): boolean => block.reasoningContent !== undefined;

function addTurn(turns: Turn[], message: Exclude<Message, SystemMessage>, blocks: readonly Fields[]): void {
  // A turn of which nothing is left is none, and its neighbours become one.
  if (blocks.length === 0) return;
  const role = message.role === "assistant" ? "assistant" : "user";
  const rest = restore({}, message.extra);
  const last = turns.at(-1);
  if (last?.role === role) {
    last.content.push(...blocks);
    last.rest = joined(last.rest, rest);
  } else turns.push({ role, content: [...blocks], rest });
}

function encodeTurn({ role, content, rest }: Turn): Fields {
  const wordless =
    role === "user" &&
    content.some(({ document }) => document) &&
    !content.some(({ text, toolResult }) => text ?? toolResult);
  return { role, content: wordless ? [...content, { text: wordBesideDocument }] : content, ...rest };
}

/**
 * Names for the documents of a request. The vendor wants each to have one, of letters, digits, single spaces, hyphens,
 * parentheses and brackets, and none of them twice.
 */
function namer(): (name: string | undefined) => string {
  const given = new Set<string>();
  return (name) => {
    const plain = clean(name ?? "") || "document";
    let unique = name === undefined || given.has(plain) ? `${plain}-${given.size + 1}` : plain;
    while (given.has(unique)) unique += "-1";
    given.add(unique);
    return unique;
  };
}

/** Without the extension that repeats the format, and without what the vendor refuses. */
const clean = (name: string): string =>
  name
    .replace(/\.[A-Za-z0-9]{1,5}$/, "")
    .replace(/[^A-Za-z0-9\s\-()[\]]+/g, "-")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 200);
