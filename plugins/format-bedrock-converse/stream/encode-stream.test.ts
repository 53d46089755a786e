import { describe, expect, it } from "vitest";
import type { StreamChunk } from "../../../core/index.ts";
import { chunksIn, context, eventsOf } from "../testing.ts";
import { encodeStream } from "./encode-stream.ts";

const text = (part: number, value: string): StreamChunk => ({ type: "text-delta", choice: 0, part, text: value });
const thought = (part: number, value: string): StreamChunk => ({
  type: "thinking-delta",
  choice: 0,
  part,
  text: value,
});
const call = (part: number): StreamChunk => ({ type: "tool-call-start", choice: 0, part, id: `t${part}`, name: "f" });
const args = (part: number, json: string): StreamChunk => ({
  type: "tool-call-delta",
  choice: 0,
  part,
  arguments: json,
});

function streamed(...chunks: StreamChunk[]): string {
  const encoder = encodeStream(context);
  return chunks.map((chunk) => encoder.push(chunk)).join("") + encoder.end();
}

/** What happened to which block, a line each. */
const outline = (frames: string): string[] =>
  eventsOf(frames).flatMap(({ event = "", data }) => {
    if (!event.startsWith("contentBlock")) return [];
    const { contentBlockIndex, delta } = JSON.parse(data);
    const said = delta?.text ?? delta?.toolUse?.input ?? delta?.reasoningContent?.text ?? "";
    return [`${event.replace("contentBlock", "")} ${contentBlockIndex} ${said}`.trim()];
  });

describe("bedrock-converse streams", () => {
  it("take text up again in a new block after something came between", () => {
    const frames = streamed(text(0, "a"), call(1), args(1, "{}"), text(0, "b"), text(0, "c"));
    expect(outline(frames)).toEqual([
      "Delta 0 a",
      "Stop 0",
      "Start 1",
      "Delta 1 {}",
      "Stop 1",
      "Delta 2 b",
      "Delta 2 c",
      "Stop 2",
    ]);
  });

  it("take thinking up again in a new block", () => {
    expect(outline(streamed(thought(0, "a"), text(1, "b"), thought(0, "c")))).toEqual([
      "Delta 0 a",
      // That nobody signed it.
      "Delta 0",
      "Stop 0",
      "Delta 1 b",
      "Stop 1",
      "Delta 2 c",
      "Delta 2",
      "Stop 2",
    ]);
  });

  it("hold back a call until the one before it is complete, and no longer", () => {
    const encoder = encodeStream(context);
    encoder.push(call(0));
    encoder.push(args(0, '{"a":"}'));
    expect(outline(encoder.push(call(1)))).toEqual([]);
    expect(outline(encoder.push(args(1, '{"b":')))).toEqual([]);
    expect(outline(encoder.push(args(0, '"}')))).toEqual(['Delta 0 "}', "Stop 0", "Start 1", 'Delta 1 {"b":']);
    expect(outline(encoder.push(args(1, "{}}")))).toEqual(["Delta 1 {}}"]);
    expect(outline(encoder.end())).toEqual(["Stop 1"]);
  });

  it("release what was held back at the end", () => {
    const frames = streamed(call(0), call(1), args(1, "{}"), text(2, "a"));
    expect(outline(frames)).toEqual(["Start 0", "Stop 0", "Start 1", "Delta 1 {}", "Stop 1", "Delta 2 a", "Stop 2"]);
  });

  it("give calls whose arguments came in turns as the model made them", () => {
    const calls = [call(0), call(1), args(0, '{"a":'), args(1, '{"b":'), args(0, "1}"), args(1, "2}")];
    const said = chunksIn(streamed(...calls)).flatMap((chunk) =>
      chunk.type === "tool-call-delta" ? [[chunk.part, chunk.arguments]] : [],
    );
    expect(said).toEqual([
      [0, '{"a":'],
      [0, "1}"],
      [1, '{"b":'],
      [1, "2}"],
    ]);
  });

  it("say nothing in a block that was closed", () => {
    expect(outline(streamed(call(0), args(0, "{}"), text(1, "a"), args(0, " ")))).toEqual([
      "Start 0",
      "Delta 0 {}",
      "Stop 0",
      "Delta 1 a",
      "Stop 1",
    ]);
  });

  it("end as every answer does", () => {
    const finish: StreamChunk = { type: "finish", choice: 0, reason: "stop" };
    const usage: StreamChunk = { type: "usage", usage: { inputTokens: 1, outputTokens: 2 } };
    const names = eventsOf(streamed({ type: "start" }, text(0, "a"), finish, usage)).map(({ event }) => event);
    expect(names).toEqual(["messageStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata"]);
  });

  it("are read with an empty object where a call has no arguments", () => {
    const said = chunksIn(streamed(call(0), call(1), args(1, "{}"))).filter(({ type }) => type === "tool-call-delta");
    expect(said).toEqual([args(0, "{}"), args(1, "{}")]);
  });
});
