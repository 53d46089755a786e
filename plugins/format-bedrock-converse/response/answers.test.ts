import { describe, expect, it } from "vitest";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { bedrockConverse } from "../index.ts";
import { assembled, bytesOf, chunksIn, context, eventsOf, streamOf } from "../testing.ts";

const { encodeStream, decodeResponse, encodeResponse, decodeError, encodeError, errorHeaders } = bedrockConverse;

describe("bedrock-converse answers", () => {
  it.each([
    ["malformed_tool_use", "other"],
    ["model_context_window_exceeded", "length"],
    ["content_filtered", "content-filter"],
  ])("end as the vendor says: %s", (stopReason, finishReason) => {
    const answer = { output: { message: { role: "assistant", content: [] } }, stopReason };
    expect(decodeResponse(answer).choices[0]).toMatchObject({ finishReason, rawFinishReason: stopReason });
    expect(encodeResponse(decodeResponse(answer), context).stopReason).toBe(stopReason);
  });

  it.each([[7], [{}], [{ message: "no" }], [{ output: { message: { content: [{ toolUse: {} }] } } }]])(
    "are refused when they are none: %j",
    (body) => {
      expect(() => decodeResponse(body)).toThrowError(expect.objectContaining({ code: "upstream_invalid" }));
    },
  );

  it("of streams that stop early are no answers", () => {
    const half = streamOf(
      'messageStart\t{"role":"assistant"}\ncontentBlockDelta\t{"contentBlockIndex":0,"delta":{"text":"H"}}',
    );
    expect(() => chunksIn(half)).toThrowError(expect.objectContaining({ code: "upstream_truncated" }));
  });

  it("are whole when the stop is there, without what usually follows and with blocks left open", () => {
    const bare = streamOf(
      'contentBlockDelta\t{"contentBlockIndex":0,"delta":{"reasoningContent":{"redactedContent":"AA=="}}}\n' +
        'contentBlockDelta\t{"contentBlockIndex":0,"delta":{"reasoningContent":{"redactedContent":"/w=="}}}\n' +
        'newerEvent\t{"a":1}\nmessageStop\t{"stopReason":"end_turn"}',
    );
    expect(assembled(chunksIn(bare)).choices[0]).toMatchObject({
      content: [{ type: "redacted-thinking", data: "AP8=" }],
      finishReason: "stop",
    });
  });
});

describe("a tool of the vendor's own that it has called", () => {
  const use = { toolUseId: "s", name: "nova_grounding", type: "server_tool_use" };
  const result = { toolUseId: "s", type: "nova_grounding_result", status: "success" };
  const answer = {
    output: {
      message: {
        role: "assistant",
        content: [
          { toolUse: { ...use, input: { query: "q" } } },
          { toolResult: { ...result, content: [{ text: "r" }] } },
          { text: "Said." },
        ],
      },
    },
    stopReason: "end_turn",
  };
  const events = [
    ["contentBlockStart", { contentBlockIndex: 0, start: { toolUse: use } }],
    ["contentBlockDelta", { contentBlockIndex: 0, delta: { toolUse: { input: '{"query":' } } }],
    ["contentBlockDelta", { contentBlockIndex: 0, delta: { toolUse: { input: '"q"}' } } }],
    ["contentBlockStop", { contentBlockIndex: 0 }],
    ["contentBlockStart", { contentBlockIndex: 1, start: { toolResult: result } }],
    ["contentBlockDelta", { contentBlockIndex: 1, delta: { toolResult: [{ text: "r" }] } }],
    ["contentBlockStop", { contentBlockIndex: 1 }],
    ["contentBlockDelta", { contentBlockIndex: 2, delta: { text: "Said." } }],
    ["messageStop", { stopReason: "end_turn" }],
  ];
  const stream = streamOf(events.map(([name, fields]) => `${name}\t${JSON.stringify(fields)}`).join("\n"));

  it("is nothing for clients of other formats to call", () => {
    expect(openAiChat.encodeResponse(decodeResponse(answer), context)).toMatchObject({
      choices: [{ message: { role: "assistant", content: "Said." } }],
    });
    expect(JSON.stringify(openAiChat.encodeResponse(decodeResponse(answer), context))).not.toContain("tool_calls");
  });

  it("comes back as it was, whole and streamed", () => {
    expect(encodeResponse(decodeResponse(answer), context)).toMatchObject(answer);
    const read = assembled(chunksIn(stream));
    expect(read.choices).toEqual(decodeResponse(answer).choices);
    const encoder = encodeStream?.(context);
    const written =
      chunksIn(stream)
        .map((chunk) => encoder?.push(chunk))
        .join("") + encoder?.end();
    expect(assembled(chunksIn(written)).choices).toEqual(read.choices);
  });

  it("has an empty input where it says none", () => {
    const bare = streamOf(
      [events[0], events[3], events[8]].map(([name, fields] = []) => `${name}\t${JSON.stringify(fields)}`).join("\n"),
    );
    expect(assembled(chunksIn(bare)).choices[0]?.content).toMatchObject([
      { value: { toolUse: { ...use, input: {} } } },
    ]);
  });
});

describe("bedrock-converse errors", () => {
  it.each([
    [{ message: "m" }, { message: "m" }],
    [{ Message: "m" }, { message: "m" }],
    [
      { __type: "com.amazon#ThrottlingException:x", message: "m" },
      { message: "m", type: "ThrottlingException" },
    ],
    [{ __type: "InternalFailure" }, { message: "InternalFailure", type: "InternalFailure" }],
    [{ error: { message: "m" } }, { message: "m" }],
    ["no", undefined],
  ])("are read: %j", (body, detail) => {
    expect(decodeError(body)).toEqual(detail);
  });

  it.each([
    ["rate_limit_exceeded", 429, "ThrottlingException"],
    ["RESOURCE_EXHAUSTED", 429, "ThrottlingException"],
    ["throttlingException", 400, "ThrottlingException"],
    [undefined, 403, "AccessDeniedException"],
    ["gateway_error", 500, "InternalServerException"],
  ])("are written as AWS's clients know them: %s with %i", (type, status, name) => {
    const body = encodeError?.({ error: { message: "m", type }, provider: "p" }, status) ?? {};
    expect(body).toEqual({ __type: name, message: "m", provider: "p" });
    expect(errorHeaders?.(body)).toEqual({ "x-amzn-errortype": name });
  });

  it("end a stream as an exception it may hold", () => {
    const failed = (type: string) =>
      eventsOf(bedrockConverse.encodeStream?.(context).fail({ type, message: "m" }) ?? "");
    expect(failed("rate_limit_error").map(({ event, data }) => [event, JSON.parse(data)])).toEqual([
      ["exception", { __type: "throttlingException", message: "m" }],
    ]);
    expect(failed("upstream_truncated")[0]?.data).toContain("modelStreamErrorException");
    expect(bytesOf(streamOf('a\t{"b":"ü"}')).toString()).toContain("ü");
  });
});

it.each([
  [
    30,
    20,
    [
      { ttl: "1h", inputTokens: 20 },
      { ttl: "5m", inputTokens: 10 },
    ],
  ],
  [20, 20, [{ ttl: "1h", inputTokens: 20 }]],
  [0, 0, undefined],
  [30, undefined, undefined],
])("says how much of %j tokens was written to a cache for how long: %j for an hour", (written, hour, details) => {
  const usage = {
    inputTokens: 1,
    outputTokens: 1,
    cacheWriteTokens: written,
    ...(hour !== undefined && { cacheWriteHourTokens: hour }),
  };
  const answer = { choices: [{ index: 0, content: [], finishReason: "stop" as const }], usage };
  const told = bedrockConverse.encodeResponse(answer, context) as { usage: Record<string, unknown> };
  expect(told.usage.cacheDetails).toEqual(details);
  if (details) expect(bedrockConverse.decodeResponse(told).usage).toEqual(usage);
});
