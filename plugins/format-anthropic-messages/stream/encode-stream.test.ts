import { describe, expect, it } from "vitest";
import type { StreamChunk } from "../../../core/index.ts";
import { decodeResponse, encodeResponse } from "../response/response.ts";
import { assembled, chunksIn, context, eventsOf } from "../testing.ts";
import { encodeStream, terminator } from "./encode-stream.ts";

const text = (part: number, value: string): StreamChunk => ({ type: "text-delta", choice: 0, part, text: value });
const call = (part: number): StreamChunk => ({ type: "tool-call-start", choice: 0, part, id: `t${part}`, name: "f" });
const args = (part: number, json: string): StreamChunk => ({
  type: "tool-call-delta",
  choice: 0,
  part,
  arguments: json,
});
const finish: StreamChunk = { type: "finish", choice: 0, reason: "stop" };

/** Events as one line each: what happened to which block. */
function outline(frames: string): string[] {
  return eventsOf(frames).map(({ data }) => {
    const { type, index, content_block: block, delta } = JSON.parse(data);
    const detail = block?.type ?? delta?.text ?? delta?.partial_json ?? delta?.signature ?? delta?.stop_reason ?? "";
    return [type.replace("content_block_", ""), index, detail]
      .filter((item) => item !== undefined)
      .join(" ")
      .trim();
  });
}

function streamed(...chunks: StreamChunk[]): string {
  const encoder = encodeStream(context);
  return chunks.map((chunk) => encoder.push(chunk)).join("") + encoder.end();
}

describe("anthropic-messages streams", () => {
  it("have the frames of the API, byte for byte", () => {
    const start: StreamChunk = { type: "start", id: "chatcmpl-1", model: "gpt-4.1" };
    const usage: StreamChunk = { type: "usage", usage: { inputTokens: 7, outputTokens: 2 } };
    const zeros =
      '"usage":{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}';
    const head =
      '"id":"msg_r4nd0m","type":"message","role":"assistant","model":"gpt-4.1","content":[],"stop_reason":null,"stop_sequence":null';
    expect(streamed(start, text(0, 'Say "hi"\n'), finish, usage)).toBe(
      [
        `event: message_start\ndata: {"type":"message_start","message":{${head},${zeros}}}`,
        'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
        'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Say \\"hi\\"\\n"}}',
        'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}',
        'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":7,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":2}}',
        'event: message_stop\ndata: {"type":"message_stop"}\n\n',
      ].join("\n\n"),
    );
  });

  it("begin with the usage that is known by then", () => {
    const encoder = encodeStream(context);
    expect(encoder.push({ type: "start" })).toBe("");
    expect(encoder.push({ type: "usage", usage: { inputTokens: 9 } })).toContain('"input_tokens":9');
  });

  it("have no block when nothing was said", () => {
    expect(outline(streamed(finish))).toEqual(["message_start", "message_delta end_turn", "message_stop"]);
  });

  it("let arguments follow the finish reason", () => {
    const frames = outline(streamed(call(0), args(0, '{"a":'), finish, args(0, "1}")));
    expect(frames).toEqual([
      "message_start",
      "start 0 tool_use",
      'delta 0 {"a":',
      "delta 0 1}",
      "stop 0",
      "message_delta end_turn",
      "message_stop",
    ]);
  });

  it("hold back a call until the one before it is complete, and no longer", () => {
    const encoder = encodeStream(context);
    encoder.push(call(0));
    encoder.push(args(0, '{"a":"}'));
    expect(encoder.push(call(1))).toBe("");
    expect(encoder.push(args(1, '{"b":'))).toBe("");
    expect(outline(encoder.push(args(0, '"}')))).toEqual(['delta 0 "}', "stop 0", "start 1 tool_use", 'delta 1 {"b":']);
    expect(outline(encoder.push(args(1, "{}}")))).toEqual(["delta 1 {}}"]);
    expect(outline(encoder.push(call(2)))).toEqual(["stop 1", "start 2 tool_use"]);
  });

  it("release what was held back at the end", () => {
    const frames = outline(streamed(call(0), call(1), args(1, "{}"), text(2, "a")));
    expect(frames.slice(1, -2)).toEqual([
      "start 0 tool_use",
      "stop 0",
      "start 1 tool_use",
      "delta 1 {}",
      "stop 1",
      "start 2 text",
      "delta 2 a",
      "stop 2",
    ]);
  });

  it("take text up again in a new block after something came between", () => {
    const thought: StreamChunk = { type: "thinking-delta", choice: 0, part: 1, text: "hm" };
    expect(outline(streamed(text(0, "a"), thought, text(0, "b"))).slice(1, -2)).toEqual([
      "start 0 text",
      "delta 0 a",
      "stop 0",
      "start 1 thinking",
      "delta 1",
      "delta 1 signed-by:nobody:",
      "stop 1",
      "start 2 text",
      "delta 2 b",
      "stop 2",
    ]);
  });

  it("speak for the first choice only, and leave out what cannot be shown", () => {
    const image: StreamChunk = {
      type: "part",
      choice: 0,
      part: 0,
      value: { type: "image", source: { kind: "url", url: "https://x.example" } },
    };
    const frames = outline(streamed(image, { ...text(0, "a"), choice: 1 } as StreamChunk, text(1, ""), finish));
    expect(frames).toEqual(["message_start", "message_delta end_turn", "message_stop"]);
  });

  it("show a refusal as text", () => {
    const frames = outline(streamed({ type: "refusal-delta", choice: 0, part: 0, text: "No." }, finish));
    expect(frames.slice(1)).toEqual(["start 0 text", "delta 0 No.", "stop 0", "message_delta refusal", "message_stop"]);
  });

  it("end with an error and without a terminator when they fail", () => {
    const encoder = encodeStream(context);
    encoder.push(text(0, "a"));
    expect(encoder.fail({ message: "Gone", code: 502 })).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"Gone"}}\n\n',
    );
    expect(encoder.push(text(0, "b")) + encoder.fail({ message: "Gone" }) + encoder.end()).toBe("");
  });

  it("pass on an error of the vendor once", () => {
    const encoder = encodeStream(context);
    const error = { type: "overloaded_error", message: "Overloaded" };
    expect(encoder.push({ type: "error", error })).toContain('"type":"overloaded_error"');
    expect(encoder.end()).not.toContain(terminator);
  });
});

describe("what a stream says of its usage at its end", () => {
  const counts = { input_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const end = {
    ...counts,
    output_tokens: 7,
    server_tool_use: { web_search_requests: 1, web_fetch_requests: 2 },
    iterations: [
      { type: "compaction", input_tokens: 180, output_tokens: 3 },
      { type: "message", input_tokens: 5, output_tokens: 7 },
    ],
  };
  const begun = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [] };
  const events = [
    {
      type: "message_start",
      message: {
        ...begun,
        stop_reason: null,
        stop_sequence: null,
        usage: { ...counts, output_tokens: 1, service_tier: "standard" },
      },
    },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: end },
    { type: "message_stop" },
  ];
  const upstream = events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join("");
  const whole = {
    ...begun,
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { ...end, service_tier: "standard" },
  };

  it("is what the whole answer says, and reaches clients as it was said", () => {
    const chunks = chunksIn(upstream);
    expect(assembled(chunks)).toEqual(decodeResponse(whole));
    expect(assembled(chunks).usage).toMatchObject({ searches: 1, fetches: 2, inputTokens: 185, outputTokens: 10 });
    expect(encodeResponse(decodeResponse(whole), context)).toEqual(whole);
    expect(streamed(...chunks)).toBe(upstream);
  });
});
