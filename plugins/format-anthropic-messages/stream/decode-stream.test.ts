import { describe, expect, it } from "vitest";
import { assembled } from "../testing.ts";
import { decodeStream } from "./decode-stream.ts";
import { readStreamEnd } from "./stream-end.ts";

const frame = (data: Record<string, unknown>) => ({ event: String(data.type), data: JSON.stringify(data) });
const start = frame({ type: "message_start", message: { id: "msg_1", model: "claude", usage: { input_tokens: 3 } } });
const block = (index: number, content_block: unknown) => frame({ type: "content_block_start", index, content_block });
const delta = (index: number, value: unknown) => frame({ type: "content_block_delta", index, delta: value });
const stop = (index: number) => frame({ type: "content_block_stop", index });
const finish = (reason: string | null) =>
  frame({ type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 5 } });

function contentOf(...events: { event: string; data: string }[]) {
  const decoder = decodeStream();
  return assembled(events.flatMap((event) => [...decoder.push(event)])).choices[0]?.content;
}

describe("anthropic-messages streams", () => {
  it("say what a block already held when it started", () => {
    const content = contentOf(
      start,
      block(0, { type: "thinking", thinking: "a", signature: "s" }),
      delta(0, { type: "signature_delta", signature: "t" }),
      stop(0),
      block(1, { type: "text", text: "b", citations: null }),
      delta(1, { type: "text_delta", text: "c" }),
      stop(1),
      block(2, { type: "tool_use", id: "t", name: "f", input: { a: 1 } }),
      stop(2),
    );
    expect(content).toEqual([
      { type: "thinking", text: "a", signature: "st", signer: "anthropic-messages" },
      { type: "text", text: "bc" },
      { type: "tool-call", id: "t", name: "f", arguments: '{"a":1}' },
    ]);
  });

  it("number parts from zero, whatever their blocks are called and though some are empty", () => {
    const decoder = decodeStream();
    const events = [start, block(3, { type: "text", text: "" }), stop(3), block(7, { type: "text", text: "a" })];
    const parts = events.flatMap((event) => [...decoder.push(event)]).filter((chunk) => "part" in chunk);
    expect(parts).toEqual([{ type: "text-delta", choice: 0, part: 0, text: "a" }]);
  });

  it("take an unknown delta of an opaque block as its final fields", () => {
    const content = contentOf(
      start,
      block(0, { type: "compaction", content: null }),
      delta(0, { type: "compaction_delta", content: "So far …" }),
      stop(0),
    );
    expect(content).toEqual([
      { type: "opaque", format: "anthropic-messages", value: { type: "compaction", content: "So far …" } },
    ]);
  });

  it("finish blocks nobody stopped", () => {
    const content = contentOf(start, block(0, { type: "tool_use", id: "t", name: "f", input: {} }), finish("tool_use"));
    expect(content).toEqual([{ type: "tool-call", id: "t", name: "f", arguments: "{}" }]);
  });

  it("are complete once a stop reason came, with or without message_stop", () => {
    const decoder = decodeStream();
    for (const event of [start, finish("end_turn")]) decoder.push(event);
    expect([...decoder.end()]).toEqual([]);
  });

  it.each([[[]], [[start]], [[start, block(0, { type: "text", text: "a" }), finish(null)]]])(
    "are truncated without one: %j",
    (events) => {
      const decoder = decodeStream();
      for (const event of events) decoder.push(event);
      expect(() => decoder.end()).toThrowError(expect.objectContaining({ code: "upstream_truncated" }));
    },
  );

  it.each([
    [{ data: "{" }],
    [delta(4, { type: "text_delta", text: "a" })],
    [block(0, 5)],
    [frame({ type: "content_block_stop" })],
  ])("have a frame skipped that makes no sense, and go on: %j", (event) => {
    const decoder = decodeStream();
    decoder.push(start);
    expect(() => decoder.push(event)).toThrowError(expect.objectContaining({ code: "malformed_frame" }));
    expect(decoder.push(block(0, { type: "text", text: "a" }))).toHaveLength(1);
  });

  it("say nothing for pings and events newer than the codec", () => {
    const decoder = decodeStream();
    const quiet = [{ data: '{"type":"ping"}' }, frame({ type: "weather" }), { data: "[DONE]" }];
    expect(quiet.flatMap((event) => [...decoder.push(event)])).toEqual([]);
  });

  it("say nothing after an error", () => {
    const decoder = decodeStream();
    expect(decoder.push(frame({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }))).toEqual([
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    ]);
    expect(decoder.push(start)).toEqual([]);
    expect([...decoder.end()]).toEqual([]);
  });
});

describe("the ends of a stream", () => {
  it("are read though some frames are not readable", () => {
    const events = [start, { data: "{" }, finish("end_turn"), { event: "message_stop", data: "{}" }];
    expect(readStreamEnd(events)).toEqual({
      finished: true,
      terminated: true,
      failed: false,
      usage: { inputTokens: 3, outputTokens: 5 },
    });
  });

  it("tell the service tier, the last one where there are several", () => {
    const served = (tier: string) =>
      frame({ type: "message_start", message: { usage: { input_tokens: 3, service_tier: tier } } });
    const delta = { type: "message_delta", delta: { stop_reason: "end_turn" } };
    const later = frame({ ...delta, usage: { output_tokens: 5, service_tier: "priority" } });
    expect(readStreamEnd([served("standard"), finish("end_turn")]).usage?.serviceTier).toBe("standard");
    expect(readStreamEnd([served("standard"), later]).usage?.serviceTier).toBe("priority");
    expect(readStreamEnd([start, finish("end_turn")]).usage).not.toHaveProperty("serviceTier");
  });

  it("show a stream that broke off or failed", () => {
    expect(readStreamEnd([start])).toMatchObject({ finished: false, terminated: false, failed: false });
    expect(readStreamEnd([frame({ type: "error" })])).toEqual({ finished: false, terminated: false, failed: true });
  });
});
