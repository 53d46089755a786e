import { describe, expect, it } from "vitest";
import type { StreamChunk } from "../../../core/index.ts";
import { decodeStream } from "./decode-stream.ts";
import { readStreamEnd } from "./stream-end.ts";

type Frame = Record<string, unknown> | string;
const events = (frames: readonly Frame[]) =>
  frames.map((frame) => ({ data: typeof frame === "string" ? frame : JSON.stringify(frame) }));

function decode(frames: readonly Frame[]): StreamChunk[] {
  const decoder = decodeStream();
  const chunks = events(frames).flatMap((event) => [...decoder.push(event)]);
  return [...chunks, ...decoder.end()];
}

const delta = (fields: object, more: object = {}) => ({ id: "c1", choices: [{ index: 0, delta: fields, ...more }] });
const calls = (...tool_calls: object[]) => delta({ tool_calls });
const finish = (word = "tool_calls") => delta({}, { finish_reason: word });
const start = { type: "start", id: "c1" };
const call = (part: number, id: string, name: string, text: string, extra?: object) => [
  { type: "tool-call-start", choice: 0, part, id, name, ...extra },
  ...(text === "" ? [] : [{ type: "tool-call-delta", choice: 0, part, arguments: text }]),
];
const finished = { type: "finish", choice: 0, reason: "tool-calls" };

describe("openai-chat tool calls in streams", () => {
  it.each<[string, Frame[], object[]]>([
    [
      "an id that comes after the name",
      [
        calls({ index: 0, function: { name: "f", arguments: "" } }),
        calls({ index: 0, id: "a", function: { arguments: "{}" } }),
      ],
      [...call(0, "a", "f", "{}"), finished],
    ],
    [
      "a name in pieces, before the id",
      [
        calls({ index: 0, function: { name: "get_" } }),
        calls({ index: 0, function: { name: "time" } }),
        calls({ index: 0, id: "a", function: { arguments: "{}" } }),
      ],
      [...call(0, "a", "get_time", "{}"), finished],
    ],
    [
      "an id and a name repeated in every frame",
      [
        calls({ index: 0, id: "a", function: { name: "f", arguments: "{" } }),
        calls({ index: 0, id: "a", function: { name: "f", arguments: "}" } }),
      ],
      [...call(0, "a", "f", "{"), { type: "tool-call-delta", choice: 0, part: 0, arguments: "}" }, finished],
    ],
    [
      "an id made up anew for every frame",
      [
        calls({ index: 0, id: "a", function: { name: "f", arguments: "{" } }),
        calls({ index: 0, id: "b", function: { arguments: "}" } }),
      ],
      [...call(0, "a", "f", "{"), { type: "tool-call-delta", choice: 0, part: 0, arguments: "}" }, finished],
    ],
    [
      "several whole calls in one frame, without indexes",
      [
        calls(
          { id: "a", function: { name: "f", arguments: "1" } },
          { id: "b", function: { name: "g", arguments: "2" } },
        ),
      ],
      [...call(0, "a", "f", "1"), ...call(1, "b", "g", "2"), finished],
    ],
    [
      "several calls that all have index 0",
      [
        calls({ index: 0, id: "a", function: { name: "f", arguments: "1" } }),
        calls({ index: 0, id: "b", function: { name: "f", arguments: "2" } }),
      ],
      [...call(0, "a", "f", "1"), ...call(1, "b", "f", "2"), finished],
    ],
    [
      "two calls that have one id, and indexes of their own",
      [
        calls({ index: 0, id: "a", function: { name: "f", arguments: '{"x":' } }),
        calls({ index: 0, function: { arguments: "1}" } }),
        calls({ index: 1, id: "a", function: { name: "f", arguments: '{"x":' } }),
        calls({ index: 1, id: "a", function: { arguments: "2}" } }),
      ],
      [
        ...call(0, "a", "f", '{"x":'),
        { type: "tool-call-delta", choice: 0, part: 0, arguments: "1}" },
        ...call(1, "a", "f", '{"x":'),
        { type: "tool-call-delta", choice: 0, part: 1, arguments: "2}" },
        finished,
      ],
    ],
    [
      "a call that goes on under another index, without its name",
      [
        calls({ index: 0, id: "a", function: { name: "f", arguments: "{" } }),
        calls({ index: 1, id: "a", function: { arguments: "}" } }),
      ],
      [...call(0, "a", "f", "{"), { type: "tool-call-delta", choice: 0, part: 0, arguments: "}" }, finished],
    ],
    [
      "calls without ids, which get one from the answer's and their place",
      [calls({ function: { name: "f", arguments: "1" } }, { function: { name: "g", arguments: "2" } })],
      [...call(0, "call_d0f631ca1ddba8db_0_0", "f", "1"), ...call(1, "call_d0f631ca1ddba8db_0_1", "g", "2"), finished],
    ],
    [
      "arguments that are an object, and fields nobody reads",
      [calls({ index: 0, id: "a", function: { name: "f", arguments: { x: 1 }, thought_signature: "s" } })],
      [
        ...call(0, "a", "f", '{"x":1}', {
          extra: { format: "openai-chat", fields: { thought_signature: "s" } },
        }),
        finished,
      ],
    ],
    [
      "a call of a custom tool",
      [
        calls({ index: 0, id: "a", type: "custom", custom: { name: "sh", input: "l" } }),
        calls({ index: 0, custom: { input: "s" } }),
      ],
      [
        {
          type: "tool-call-start",
          choice: 0,
          part: 0,
          id: "a",
          name: "sh",
          custom: true,
          extra: { format: "openai-chat", fields: {}, spelling: "custom" },
        },
        ...['{"input":"l', "s", '"}'].map((json) => ({
          type: "tool-call-delta" as const,
          choice: 0,
          part: 0,
          arguments: json,
        })),
        finished,
      ],
    ],
  ])("reads %s", (_, frames, chunks) => {
    expect(decode([...frames, finish(), "[DONE]"])).toEqual([start, ...chunks]);
  });

  it("reads arguments that follow the finish reason", () => {
    const first = calls({ index: 0, id: "a", function: { name: "f", arguments: "{" } });
    const late = calls({ index: 0, function: { arguments: "}" } });
    expect(decode([first, finish(), late, finish(), "[DONE]"])).toEqual([
      start,
      ...call(0, "a", "f", "{"),
      finished,
      { type: "tool-call-delta", choice: 0, part: 0, arguments: "}" },
    ]);
  });
});

describe("openai-chat ends of streams", () => {
  const text = delta({ content: "Hi" });
  it.each<[string, Frame[], boolean]>([
    ["a finish reason and [DONE]", [text, finish("stop"), "[DONE]"], true],
    ["a finish reason without [DONE]", [text, finish("stop")], true],
    ["[DONE] without a finish reason", [text, "[DONE]"], false],
    ["an empty finish reason", [text, finish(""), "[DONE]"], false],
    ["nothing at all", [], false],
    ["[DONE] alone", ["[DONE]"], false],
    ["usage alone", [{ choices: [], usage: { prompt_tokens: 1 } }, "[DONE]"], false],
    [
      "one of two choices finished",
      [text, finish("stop"), { choices: [{ index: 1, delta: { content: "a" } }] }],
      false,
    ],
    [
      "one of two choices finished, and [DONE]",
      [text, finish("stop"), { choices: [{ index: 1, delta: { content: "a" } }] }, "[DONE]"],
      true,
    ],
  ])("knows whether an answer is complete that ended with %s", (_, frames, complete) => {
    if (complete) expect(() => decode(frames)).not.toThrow();
    else expect(() => decode(frames)).toThrow(expect.objectContaining({ code: "upstream_truncated" }));
  });

  it("takes usage from wherever vendors put it, and nothing after [DONE]", () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2 };
    const counted = { type: "usage", usage: { inputTokens: 3, outputTokens: 2 } };
    const last = (more: object, inChoice: object = {}) =>
      decode([
        { ...delta({}, { finish_reason: "stop", ...inChoice }), ...more },
        "[DONE]",
        delta({ content: "late" }),
      ]).at(-1);
    expect(last({ usage })).toEqual(counted);
    expect(last({ x_groq: { usage } })).toEqual(counted);
    expect(last({}, { usage })).toEqual(counted);
    const served = { ...counted, usage: { ...counted.usage, serviceTier: "flex" } };
    expect(last({ usage, service_tier: "flex" })).toEqual(served);
    expect(last({ usage: { ...usage, service_tier: "flex" } })).toEqual(served);
    const before = { ...delta({ content: "a" }), service_tier: "flex" };
    expect(decode([before, { ...finish("stop"), usage }]).at(-1)).toEqual(served);
  });

  it("skips what is no JSON, and stops at an error", () => {
    const decoder = decodeStream();
    expect(() => decoder.push({ data: "{" })).toThrow(expect.objectContaining({ code: "malformed_frame" }));
    expect([...decoder.push({ event: "error", data: '{"message":"busy","code":503}' })]).toEqual([
      { type: "error", error: { message: "busy", code: 503 } },
    ]);
    expect([...decoder.push({ data: JSON.stringify(text) })]).toEqual([]);
    expect([...decoder.end()]).toEqual([]);
  });

  it.each<[string, Frame[], object]>([
    ["a whole stream", [text, finish("stop"), "[DONE]"], { finished: true, terminated: true, failed: false }],
    ["a cut stream", [text, "not json", text], { finished: false, terminated: false, failed: false }],
    ["a failed stream", [text, { error: { message: "no" } }], { finished: false, terminated: false, failed: true }],
    ["no [DONE]", [text, finish("stop")], { finished: true, terminated: false, failed: false }],
    [
      "usage in the last frame",
      [text, finish("stop"), { choices: [], usage: { prompt_tokens: 4, completion_tokens: 1 } }, "[DONE]"],
      { finished: true, terminated: true, failed: false, usage: { inputTokens: 4, outputTokens: 1 } },
    ],
    [
      "a service tier that is not the one it began with",
      [
        { ...text, service_tier: "auto" },
        finish("stop"),
        { choices: [], service_tier: "flex", usage: { prompt_tokens: 4 } },
        "[DONE]",
      ],
      { finished: true, terminated: true, failed: false, usage: { inputTokens: 4, serviceTier: "flex" } },
    ],
    [
      "a service tier and no counts",
      [{ ...text, service_tier: "flex" }, finish("stop")],
      { finished: true, terminated: false, failed: false },
    ],
  ])("reads how %s ended from its last frames", (_, frames, end) => {
    expect(readStreamEnd(events(frames))).toEqual(end);
  });
});
