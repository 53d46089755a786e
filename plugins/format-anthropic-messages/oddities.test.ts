import { describe, expect, it } from "vitest";
import type { AssistantPart, ChatRequest, Message } from "../../core/index.ts";
import { openAiChat } from "../format-openai-chat/index.ts";
import { anthropicMessages } from "./index.ts";
import { assembled, chunksIn, context } from "./testing.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, decodeError, readStreamEnd, readUsage } =
  anthropicMessages;

const frame = (data: Record<string, unknown>) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const start = frame({ type: "message_start", message: { id: "msg_1", model: "claude" } });
const block = (index: number, content_block: unknown) => frame({ type: "content_block_start", index, content_block });
const ending = (delta: object, more: object = {}) => frame({ type: "message_delta", delta, ...more });
const answered = (...frames: string[]) => assembled(chunksIn([start, ...frames].join("")));

describe("anthropic-messages streams as vendors really send them", () => {
  const said = block(0, { type: "text", text: "Hi" });
  const dropped = [{ type: "thinking_dropped" }];
  const last = ending(
    { stop_reason: "end_turn", stop_sequence: null, container: { id: "c1" } },
    { context_management: { applied_edits: [] }, input_transformations: dropped, usage: { output_tokens: 2 } },
  );

  it("say at their end what belongs to the whole answer", () => {
    const whole = decodeResponse({
      id: "msg_1",
      model: "claude",
      content: [{ type: "text", text: "Hi" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      container: { id: "c1" },
      context_management: { applied_edits: [] },
      input_transformations: dropped,
      usage: { output_tokens: 2 },
    });
    const response = answered(said, last);
    expect(response).toEqual(whole);
    expect(encodeResponse(whole, context)).toMatchObject({
      container: { id: "c1" },
      context_management: { applied_edits: [] },
      input_transformations: dropped,
    });
  });

  it("keep it when they are written again", () => {
    const encoder = anthropicMessages.encodeStream?.(context);
    const chunks = chunksIn([start, said, last].join(""));
    const text = chunks.map((chunk) => encoder?.push(chunk)).join("") + encoder?.end();
    const [data = ""] = /\{"type":"message_delta".*/.exec(text) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      delta: { stop_reason: "end_turn", container: { id: "c1" } },
      context_management: { applied_edits: [] },
      input_transformations: dropped,
    });
    expect(assembled(chunksIn(text)).choices).toEqual(assembled(chunks).choices);
  });

  it("have an empty stop reason until there is one", () => {
    const frames = [said, ending({ stop_reason: "" }), ending({ stop_reason: "max_tokens" })];
    expect(answered(...frames).choices[0]).toMatchObject({ finishReason: "length", rawFinishReason: "max_tokens" });
    expect(() => answered(...frames.slice(0, 2))).toThrow(expect.objectContaining({ code: "upstream_truncated" }));
    const events = [{ data: JSON.stringify({ type: "message_delta", delta: { stop_reason: "" } }) }];
    expect(readStreamEnd?.(events)).toMatchObject({ finished: false });
  });

  it("use one index for several blocks, and stop none of them", () => {
    const tool = (id: string) => block(0, { type: "tool_use", id, name: "f", input: { id } });
    const opaque = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
    const content = answered(tool("a"), block(0, opaque), tool("b"), ending({ stop_reason: "tool_use" }));
    expect(content.choices[0]?.content).toEqual([
      { type: "tool-call", id: "a", name: "f", arguments: '{"id":"a"}' },
      { type: "opaque", format: "anthropic-messages", value: opaque },
      { type: "tool-call", id: "b", name: "f", arguments: '{"id":"b"}' },
    ]);
  });

  it("have blocks and reasons whose names objects know by themselves", () => {
    const content = answered(block(0, { type: "constructor" }), ending({ stop_reason: "toString" }));
    expect(content.choices).toEqual([
      {
        index: 0,
        content: [{ type: "opaque", format: "anthropic-messages", value: { type: "constructor" } }],
        finishReason: "other",
        rawFinishReason: "toString",
      },
    ]);
  });
});

describe("anthropic-messages answers as vendors really send them", () => {
  it("have no content", () => {
    expect(decodeResponse({ content: null, stop_reason: "refusal" }).choices).toEqual([
      { index: 0, content: [], finishReason: "content-filter", rawFinishReason: "refusal" },
    ]);
  });

  it("are errors that came as answers", () => {
    const error = { type: "overloaded_error", message: "Overloaded" };
    expect(() => decodeResponse({ type: "error", error })).toThrow(
      expect.objectContaining({ code: "upstream_invalid", message: expect.stringContaining("Overloaded") }),
    );
  });

  it("have errors that only name their type", () => {
    expect(decodeError({ error: { type: "overloaded_error" } })).toEqual({
      message: "overloaded_error",
      type: "overloaded_error",
    });
  });

  it("count with text, and with -1 for what they do not know", () => {
    expect(readUsage({ usage: { input_tokens: "7", output_tokens: 3, cache_read_input_tokens: -1 } })).toEqual({
      inputTokens: 7,
      outputTokens: 3,
    });
  });
});

describe("anthropic-messages requests of other clients", () => {
  const user: Message = { role: "user", content: [{ type: "text", text: "Hi" }] };
  function encoded(fields: Partial<ChatRequest>) {
    const dropped: string[] = [];
    const request = { model: "claude-sonnet-4-5", messages: [user], stream: false, ...fields };
    return { wire: encodeRequest(request, (name) => dropped.push(name)), dropped };
  }
  const messagesOf = (...messages: Message[]) => encoded({ messages }).wire.messages;

  it("have stop sequences the API refuses", () => {
    expect(encoded({ stop: ["\n", "END"] })).toMatchObject({ wire: { stop_sequences: ["END"] }, dropped: ["stop"] });
    expect(encoded({ stop: ["\n\n"] }).wire).not.toHaveProperty("stop_sequences");
  });

  it("have assistants that said nothing but white space", () => {
    const call: AssistantPart = { type: "tool-call", id: "t", name: "f", arguments: "{}" };
    const { wire, dropped } = encoded({
      messages: [user, { role: "assistant", content: [{ type: "text", text: "\n\n" }, call] }],
    });
    expect(wire.messages).toEqual([
      { role: "user", content: "Hi" },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] },
    ]);
    expect(dropped).toEqual(["messages.text"]);
  });

  it("have ids of calls the API refuses, in the call and in its result", () => {
    const id = "functions.get_weather:0";
    expect(
      messagesOf(
        { role: "assistant", content: [{ type: "tool-call", id, name: "f", arguments: "{}" }] },
        { role: "tool", content: [{ type: "tool-result", toolCallId: id, content: [] }] },
      ),
    ).toEqual([
      { role: "assistant", content: [{ type: "tool_use", id: "functions_get_weather_0", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "functions_get_weather_0" }] },
    ]);
  });

  it("name a type of image that has another name here", () => {
    const source = { kind: "data", data: "AAAA", mediaType: "image/jpg" } as const;
    expect(messagesOf({ role: "user", content: [{ type: "image", source }] })).toEqual([
      {
        role: "user",
        content: [{ type: "image", source: { type: "base64", media_type: "image/jpeg", data: "AAAA" } }],
      },
    ]);
  });

  it("show documents that are neither text nor PDF, which the API refuses", () => {
    const shown = (mediaType: string) =>
      ({ type: "document", source: { kind: "data", data: "AAAA", mediaType } }) as const;
    const content = [shown("video/mp4"), shown("application/msword"), shown("application/pdf")];
    const { wire, dropped } = encoded({ messages: [{ role: "user", content }] });
    expect(wire.messages).toMatchObject([{ content: [{ source: { media_type: "application/pdf" } }] }]);
    expect([...new Set(dropped)]).toEqual(["messages.document"]);
  });

  it.each([
    ["claude-opus-4-1-20250805", 32_000, 27_904],
    ["anthropic/claude-opus-4", 32_000, 27_904],
    ["claude-opus-4-5", 36_864, 32_768],
    ["claude-sonnet-4-20250514", 36_864, 32_768],
  ])("think within what %s may answer", (model, max_tokens, budget_tokens) => {
    expect(encoded({ model, reasoning: { effort: "xhigh" } }).wire).toMatchObject({
      max_tokens,
      thinking: { type: "enabled", budget_tokens },
    });
  });

  it("ask for an effort nobody knows, though objects do", () => {
    const { wire, dropped } = encoded({ reasoning: { effort: "constructor" } });
    expect(wire).not.toHaveProperty("thinking");
    expect(dropped).toEqual(["reasoning_effort"]);
    expect(encoded({ model: "claude-opus-4-6", reasoning: { effort: "constructor" } }).wire).toMatchObject({
      output_config: { effort: "constructor" },
    });
  });

  it("keep their cache markers wherever they stand", () => {
    const cache_control = { type: "ephemeral", ttl: "1h" };
    const text = { type: "text", text: "a", cache_control };
    const source = { type: "url", url: "https://x.example" };
    const wire = {
      model: "claude-sonnet-4-5",
      max_tokens: 9,
      cache_control,
      system: [text],
      messages: [
        { role: "user", content: [text, { type: "image", source, cache_control }] },
        { role: "assistant", content: [text, { type: "tool_use", id: "t", name: "f", input: {}, cache_control }] },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "t",
              content: [text, { type: "image", source, cache_control }],
              cache_control,
            },
            { type: "document", source, cache_control },
          ],
        },
      ],
      tools: [{ name: "f", description: "", input_schema: { type: "object" }, cache_control }],
    };
    expect(encodeRequest(decodeRequest(wire), (name) => expect.fail(name))).toEqual(wire);
  });
});

it("a text with an empty list of citations has none, and loses none elsewhere", () => {
  const said = { type: "text", text: "Hi", citations: [] };
  const { messages } = decodeRequest({ model: "m", max_tokens: 9, messages: [{ role: "user", content: [said] }] });
  expect(messages[0]?.content).toEqual([{ type: "text", text: "Hi" }]);
});

describe("citations of a kind that nobody here knows", () => {
  const page = { type: "char_location", cited_text: "Hi", document_index: 0, start_char_index: 0, end_char_index: 2 };
  const citations = [{ type: "of_tomorrow", mark: 1 }, page];
  const text = { type: "text", text: "Hi", citations };
  const ended = { stop_reason: "end_turn", usage: { output_tokens: 2 } };

  it("stay in answers that are written anew, whole and streamed, beside those that are known", () => {
    const whole = decodeResponse({ id: "msg_1", model: "claude", content: [text], ...ended });
    expect(encodeResponse(whole, context)).toMatchObject({ content: [text] });
    const deltas = citations.map((citation) =>
      frame({ type: "content_block_delta", index: 0, delta: { type: "citations_delta", citation } }),
    );
    const chunks = chunksIn(
      [start, block(0, { type: "text", text: "Hi" }), ...deltas, ending({ stop_reason: "end_turn" })].join(""),
    );
    const encoder = anthropicMessages.encodeStream?.(context);
    const streamed = chunks.map((chunk) => encoder?.push(chunk)).join("") + encoder?.end();
    expect(assembled(chunks).choices[0]?.content).toEqual(whole.choices[0]?.content);
    expect(assembled(chunksIn(streamed)).choices[0]?.content).toEqual(whole.choices[0]?.content);
  });

  it("stay in a history that goes back, and are named as lost for others", () => {
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: [text] },
      { role: "user", content: "And?" },
    ];
    const lost: string[] = [];
    const asked = decodeRequest({ model: "m", max_tokens: 9, messages });
    expect(encodeRequest(asked, (name) => lost.push(name))).toMatchObject({ messages: [{}, { content: [text] }, {}] });
    expect(lost).toEqual([]);
    openAiChat.encodeRequest(asked, (name) => lost.push(name));
    expect(lost).toEqual(["messages.citations"]);
  });

  it("are not this format's because a client of another one brings them in a block of its shape", () => {
    const others = {
      type: "text",
      text: "Hi",
      citations: [{ title: "A", location: { web: { url: "https://a.example/" } } }],
    };
    const said = { role: "assistant", content: "Hi", content_blocks: [others] };
    const messages = [{ role: "user", content: "Hi" }, said, { role: "user", content: "And?" }];
    const lost: string[] = [];
    const wire = encodeRequest(openAiChat.decodeRequest({ model: "m", messages }), (name) => lost.push(name));
    expect(JSON.stringify(wire)).not.toContain("citations");
    expect(lost).toEqual(["messages.citations"]);
  });
});
