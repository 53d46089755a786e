import {
  extraIn,
  type Fields,
  isDone,
  isRecord,
  leftovers,
  parseFrame,
  raise,
  readErrorBody,
  type StartChunk,
  type StreamChunk,
  type StreamDecoder,
  TextFrames,
  type ThinkingDelta,
  withTier,
} from "../../../core/index.ts";
import { extraOf, formatName } from "../extra.ts";
import { reasoningFields, thoughtOf } from "../request/decode-blocks.ts";
import { citationsIn } from "../response/annotations.ts";
import { takeDrawn } from "../response/drawn-images.ts";
import { decodeFinishReason } from "../response/finish-reason.ts";
import { moderation as moderated } from "../response/moderation.ts";
import { isOfTool } from "../response/several-messages.ts";
import { hasRunTools, usageWith } from "../response/usage.ts";
import { decodeBlockDeltas, wholeBlock } from "./decode-blocks.ts";
import { choiceOf, type OpenChoice, partOf } from "./open-choice.ts";
import { failedIn, isError, isWord, usageIn } from "./stream-end.ts";

const none: readonly StreamChunk[] = [];
const deltaFields = new Set(["role", "content", "content_blocks", "content_parts", "refusal", "tool_calls"]);
const choiceFields = new Set(["index", "delta", "message", "logprobs", "finish_reason", "usage"]);
const headFields = new Set([
  "id",
  "object",
  "created",
  "model",
  "provider",
  "choices",
  "moderation",
  "usage",
  "obfuscation",
  "error",
]);

/** Those of a frame whose moderation is nothing that is known. */
const otherHeadFields = new Set([...headFields].filter((name) => name !== "moderation"));

/**
 * head frame → (delta frames)* → a finish reason per choice → moderation? → usage? → [DONE]?
 *
 * Complete is an answer all of whose choices have a finish reason, with or without `[DONE]`; or, when `[DONE]` came,
 * one with at least one. A stream in which no choice ever appeared is truncated: it holds no answer.
 */
export function decodeStream(): StreamDecoder {
  const choices = new Map<number, OpenChoice>();
  const alike = new TextFrames(contentOf);
  let head: Omit<StartChunk, "type"> = {};
  let tier: unknown;
  let ranTools = false;
  let started = false;
  let terminated = false;
  /** The counts of the whole came by themselves behind the last finish reason: some vendors send no `[DONE]`. Counts in a frame of a choice may be those so far. */
  let counted = false;
  let failed = false;

  const isFinished = (): boolean => {
    const all = [...choices.values()];
    if (all.length === 0) return false;
    return terminated ? all.some((choice) => choice.finished) : all.every((choice) => choice.finished);
  };
  /** Frames before the first choice (Azure's content filter results) have no id yet: the start waits for one. */
  const begin = (frame: Fields, chunks: StreamChunk[]): boolean => {
    head = joined(readHead(frame), head);
    const answering = Array.isArray(frame.choices) && frame.choices.length > 0;
    if (!answering && !isRecord(frame.usage) && !isRecord(frame.moderation)) return false;
    started = true;
    chunks.push({ type: "start", ...head });
    return true;
  };

  return {
    push(event) {
      if (terminated || failed) return none;
      if (isDone(event)) {
        terminated = true;
        return none;
      }
      const known = alike.decoded(event);
      if (known) return known;
      const frame = parseFrame(event.data);
      const chunks: StreamChunk[] = [];
      if (isError(event, frame)) {
        failed = true;
        const used = usageWith(usageIn(frame), ranTools, frame);
        if (used) chunks.push({ type: "usage", usage: used });
        chunks.push({ type: "error", error: readErrorBody(failedIn(frame) ?? frame) ?? { message: event.data } });
        return chunks;
      }
      tier = frame.service_tier ?? tier;
      if (!started && !begin(frame, chunks)) return none;
      for (const choice of Array.isArray(frame.choices) ? frame.choices : none)
        if (isRecord(choice)) decodeChoice(choiceOf(choices, choice, head), choice, chunks);
      const moderation = moderated.decode(frame.moderation);
      if (moderation) chunks.push({ type: "moderation", moderation });
      ranTools ||= hasRunTools(frame);
      const usage = withTier(usageWith(usageIn(frame), ranTools, frame), tier);
      if (usage) chunks.push({ type: "usage", usage });
      counted = isRecord(frame.usage) && !(Array.isArray(frame.choices) && frame.choices.length > 0) && isFinished();
      alike.learn(event, chunks);
      return chunks;
    },
    get over() {
      return counted || (terminated && isFinished());
    },
    end() {
      if (failed) return none;
      if (!isFinished()) raise("upstream_truncated", "The stream ended before the answer had a finish reason.");
      const chunks: StreamChunk[] = [];
      for (const choice of choices.values()) choice.tools.flush(chunks);
      return chunks;
    },
  };
}

/** The text of a frame's only choice. */
function contentOf({ choices }: Fields): unknown {
  const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined;
  // Blocks say the same once more, and count before it.
  return isRecord(choice) && isRecord(choice.delta) && !choice.delta.content_blocks ? choice.delta.content : undefined;
}

function readHead(frame: Fields): Omit<StartChunk, "type"> {
  const { id, model, created } = frame;
  return Object.assign(
    typeof id === "string" && id !== "" ? { id } : {},
    typeof model === "string" && model !== "" && { model },
    typeof created === "number" && created > 0 && { created },
    extraIn(formatName, leftovers(frame, moderated.decode(frame.moderation) ? headFields : otherHeadFields)),
  );
}

/** What several frames say of the answer as a whole: the first to say something counts. */
function joined(next: Omit<StartChunk, "type">, head: Omit<StartChunk, "type">): Omit<StartChunk, "type"> {
  const fields = { ...next.extra?.fields, ...head.extra?.fields };
  return { ...next, ...head, ...extraIn(formatName, fields) };
}

function decodeChoice(open: OpenChoice, wire: Fields, chunks: StreamChunk[]): void {
  const choice = open.index;
  const delta = isRecord(wire.delta) ? wire.delta : wire.message;
  const word = wire.finish_reason;
  const ending = isWord(word) && !open.finished;
  const unread = isRecord(delta) ? decodeDelta(open, delta, wire.logprobs ?? undefined, chunks) : undefined;
  if (!ending) {
    const fields = unread && withoutEmpty(unread);
    if (!fields) return;
    // Lists come whole; what else there is (`audio`) comes in pieces.
    const goesOn = Object.values(fields).some((field) => !Array.isArray(field)) && ({ goesOn: true } as const);
    const value = { type: "opaque", format: formatName, value: { delta: fields }, ...goesOn } as const;
    chunks.push({ type: "part", choice, part: open.nextPart(), value });
    return;
  }
  open.tools.flush(chunks);
  open.finished = true;
  const { reason, raw } = decodeFinishReason(word, open.tools.any);
  const extra = extraOf(unread ?? {}, leftovers(wire, choiceFields));
  chunks.push({ type: "finish", choice, reason, ...(raw !== undefined && { rawReason: raw }), ...extra });
}

/** Returns the fields nobody reads. */
function decodeDelta(open: OpenChoice, delta: Fields, logprobs: unknown, chunks: StreamChunk[]): Fields | undefined {
  if (isFound(open, delta)) return delta;
  const choice = open.index;
  const unread = decodeReasoning(open, delta, chunks);
  const { content, refusal, tool_calls: calls } = delta;
  const mirrored = Array.isArray(delta.content_blocks) && decodeBlockDeltas(open, delta, logprobs, chunks);
  const text = typeof content === "string" && !mirrored ? content : "";
  if (text !== "" || (logprobs !== undefined && !mirrored)) {
    const measured = logprobs === undefined ? {} : { logprobs };
    chunks.push({ type: "text-delta", choice, part: partOf(open, "content"), text, ...measured });
  }
  if (Array.isArray(content) && !mirrored) decodeParts(open, content, chunks);
  if (typeof refusal === "string" && refusal !== "")
    chunks.push({ type: "refusal-delta", choice, part: partOf(open, "refusal"), text: refusal });
  const drawn = unread ? takeDrawn(unread) : [];
  for (const value of drawn) chunks.push({ type: "part", choice, part: open.nextPart(), value });
  if (Array.isArray(calls)) open.tools.push(calls, chunks);
  const citations = unread && open.blocks.size === 0 && open.parts.has("content") && citationsIn(unread.annotations);
  if (!citations) return unread;
  chunks.push({ type: "text-delta", choice, part: partOf(open, "content"), text: "", citations });
  const { annotations: _, ...rest } = unread;
  return rest;
}

/** Whether a delta is of what a tool of the vendor's found: of messages that have a number only the first one has to say so. */
function isFound({ found }: OpenChoice, delta: Fields): boolean {
  const { role, index } = delta;
  const numbered = typeof index === "number" ? index : undefined;
  if (numbered !== undefined && isOfTool(delta)) found.add(numbered);
  else if (numbered !== undefined && isWord(role)) found.delete(numbered);
  return isOfTool(delta) || (numbered !== undefined && found.has(numbered));
}

/** Content that is a list of parts: pieces of text and of thinking, and whatever else comes whole. */
function decodeParts(open: OpenChoice, content: readonly unknown[], chunks: StreamChunk[]): void {
  const choice = open.index;
  for (const wire of content) {
    if (!isRecord(wire)) continue;
    const text = wire.type === "thinking" ? thoughtOf(wire) : wire.text;
    if (wire.type === "text" || wire.type === "thinking") {
      if (!isWord(text)) continue;
      const type = wire.type === "text" ? "text-delta" : "thinking-delta";
      chunks.push({ type, choice, part: partOf(open, wire.type === "text" ? "content" : "thinking"), text });
    } else {
      const value = wholeBlock(wire, formatName);
      if (value) chunks.push({ type: "part", choice, part: open.nextPart(), value });
    }
  }
}

/** Returns the fields of the delta nobody reads, unless they went along with a piece of thinking. */
function decodeReasoning(open: OpenChoice, delta: Fields, chunks: StreamChunk[]): Fields | undefined {
  let spelling: string | undefined;
  for (const name of reasoningFields) if (spelling === undefined && isWord(delta[name])) spelling = name;
  let unread: Fields | undefined;
  for (const name in delta) {
    if (deltaFields.has(name) || name === spelling || delta[name] === null) continue;
    unread ??= {};
    unread[name] = delta[name];
  }
  if (spelling === undefined) return unread;
  // It remembers the field it came in, so that this format writes it back there.
  const thought: ThinkingDelta = {
    type: "thinking-delta",
    choice: open.index,
    part: partOf(open, "reasoning"),
    text: String(delta[spelling]),
    ...extraOf((unread && withoutEmpty(unread)) ?? {}, {}, spelling),
  };
  chunks.push(thought);
  return undefined;
}

/** Vendors fill frames with fields that say nothing; undefined when nothing is left. */
function withoutEmpty(fields: Fields): Fields | undefined {
  const said = Object.entries(fields).filter(
    ([, value]) => value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}
