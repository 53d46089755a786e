import { describe, expect, it } from "vitest";
import type { AssistantPart } from "../../core/index.ts";
import plugin, { cohereChat, cohereEmbeddings } from "./index.ts";
import { assembled, chunksIn, context, eventsOf } from "./testing.ts";

const { decodeResponse, encodeResponse, decodeError, encodeError, readStreamEnd } = cohereChat;

const frame = (data: Record<string, unknown>) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const begun = frame({ type: "message-start", id: "c1", delta: { message: { role: "assistant" } } });
const said = (content: unknown, index = 0) => frame({ type: "content-delta", index, delta: { message: { content } } });
const ended = (delta: object) => frame({ type: "message-end", delta });
const answered = (...frames: string[]) => assembled(chunksIn(frames.join("")));

describe("cohere-chat streams as vendors really send them", () => {
  it("say the type beside the event only, and end like those of another format", () => {
    const bare = `event: content-delta\ndata: {"index":0,"delta":{"message":{"content":{"text":"Hi"}}}}\n\n`;
    const { choices } = answered(begun, bare, "data: [DONE]\n\n", ended({ finish_reason: "complete" }));
    expect(choices).toEqual([
      { index: 0, content: [{ type: "text", text: "Hi" }], finishReason: "stop", rawFinishReason: "complete" },
    ]);
  });

  it("are truncated without a message-end, whatever else came", () => {
    for (const frames of [[begun], [begun, said({ text: "Hi" })], [begun, "data: [DONE]\n\n"]]) {
      expect(() => answered(...frames)).toThrow(expect.objectContaining({ code: "upstream_truncated" }));
      expect(readStreamEnd?.(eventsOf(frames.join("")))).toEqual({ finished: false, terminated: false, failed: false });
    }
  });

  it("fail with an error in their last event, and with a body that is no event", () => {
    for (const [last, message] of [
      [ended({ error: "out of luck", finish_reason: "ERROR" }), "out of luck"],
      ['data: {"message":"no such model"}\n\n', "no such model"],
      ['event: error\ndata: {"message":"overloaded"}\n\n', "overloaded"],
    ] as const) {
      expect(chunksIn(begun + last).at(-1)).toEqual({ type: "error", error: { message } });
      expect(readStreamEnd?.(eventsOf(begun + last))).toMatchObject({ finished: false, failed: true });
    }
  });

  it("have events newer than this file, and content of other kinds", () => {
    const sound = { type: "sound", data: "AAAA" };
    const content = answered(
      begun,
      frame({ type: "weather-report", index: 0 }),
      frame({ type: "content-start", index: 0, delta: { message: { content: sound } } }),
      said({ data: "BBBB" }),
      said({ thinking: "hm" }, 1),
      ended({}),
    ).choices[0];
    expect(content?.content).toEqual([
      { type: "opaque", format: "cohere-chat", value: sound },
      { type: "thinking", text: "hm" },
    ]);
    expect(content?.finishReason).toBe("stop");
  });

  it("continue no call that did not begin", () => {
    const delta = { message: { tool_calls: { function: { arguments: "{}" } } } };
    expect(() => answered(frame({ type: "tool-call-delta", index: 3, delta }))).toThrow(
      expect.objectContaining({ code: "malformed_frame" }),
    );
  });

  it("tell clients of their failure in their last event, and nothing after it", () => {
    const encoder = cohereChat.encodeStream?.(context);
    encoder?.push({ type: "start", id: "c1" });
    const text = encoder?.fail({ message: "no more" });
    expect(text).toBe(
      'event: message-end\ndata: {"type":"message-end","delta":{"error":"no more","finish_reason":"ERROR"}}\n\n',
    );
    expect(`${encoder?.push({ type: "text-delta", choice: 0, part: 0, text: "x" })}${encoder?.end()}`).toBe("");
  });
});

describe("what is cited from the web in a cohere-chat stream", () => {
  const page = (end: number) => ({ type: "url_citation", url: "https://a.example", start_index: 0, end_index: end });
  const text = (part: number, said: string, citations?: readonly object[]) =>
    ({ type: "text-delta", choice: 0, part, text: said, ...(citations && { citations }) }) as const;
  const citedIn = (told: string) =>
    eventsOf(told).flatMap(({ data }) => JSON.parse(data).delta?.message?.citations?.text ?? []);

  it("is told before the failure of one that breaks off", () => {
    const encoder = cohereChat.encodeStream?.(context);
    const told = `${encoder?.push(text(0, "Rain.", [page(5)]))}${encoder?.fail({ message: "no more" })}`;
    expect(citedIn(told)).toEqual(["Rain."]);
    expect(told.trimEnd().endsWith('"finish_reason":"ERROR"}}')).toBe(true);
  });

  it("is not forgotten where a text goes on behind another one", () => {
    const encoder = cohereChat.encodeStream?.(context);
    const chunks = [text(0, "Rain."), text(1, "Snow."), text(0, "", [page(5)]), text(0, " Wind.")];
    expect(citedIn(`${chunks.map((chunk) => encoder?.push(chunk)).join("")}${encoder?.end()}`)).toEqual(["Rain."]);
  });
});

describe("cohere-chat answers as vendors really send them", () => {
  it.each([[null], [{}], [{ message: "invalid api token" }], [{ message: { content: [7] } }]])(
    "are none: %j",
    (wire) => {
      expect(() => decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
    },
  );

  it("have content that is a text, calls without ids, and arguments that are objects", () => {
    const call = { function: { name: "f", arguments: { a: 1 } } };
    const { choices, usage } = decodeResponse({
      message: { content: "Hi", tool_calls: [call] },
      usage: { billed_units: { input_tokens: 3, output_tokens: 1 }, cached_tokens: 2 },
      meta: { warnings: ["old"] },
    });
    expect(choices[0]?.content).toEqual([
      { type: "text", text: "Hi" },
      { type: "tool-call", id: "call_0", name: "f", arguments: '{"a":1}' },
    ]);
    expect(usage).toEqual({ inputTokens: 1, cacheReadTokens: 2, outputTokens: 1 });
  });

  it("count what was read, and keep what is billed", () => {
    const usage = {
      billed_units: { input_tokens: 3, output_tokens: 1, search_units: 2 },
      tokens: { input_tokens: 70, output_tokens: 1 },
      cached_tokens: 64,
    };
    const response = decodeResponse({ message: { content: [] }, usage });
    expect(response.usage).toEqual({
      inputTokens: 6,
      cacheReadTokens: 64,
      outputTokens: 1,
      billedInputTokens: 3,
      billedOutputTokens: 1,
    });
    expect(encodeResponse(response, context)).toMatchObject({ usage });
    expect(cohereChat.readUsage({ usage: { tokens: {} } })).toBeUndefined();
  });

  it.each([
    [undefined, { tokens: { input_tokens: 0, output_tokens: 0 } }],
    [{ outputTokens: 3 }, { tokens: { input_tokens: 0, output_tokens: 3 } }],
  ])("have counts where %j is known, as the cohere provider of Vercel's AI SDK takes no others", (usage, wire) => {
    const response = { choices: [{ index: 0, content: [], finishReason: "stop" as const }], ...(usage && { usage }) };
    const whole = encodeResponse(response, context).usage;
    const encoder = cohereChat.encodeStream?.(context);
    if (usage) encoder?.push({ type: "usage", usage });
    const [last] = eventsOf(encoder?.end() ?? "").slice(-1);
    expect([whole, JSON.parse(last?.data ?? "").delta.usage]).toEqual([wire, wire]);
    expect(cohereChat.readUsage({ usage: { tokens: { input_tokens: 0, output_tokens: 0 } } })).toBeUndefined();
  });

  it.each([
    ["COMPLETE", "stop"],
    ["stop_sequence", "stop"],
    ["ERROR", "stop"],
    ["TIMEOUT", "stop"],
    ["MAX_TOKENS", "length"],
    ["TOOL_CALL", "tool-calls"],
    ["constructor", "other"],
  ])("end with %s", (finish_reason, finishReason) => {
    expect(decodeResponse({ message: {}, finish_reason }).choices[0]).toMatchObject({ finishReason });
  });

  it("of other vendors end with words of this one", () => {
    const reasonOf = (choice: object) =>
      encodeResponse({ choices: [{ index: 0, content: [], finishReason: "stop", ...choice }] }, context).finish_reason;
    expect(reasonOf({ rawFinishReason: "end_turn" })).toBe("COMPLETE");
    expect(reasonOf({ stopSequence: "END" })).toBe("STOP_SEQUENCE");
    expect(reasonOf({ finishReason: "length", rawFinishReason: "max_tokens" })).toBe("MAX_TOKENS");
    expect(reasonOf({ finishReason: "content-filter" })).toBe("ERROR");
    expect(reasonOf({ rawFinishReason: "TIMEOUT" })).toBe("TIMEOUT");
  });

  it("show citations of this vendor only", () => {
    const own = { start: 0, end: 1, sources: [] };
    const text = (citations: unknown[]): AssistantPart => ({ type: "text", text: "a", citations });
    const content = [text([own]), text([{ type: "char_location" }])];
    const { message } = encodeResponse({ choices: [{ index: 0, content, finishReason: "stop" }] }, context);
    expect(message).toMatchObject({ citations: [own] });
  });

  it("are errors in several forms, and those of the gateway have a message where clients look", () => {
    expect(decodeError({ id: "e1", message: "invalid api token" })).toEqual({ message: "invalid api token" });
    expect(encodeError?.({ error: { message: "no", type: "t" } }, 400)).toEqual({
      message: "no",
      error: { message: "no", type: "t" },
    });
    expect(encodeError?.({ status: "failure", message: "no" }, 400)).toEqual({ status: "failure", message: "no" });
  });
});

describe("format-cohere-chat", () => {
  it("brings the formats and the endpoints that speak them", async () => {
    const registered: unknown[] = [];
    const add = (value: unknown) => registered.push(value);
    await plugin.setup({ format: add, endpoint: add } as unknown as Parameters<typeof plugin.setup>[0], {});
    const description = { tag: expect.any(String), summary: expect.stringContaining("Cohere's format") };
    const place = (type: string, path: string, operation: string, format: string) => ({
      ...{ type, method: "POST", path, operation, format },
      description,
    });
    expect(registered).toEqual([
      cohereChat,
      cohereEmbeddings,
      place("chatComplete", "/v2/chat", "chat", "cohere-chat"),
      place("embed", "/v2/embed", "embed", "cohere-embeddings"),
    ]);
  });
});
