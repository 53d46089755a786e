import { isRecord, recordsIn, textIn, type Wire } from "./wire.ts";

/** A chat request, as far as the simulator reads it: the same whatever format it was written in. */
export interface Question {
  readonly model: string;
  /** What the user said last, and how many images came with it. */
  readonly lastText: string;
  readonly images: number;
  /** What tools said after the last turn of the assistant. */
  readonly toolResult: string | undefined;
  /** All text of the prompt, in order. */
  readonly segments: readonly Segment[];
  readonly tools: readonly ToolOffer[];
  readonly toolChoice: "auto" | "none" | "required" | { readonly name: string };
  /** Where only some tools may be called, their names. */
  readonly allowed?: readonly string[];
  readonly parallel: boolean;
  readonly thinks: boolean;
  /** What the answer has to look like when it is to be JSON. */
  readonly schema: unknown;
  readonly stop: readonly string[];
  readonly maxTokens: number | undefined;
}

export interface ToolOffer {
  readonly name: string;
  readonly schema: unknown;
}

export interface Segment {
  readonly text: string;
  /** A cache marker stands here, for so long. */
  readonly cache?: "5m" | "1h";
}

const cacheOf = (marker: unknown): Pick<Segment, "cache"> =>
  isRecord(marker) ? { cache: marker.ttl === "1h" ? "1h" : "5m" } : {};

/** Content is a text, or a list of blocks that hold text, or hold content. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return recordsIn(content)
    .map((block) => textIn(block.text))
    .join("");
}

export function segmentsOf(content: unknown, marker?: unknown): Segment[] {
  if (typeof content === "string") return [{ text: content, ...cacheOf(marker) }];
  const own = recordsIn(content).map((block) => ({
    text: textIn(block.text) || textOf(block.content),
    ...cacheOf(block.cache_control),
  }));
  return isRecord(marker) ? [...own, { text: "", ...cacheOf(marker) }] : own;
}

/** Tools are part of the prompt: their names and descriptions, which every format has. */
export const toolSegment = (tool: Wire, marker: unknown): Segment => ({
  text: `${textIn(tool.name)} ${textIn(tool.description)}`,
  ...cacheOf(marker),
});

const imagesIn = (content: unknown): number =>
  recordsIn(content).filter(({ type }) => type === "image_url" || type === "image" || type === "input_image").length;

/** What is read off the messages, whose roles and blocks the formats have in common. */
export function readMessages(
  messages: readonly Wire[],
): Pick<Question, "lastText" | "images" | "toolResult" | "segments"> {
  const asked = messages.findLast(
    ({ role, content }) => role === "user" && (textOf(content) !== "" || imagesIn(content) > 0),
  );
  const since = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  const results = since.flatMap(({ role, content }) =>
    role === "tool"
      ? [textOf(content)]
      : recordsIn(content)
          .filter(({ type }) => type === "tool_result")
          .map((block) => textOf(block.content)),
  );
  return {
    lastText: textOf(asked?.content),
    images: imagesIn(asked?.content),
    toolResult: results.length > 0 ? results.join(" ") : undefined,
    segments: messages.flatMap(({ content, cache_control: marker }) => segmentsOf(content, marker)),
  };
}
