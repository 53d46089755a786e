import { describe, expect, it } from "vitest";
import type { ChatResponse } from "../../core/index.ts";
import { openAiResponses } from "./index.ts";
import { assembled, chunksIn, context, framesOf, pushed, streamed } from "./testing.ts";

const { decodeResponse, encodeResponse, decodeError, readStreamEnd, encodeStream, decodeStream } = openAiResponses;

const frame = (data: Record<string, unknown>, event = String(data.type)) => ({ event, data: JSON.stringify(data) });
const text = (events: readonly { event?: string; data: string }[]) =>
  events.map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`).join("");
const created = frame({ type: "response.created", response: { id: "resp_1", model: "m", output: [] } });
const completed = frame({ type: "response.completed", response: { id: "resp_1", model: "m", status: "completed" } });
const delta = (index: number, delta: string) =>
  frame({ type: "response.output_text.delta", output_index: index, content_index: 0, delta });

describe("what vendors of the Responses API really send", () => {
  it("reads texts whose items were never added", () => {
    const { choices } = assembled(chunksIn(text([created, delta(0, "Hi"), delta(0, "!"), completed])));
    expect(choices[0]?.content).toMatchObject([{ type: "text", text: "Hi!" }]);
  });

  it("reads a stream that begins with its first item", () => {
    const added = frame({
      type: "response.output_item.added",
      output_index: 0,
      item: { type: "message", id: "msg_1" },
    });
    expect(chunksIn(text([added, delta(0, "Hi"), completed])).map(({ type }) => type)).toEqual([
      "start",
      "text-delta",
      "finish",
    ]);
  });

  it("takes the type from the event's line where the data has none", () => {
    const bare = { event: "response.output_text.delta", data: '{"output_index":0,"content_index":0,"delta":"Hi"}' };
    expect(pushed([created, bare])).toMatchObject([{ type: "start" }, { type: "text-delta", text: "Hi" }]);
  });

  it("skips events it does not know, and [DONE]", () => {
    const unknown = frame({ type: "response.mood.changed", output_index: 0, mood: "sunny" });
    const keepAlive = frame({ type: "keepalive", sequence_number: 3 });
    const all = [created, unknown, keepAlive, delta(0, "Hi"), completed, { event: "done", data: "[DONE]" }];
    expect(chunksIn(text(all)).map(({ type }) => type)).toEqual(["start", "text-delta", "finish"]);
  });

  it("gives a call without an id the id of its item, and one without both its place", () => {
    const call = (item: object, index: number) =>
      frame({ type: "response.output_item.done", output_index: index, item: { type: "function_call", ...item } });
    const events = [created, call({ id: "fc_1", name: "f", arguments: "{}" }, 0), call({ name: "g" }, 1), completed];
    expect(assembled(chunksIn(text(events))).choices[0]).toMatchObject({
      finishReason: "tool-calls",
      content: [
        { id: "fc_1", name: "f", arguments: "{}" },
        { id: "call_1", name: "g", arguments: "" },
      ],
    });
  });

  it("reads pieces of items that interleave", () => {
    const added = (index: number) =>
      frame({
        type: "response.output_item.added",
        output_index: index,
        item: { type: "function_call", call_id: `c${index}`, name: "f", arguments: "" },
      });
    const json = (index: number, delta: string) =>
      frame({ type: "response.function_call_arguments.delta", output_index: index, delta });
    const events = [created, added(0), added(1), json(1, "[1"), json(0, "[0"), json(0, "]"), json(1, "]"), completed];
    expect(assembled(chunksIn(text(events))).choices[0]?.content).toMatchObject([
      { id: "c0", arguments: "[0]" },
      { id: "c1", arguments: "[1]" },
    ]);
  });

  it("tells the service tier of the end, not that of the beginning", () => {
    const end = { output: [], usage: { input_tokens: 3 }, service_tier: "default" };
    for (const type of ["response.completed", "response.incomplete"]) {
      const events = [
        frame({ type: "response.created", response: { service_tier: "flex" } }),
        frame({ type, response: end }),
      ];
      expect(readStreamEnd?.(events).usage).toEqual({ inputTokens: 3, serviceTier: "default" });
    }
  });

  it.each([["response.queued"], ["response.in_progress"]])(
    "holds an answer that is still %s for unfinished",
    (type) => {
      const decoder = decodeStream?.();
      decoder?.push(frame({ type, response: { id: "resp_1" } }));
      expect(() => decoder?.end()).toThrow(expect.objectContaining({ code: "upstream_truncated" }));
      expect(readStreamEnd?.([created, frame({ type })])).toMatchObject({ finished: false, failed: false });
    },
  );

  it.each<[string, Record<string, unknown>, object]>([
    ["an error event", { type: "error", code: "x", message: "No.", param: null }, { message: "No.", code: "x" }],
    [
      "an error event with an error inside",
      { type: "error", error: { type: "t", code: "x", message: "No.", param: "p" } },
      { message: "No.", type: "t", code: "x", param: "p" },
    ],
    [
      "a failed answer",
      { type: "response.failed", response: { error: { code: "x", message: "No." } } },
      { message: "No.", code: "x" },
    ],
    ["a cancelled answer", { type: "response.cancelled", response: {} }, { message: "The response failed." }],
    ["an error in another shape", { error: { message: "No." } }, { message: "No." }],
  ])("reads %s as a failure, after which nothing follows", (_, data, error) => {
    const event = frame(data, data.type === undefined ? "message" : String(data.type));
    expect(pushed([created, event.event === "message" ? { data: event.data } : event, completed])).toEqual([
      expect.objectContaining({ type: "start" }),
      { type: "error", error },
    ]);
  });

  it.each([[null], ["text"], [{}], [{ status: "failed", output: [], error: { message: "No." } }], [{ output: "x" }]])(
    "refuses %j as an answer",
    (wire) => {
      expect(() => decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
    },
  );

  it("reads error bodies", () => {
    const error = { message: "No.", type: "invalid_request_error", param: "input", code: "bad" };
    expect(decodeError({ error })).toEqual(error);
    expect(decodeError({ detail: "No." })).toEqual({ message: "No." });
    expect(decodeError("text")).toBeUndefined();
  });

  it("keeps what an unfinished answer says of itself", () => {
    const queued = { id: "resp_1", created_at: 1, model: "m", status: "queued", output: [] };
    const read = decodeResponse(queued);
    expect(read.choices[0]).toMatchObject({ finishReason: "other", rawFinishReason: "queued" });
    expect(encodeResponse(read, context)).toMatchObject(queued);
    const stopped = { ...queued, status: "incomplete", incomplete_details: { reason: "tired" } };
    expect(decodeResponse(stopped).choices[0]).toMatchObject({ finishReason: "length", rawFinishReason: "tired" });
    expect(encodeResponse(decodeResponse(stopped), context)).toMatchObject(stopped);
  });
});

const answer = (content: ChatResponse["choices"][number]["content"], more: object = {}): ChatResponse => ({
  choices: [{ index: 0, content, finishReason: "stop", ...more }],
});

describe("what clients of the Responses API are given", () => {
  it.each([
    ["stop", "{}"],
    ["length", ""],
  ] as const)("has an empty object for a call without arguments, unless it was cut: %s", (reason, args) => {
    const frames = framesOf(
      streamed([
        { type: "start" },
        { type: "tool-call-start", choice: 0, part: 0, id: "a", name: "f" },
        { type: "finish", choice: 0, reason },
      ]),
    );
    expect(frames.find(({ type }) => type === "response.function_call_arguments.done")).toMatchObject({
      arguments: args,
    });
    expect(frames.at(-1)).toMatchObject({ response: { output: [{ type: "function_call", arguments: args }] } });
  });

  it("always has every field, and repeats the request", () => {
    expect(encodeResponse(answer([{ type: "text", text: "Hi" }]), context)).toEqual({
      id: "resp_0f1e2d",
      object: "response",
      created_at: 1_786_000_000,
      status: "completed",
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      model: "asked-for",
      output: [
        {
          type: "message",
          id: "msg_0f1e2d_0",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "Hi", annotations: [], logprobs: [] }],
        },
      ],
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: null, summary: null },
      store: false,
      temperature: 1,
      text: { format: { type: "text" } },
      tool_choice: "auto",
      tools: [],
      top_p: 1,
      truncation: "disabled",
      background: false,
      metadata: {},
      user: null,
      usage: null,
    });
    const asked = {
      instructions: "Be kind.",
      temperature: 0,
      reasoning: { effort: "low" },
      text: { verbosity: "low" },
      tools: [{ type: "function", name: "f" }],
      store: true,
    };
    expect(encodeResponse(answer([]), { ...context, asked })).toMatchObject({
      ...asked,
      reasoning: { effort: "low", summary: null },
      text: { format: { type: "text" }, verbosity: "low" },
      store: false,
    });
  });

  it("shows thinking, images and opaque thinking as items, in order", () => {
    const { output } = encodeResponse(
      answer([
        { type: "thinking", text: "hm", signature: "s" },
        { type: "redacted-thinking", data: "d" },
        { type: "text", text: "a" },
        { type: "text", text: "b" },
        { type: "image", source: { kind: "data", data: "AAAA", mediaType: "image/png" } },
        { type: "refusal", text: "no" },
        { type: "opaque", format: "anthropic-messages", value: { type: "x" } },
      ]),
      context,
    );
    expect(output).toMatchObject([
      { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "s" },
      { type: "reasoning", summary: [], encrypted_content: "redacted_thinking:d" },
      { type: "message", content: [{ text: "a" }, { text: "b" }] },
      { type: "image_generation_call", result: "AAAA" },
      { type: "message", content: [{ type: "refusal", refusal: "no" }] },
    ]);
    expect(output).toHaveLength(5);
  });

  it("says which item is not whole when the answer is not", () => {
    const content: ChatResponse["choices"][number]["content"] = [
      { type: "text", text: "a" },
      { type: "tool-call", id: "c", name: "f", arguments: '{"a":' },
    ];
    expect(encodeResponse(answer(content, { finishReason: "length" }), context)).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ status: "completed" }, { status: "incomplete", arguments: '{"a":' }],
    });
  });

  it("begins a new message for text that goes on behind a call", () => {
    const output = framesOf(
      streamed([
        { type: "start" },
        { type: "text-delta", choice: 0, part: 0, text: "a" },
        { type: "tool-call-start", choice: 0, part: 1, id: "c", name: "f" },
        { type: "tool-call-delta", choice: 0, part: 1, arguments: "{}" },
        { type: "text-delta", choice: 0, part: 0, text: "b" },
        { type: "finish", choice: 0, reason: "tool-calls" },
      ]),
    ).at(-1)?.response;
    expect(output).toMatchObject({ output: [{ type: "message" }, { type: "function_call" }, { type: "message" }] });
  });

  it("is an error in the middle of a stream, then an answer that failed, and nothing behind it", () => {
    const encoder = encodeStream?.(context);
    const begun = encoder?.push({ type: "start", id: "resp_1" }) ?? "";
    const said = encoder?.push({ type: "text-delta", choice: 0, part: 0, text: "Hi" }) ?? "";
    const failed = encoder?.fail({ message: "Broken.", type: "upstream_truncated" }) ?? "";
    expect(framesOf(failed)).toMatchObject([
      {
        type: "error",
        code: "upstream_truncated",
        message: "Broken.",
        error: { type: "upstream_truncated", message: "Broken." },
      },
      { type: "response.failed", response: { status: "failed", error: { message: "Broken." } } },
    ]);
    expect(framesOf(begun + said + failed).map(({ sequence_number }) => sequence_number)).toEqual([
      0, 1, 2, 3, 4, 5, 6,
    ]);
    expect(encoder?.end()).toBe("");
    expect(framesOf(encodeStream?.(context)?.fail({ message: "Broken." }) ?? "").map(({ type }) => type)).toEqual([
      "error",
    ]);
  });
});

it.each([
  ["image_generation_call", "completed", true],
  ["code_interpreter_call", "completed", true],
  ["code_interpreter_call", "failed", undefined],
  ["web_search_call", "completed", undefined],
])("says of %s that is %s whether it is on the bill and not in the usage: %j", (type, status, uncounted) => {
  const answer = { output: [{ type, id: "i", status }], usage: { input_tokens: 3, output_tokens: 1 } };
  const completed = frame({ type: "response.completed", response: { status: "completed", ...answer } });
  expect(readStreamEnd?.([created, completed]).usage?.uncounted).toBe(uncounted);
  expect(openAiResponses.readUsage({ status: "completed", ...answer })?.uncounted).toBe(uncounted);
});
