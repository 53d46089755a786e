import { describe, expect, it } from "vitest";
import type { AssistantPart, ChatRequest, ContentPart, Message, Tool } from "../../../core/index.ts";
import { deepFreeze } from "../../../test/arbitraries/chat.ts";
import { anthropicMessages } from "../index.ts";

const user = (...content: ContentPart[]): Message => ({ role: "user", content });
const said = (...content: AssistantPart[]): Message => ({ role: "assistant", content });
const text = (value: string) => ({ type: "text" as const, text: value });
const request = (fields: Partial<ChatRequest> = {}): ChatRequest =>
  deepFreeze({ model: "claude-sonnet-4-5", messages: [user(text("Hi"))], stream: false, maxTokens: 9, ...fields });

function encoded(fields: Partial<ChatRequest>) {
  const dropped: string[] = [];
  const wire = anthropicMessages.encodeRequest(request(fields), (name) => dropped.push(name));
  return { wire, dropped };
}
const messagesOf = (...messages: Message[]) => encoded({ messages }).wire.messages;

describe("anthropic-messages request fields", () => {
  const tools: Tool[] = [{ type: "function", name: "f" }];
  const schema = { type: "object", properties: { list: { type: "array", items: { type: "object", properties: {} } } } };
  const sampling = ["temperature", "top_p", "top_k"];
  const foreign = (fields: Record<string, unknown>) => ({ extra: { format: "openai-chat", fields } });

  const bounded = { type: "integer", minimum: 1 };
  it.each<[Partial<ChatRequest>, Record<string, unknown>, string[]]>([
    [{ temperature: 1.7 }, { temperature: 1 }, []],
    [{ temperature: 0, topP: 0.5 }, { temperature: 0 }, ["top_p"]],
    [{ topP: 0.5, topK: 3 }, { top_p: 0.5, top_k: 3 }, []],
    [{ model: "claude-sonnet-4-6", temperature: 0.5, topK: 3 }, { temperature: 0.5, top_k: 3 }, []],
    [{ model: "claude-opus-4-7", temperature: 1 }, {}, []],
    [{ model: "us.anthropic.claude-sonnet-5-v1:0", temperature: 0.5, topP: 1, topK: 3 }, {}, sampling],
    [{ model: "claude-fable-5", temperature: 0.5, topP: 1, topK: 3 }, {}, sampling],
    [{ stop: ["a"], stream: true }, { stop_sequences: ["a"], stream: true }, []],
    [{ user: "u" }, { metadata: { user_id: "u" } }, []],
    [{ n: 2, seed: 0, logprobs: true, topLogprobs: 3 }, {}, ["n", "logprobs", "top_logprobs", "seed"]],
    [{ n: 1, presencePenalty: 0, frequencyPenalty: 0, logitBias: {}, logprobs: false }, {}, []],
    [{ responseFormat: { type: "json" } }, {}, ["response_format"]],
    [
      { responseFormat: { type: "json-schema", name: "x", schema, strict: true } },
      {
        output_config: {
          format: {
            type: "json_schema",
            schema: {
              type: "object",
              properties: {
                list: { type: "array", items: { type: "object", properties: {}, additionalProperties: false } },
              },
              additionalProperties: false,
            },
          },
        },
      },
      [],
    ],
    [
      { responseFormat: { type: "json-schema", schema: { type: "object", properties: { n: bounded } } } },
      {
        output_config: {
          format: {
            type: "json_schema",
            schema: {
              type: "object",
              properties: { n: { type: "integer", description: '{"minimum":1}' } },
              additionalProperties: false,
            },
          },
        },
      },
      [],
    ],
    [
      { responseFormat: { type: "json-schema", schema: { properties: { a: { $ref: "#" } } } } },
      {},
      ["response_format"],
    ],
    [
      { responseFormat: { type: "json-schema", schema: { type: "object" } } },
      { output_config: { format: { type: "json_schema", schema: { type: "object", additionalProperties: false } } } },
      ["response_format.schema"],
    ],
    [{ serviceTier: "auto" }, { service_tier: "auto" }, []],
    [{ serviceTier: "default" }, { service_tier: "standard_only" }, []],
    [{ serviceTier: "fast" }, { speed: "fast" }, []],
    [{ serviceTier: "flex" }, {}, ["service_tier"]],
    [{ toolChoice: { type: "auto" } }, {}, ["tool_choice"]],
    [
      { tools, parallelToolCalls: false },
      {
        tools: [{ name: "f", description: "", input_schema: { type: "object" } }],
        tool_choice: { type: "auto", disable_parallel_tool_use: true },
      },
      [],
    ],
    [
      foreign({ cache_control: { type: "ephemeral" }, store: true, speed: "fast", output_config: { x: 1 } }),
      { cache_control: { type: "ephemeral" }, speed: "fast", output_config: { x: 1 } },
      ["store"],
    ],
    [{ extra: { format: "gemini", fields: { speed: 1 } } }, {}, ["speed"]],
    [foreign({ store: null, modalities: [] }), {}, []],
    [
      { ...foreign({ thinking: { type: "between_tools" } }), reasoning: { effort: "high" } },
      { thinking: { type: "between_tools" } },
      ["reasoning_effort"],
    ],
  ])("encodes %j", (fields, wire, dropped) => {
    const result = encoded(fields);
    const { model: _model, max_tokens: _max, messages: _messages, ...rest } = result.wire;
    expect(rest).toEqual(wire);
    expect(result.dropped).toEqual(dropped);
  });

  it("takes max_tokens of a chat client before max_completion_tokens", () => {
    expect(encoded({ maxTokens: 5, ...foreign({ max_tokens: 7 }) })).toMatchObject({
      wire: { max_tokens: 7 },
      dropped: [],
    });
  });

  it("asks for 4096 tokens when the client named no number", () => {
    const { maxTokens: _, ...rest } = request();
    expect(anthropicMessages.encodeRequest(rest, () => {}).max_tokens).toBe(4096);
  });
});

describe("anthropic-messages tools", () => {
  const tool = (fields: Partial<Extract<Tool, { type: "function" }>>): Tool => ({
    type: "function",
    name: "f",
    ...fields,
  });
  const bare = { name: "f", description: "", input_schema: { type: "object" } };
  it.each<[Tool, unknown[], string[]]>([
    [tool({}), [bare], []],
    [
      tool({ description: "F", parameters: { properties: {}, $defs: {} }, cache: { ttl: "1h" } }),
      [
        {
          name: "f",
          description: "F",
          input_schema: { type: "object", properties: {}, $defs: {} },
          cache_control: { type: "ephemeral", ttl: "1h" },
        },
      ],
      [],
    ],
    [tool({ strict: true }), [bare], ["tools.strict"]],
    [
      tool({ extra: { format: "openai-chat", fields: { defer_loading: true, color: 1 } } }),
      [{ ...bare, defer_loading: true }],
      ["tools.color"],
    ],
    [
      {
        type: "native",
        format: "openai-chat",
        value: { type: "web_search", web_search: { name: "web_search_20250305", max_uses: 2 } },
      },
      [{ type: "web_search_20250305", name: "web_search", max_uses: 2 }],
      [],
    ],
    [
      { type: "native", format: "openai-chat", value: { type: "custom", custom: { name: "sql" } } },
      [],
      ["tools.custom"],
    ],
    [{ type: "native", format: "gemini", value: {} }, [], ["tools.native"]],
  ])("encodes %j", (value, tools, dropped) => {
    const result = encoded({ tools: [value] });
    expect(result.wire.tools ?? []).toEqual(tools);
    expect(result.dropped).toEqual(dropped);
  });
});

describe("anthropic-messages messages", () => {
  const result = (toolCallId: string): Message => ({
    role: "tool",
    content: [{ type: "tool-result", toolCallId, content: [text("1")] }],
  });
  const block = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "1" });

  it("collects instructions from anywhere into the system field", () => {
    const { wire } = encoded({
      messages: [
        { role: "system", content: [text("a")] },
        user(text("Hi")),
        { role: "developer", content: [{ ...text("b"), cache: {} }] },
      ],
    });
    expect(wire.system).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b", cache_control: { type: "ephemeral" } },
    ]);
    expect(wire.messages).toEqual([{ role: "user", content: "Hi" }]);
  });

  it("joins tool results and the user's next words into one turn", () => {
    expect(messagesOf(result("t1"), result("t2"), user(text("so?")), user(text("well?")))).toEqual([
      { role: "user", content: [block("t1"), block("t2"), { type: "text", text: "so?" }] },
      { role: "user", content: "well?" },
    ]);
  });

  it("leaves out what the API refuses: silence, and thinking without a signature", () => {
    const { wire, dropped } = encoded({
      messages: [
        user(text("Hi")),
        said(text("")),
        said({ type: "thinking", text: "hm" }),
        said({ type: "thinking", text: "hm", signature: "s" }, { type: "refusal", text: "No." }),
        user(text("so?")),
      ],
    });
    expect(wire.messages).toEqual([
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "text", text: "No." },
        ],
      },
      { role: "user", content: "so?" },
    ]);
    expect(dropped).toEqual(["messages.thinking"]);
  });

  it.each<[ContentPart, unknown, string[]]>([
    [
      { type: "image", source: { kind: "data", mediaType: "application/pdf", data: "AAAA" } },
      [{ type: "document", source: { type: "base64", media_type: "application/pdf", data: "AAAA" } }],
      [],
    ],
    [
      { type: "document", source: { kind: "data", mediaType: "text/csv", data: "YSxi" }, name: "t.csv" },
      [{ type: "document", source: { type: "text", media_type: "text/plain", data: "a,b" }, title: "t.csv" }],
      [],
    ],
    [
      { type: "image", source: { kind: "file", fileId: "f1" }, detail: "high" },
      [{ type: "image", source: { type: "file", file_id: "f1" } }],
      ["messages.image_url.detail"],
    ],
    [
      { ...text("see"), citations: [{ type: "url_citation" }], extra: { format: "openai-chat", fields: { mood: 1 } } },
      "see",
      ["messages.mood", "messages.citations"],
    ],
  ])("encodes %j", (part, content, dropped) => {
    const encodedPart = encoded({ messages: [user(part)] });
    expect(encodedPart.wire.messages).toEqual([{ role: "user", content }]);
    expect(encodedPart.dropped).toEqual(dropped);
  });

  it("leaves out what the API refuses: white space alone, and turns of a user of which nothing is left", () => {
    const blank = { type: "text" as const, text: "\n" };
    const result = { type: "tool-result" as const, toolCallId: "t", content: [blank] };
    const call: AssistantPart = { type: "tool-call", id: "t", name: "f", arguments: "{}" };
    const history = [user(blank), user(text("a")), said(call), { role: "tool" as const, content: [result] }];
    const { wire, dropped } = encoded({
      messages: [...history, user(blank), said(text("b")), user(text("c")), user()],
    });
    expect(wire.messages).toEqual([
      { role: "user", content: "a" },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t" }] },
      { role: "assistant", content: [{ type: "text", text: "b" }] },
      { role: "user", content: "c" },
    ]);
    expect(dropped).toEqual(["messages.text"]);
  });

  it.each<[string, Message[]]>([
    ["nothing", [user()]],
    ["white space", [user(text(" \n"))]],
    ["nothing, after the model", [user(text("a")), said(text("b")), user(text(""))]],
    ["nothing twice, after the model", [user(text("a")), said(text("b")), user(), user(text("\t"))]],
  ])("refuses a request whose last turn says %s: the model was not asked to go on with its own", (_, messages) => {
    const param = `messages[${messages.length - 1}].content`;
    expect(() => encoded({ messages })).toThrow(
      expect.objectContaining({ code: "invalid_request", details: { param } }),
    );
  });

  it.each<[ContentPart, string]>([
    [{ type: "audio", source: { kind: "data", mediaType: "audio/wav", data: "AAAA" } }, "audio"],
    [{ type: "opaque", format: "gemini", value: { type: "video" } }, "video"],
    [{ type: "document", source: { kind: "data", mediaType: "application/zip", data: "AAAA" } }, "document"],
    [{ type: "document", source: { kind: "url", mediaType: "video/mp4", url: "https://a.example/v" } }, "document"],
    [{ type: "document", source: { kind: "url", url: "https://a.example/v.webm" } }, "document"],
    [{ type: "document", source: { kind: "url", url: "https://youtu.be/9hE5-98ZeCg" } }, "document"],
    [{ type: "document", source: { kind: "url", url: "s3://bucket/a.pdf" } }, "document"],
    [{ type: "document", source: { kind: "url", url: "gs://bucket/a.pdf", mediaType: "application/pdf" } }, "document"],
    [{ type: "image", source: { kind: "url", url: "gs://bucket/a.png" } }, "image"],
  ])("leaves out %j beside words, and refuses a request whose last turn is nothing else", (part, name) => {
    const history = [user(text("a")), said(text("b"))];
    const { wire, dropped } = encoded({ messages: [...history, user(part, text("c"))] });
    expect([wire.messages, dropped]).toMatchObject([[{}, {}, { role: "user", content: "c" }], [`messages.${name}`]]);
    const message = expect.stringContaining(`got "[${name}]"`);
    expect(() => encoded({ messages: [...history, user(part)] })).toThrow(
      expect.objectContaining({ code: "invalid_request", message, details: { param: "messages[2].content" } }),
    );
  });

  it("leaves out what says nothing behind what is to be answered", () => {
    const call: AssistantPart = { type: "tool-call", id: "t", name: "f", arguments: "{}" };
    const results = {
      role: "tool" as const,
      content: [{ type: "tool-result" as const, toolCallId: "t", content: [] }],
    };
    expect(messagesOf(user(text("a")), user(text(" ")))).toEqual([{ role: "user", content: "a" }]);
    expect(messagesOf(user(text("a")), said(call), results, user(text("")))).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      { role: "user", content: [{ type: "tool_result" }] },
    ]);
  });

  it.each(["", "{}", " ", "null"])("sends the arguments %j as an empty object", (json) => {
    const [, , turn] = messagesOf(
      user(text("a")),
      user(text("b")),
      said({ type: "tool-call", id: "t", name: "f", arguments: json }),
    ) as unknown[];
    expect(turn).toEqual({ role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] });
  });

  it.each(["{", "[1]", '"x"'])("says the arguments %j under a name no tool has a parameter for", (json) => {
    const call: AssistantPart = { type: "tool-call", id: "t", name: "f", arguments: json };
    expect(messagesOf(user(text("a")), said(call))).toEqual([
      { role: "user", content: "a" },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: { INVALID_JSON: json } }] },
    ]);
  });
});
