import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../../core/index.ts";
import { decodeRequest, drops, encodeRequest } from "./request.ts";

const said = (...messages: unknown[]) => ({ model: "m", messages });
const user = { role: "user", content: "Hi" };

describe("openai-chat request refusals", () => {
  it.each<[string, unknown, string, RegExp]>([
    ["no body", null, "body", /an object, got null/],
    ["no messages", { model: "m" }, "messages", /is required and must be a list/],
    ["no message", said(), "messages", /a list with at least one item, got \[\]/],
    ["a message that is none", said("hi"), "messages[0]", /an object, got "hi"/],
    ["an unknown role", said({ role: "robot" }), "messages[0].role", /one of system, .*, got "robot"/],
    ["no content", said({ role: "user" }), "messages[0].content", /required.* a string or a list of parts/],
    ["a part without a type", said(user, { role: "user", content: [{}] }), "messages[1].content[0].type", /a string/],
    [
      "a part whose type is no text",
      said({ role: "user", content: [{ type: 7 }] }),
      "messages[0].content[0].type",
      /a string, got 7/,
    ],
    [
      "an image among instructions",
      said({ role: "system", content: [{ type: "image_url" }] }),
      "messages[0].content[0].type",
      /"text", got "image_url"/,
    ],
    [
      "an image without an address",
      said({ role: "user", content: [{ type: "image_url", image_url: {} }] }),
      "messages[0].content[0].image_url.url",
      /a string/,
    ],
    [
      "a data URL without base64",
      said({ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png,x" } }] }),
      "messages[0].content[0].image_url.url",
      /base64/,
    ],
    [
      "a file without content",
      said({ role: "user", content: [{ type: "file", file: {} }] }),
      "messages[0].content[0].file",
      /file_id, file_data or file_url/,
    ],
    ["a tool message without its call", said({ role: "tool", content: "x" }), "messages[0].tool_call_id", /required/],
    [
      "a tool call without a name",
      said({ role: "assistant", tool_calls: [{ id: "a", type: "function", function: {} }] }),
      "messages[0].tool_calls[0].function.name",
      /a string/,
    ],
    [
      "a tool call of an unknown type",
      said({ role: "assistant", tool_calls: [{ id: "a", type: "magic" }] }),
      "messages[0].tool_calls[0].type",
      /"function" or "custom", got "magic"/,
    ],
    [
      "a tool without a name",
      { ...said(user), tools: [{ type: "function", function: {} }] },
      "tools[0].function.name",
      /required/,
    ],
    ["a temperature in words", { ...said(user), temperature: "hot" }, "temperature", /a number, got "hot"/],
    ["a stop that is no text", { ...said(user), stop: [1] }, "stop", /a string or a list of strings, got \[1\]/],
    [
      "a tool choice that is a number",
      { ...said(user), tool_choice: 1 },
      "tool_choice",
      /a string or an object, got 1/,
    ],
    [
      "a schema format without a schema",
      { ...said(user), response_format: { type: "json_schema" } },
      "response_format.json_schema",
      /an object/,
    ],
  ])("names the place of %s", (_, wire, param, message) => {
    expect(() => decodeRequest(wire)).toThrow(
      expect.objectContaining({ code: "invalid_request", message: expect.stringMatching(message), details: { param } }),
    );
  });

  it("leaves ranges to the vendors", () => {
    expect(decodeRequest({ ...said(user), temperature: 99, n: -1, max_tokens: 0 })).toMatchObject({
      temperature: 99,
      n: -1,
      maxTokens: 0,
    });
  });
});

describe("openai-chat request", () => {
  const wireOf = (request: Partial<ChatRequest>) => {
    const dropped: string[] = [];
    const wire = encodeRequest(
      { model: "m", messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }], stream: false, ...request },
      (name) => dropped.push(name),
    );
    return { wire, dropped };
  };

  it("reads max_tokens and max_completion_tokens as one limit, and writes it as it was written", () => {
    const again = (wire: object) => encodeRequest(decodeRequest({ ...said(user), ...wire }), () => {});
    expect(decodeRequest({ ...said(user), max_tokens: 5, max_completion_tokens: 7 }).maxTokens).toBe(7);
    for (const limit of [{ max_tokens: 5 }, { max_completion_tokens: 7 }, { max_tokens: 5, max_completion_tokens: 7 }])
      expect(again(limit)).toEqual({ ...said(user), ...limit });
    expect(wireOf({ maxTokens: 3 }).wire).toMatchObject({ max_completion_tokens: 3 });
  });

  it("reports what it cannot carry, fields and tools of other formats under their public names", () => {
    const { wire, dropped } = wireOf({
      topK: 3,
      reasoning: { mode: "enabled", budgetTokens: 2048 },
      serviceTier: "standard_only",
      tools: [
        { type: "native", format: "anthropic-messages", value: { type: "web_search_20250305", name: "web_search" } },
        { type: "native", format: "gemini", value: { googleSearch: {} } },
      ],
      toolChoice: { type: "auto" },
      extra: { format: "anthropic-messages", fields: { context_management: {}, mcpServers: [{}] } },
    });
    expect(dropped).toEqual([
      "top_k",
      "thinking",
      "service_tier",
      "context_management",
      "mcp_servers",
      "tools.web_search",
      "tools.google_search",
      "tool_choice",
    ]);
    expect(wire).toEqual({ model: "m", messages: [user] });
    expect(drops).toEqual(expect.arrayContaining(["top_k", "thinking", "service_tier", "tool_choice"]));
  });

  it("writes what was said in this format as it was said, also when something else has been changed", () => {
    const own = { top_k: 0, thinking: { type: "disabled" }, reasoning_effort: "high", service_tier: "standard_only" };
    const dropped: string[] = [];
    const canonical = { ...decodeRequest({ ...said(user), ...own }), maxTokens: 5 };
    expect(encodeRequest(canonical, (name) => dropped.push(name))).toEqual({
      ...said(user),
      ...own,
      max_completion_tokens: 5,
    });
    expect(dropped).toEqual([]);
    const thinks = { ...canonical, reasoning: { mode: "enabled", budgetTokens: 1024 } } as const;
    expect(encodeRequest(thinks, () => {}).thinking).toEqual({ type: "enabled", budget_tokens: 1024 });
  });

  it.each([
    [{ type: "enabled", keep: "all" }, { mode: "enabled" }],
    [
      { type: "enabled", effort: "high", keep: "all" },
      { effort: "high", switchedOn: true },
    ],
    [
      { type: "adaptive", effort: "high" },
      { mode: "adaptive", effort: "high" },
    ],
    [
      { type: "enabled", budget_tokens: 2048, effort: "high" },
      { effort: "high", switchedOn: true, budgetTokens: 2048 },
    ],
    [{ type: "disabled", clear_thinking: false }, { mode: "disabled" }],
    [{ type: "enabled", effort: 3 }, undefined],
    [{ type: "enabled", tier: "high" }, undefined],
  ])("reads of %j what all know, and writes it whole", (thinking, reasoning) => {
    const dropped: string[] = [];
    const canonical = decodeRequest({ ...said(user), thinking });
    expect(canonical.reasoning).toEqual(reasoning);
    expect(Object.keys(canonical.extra?.fields ?? {})).toEqual(reasoning ? [] : ["thinking"]);
    const wire = encodeRequest({ ...canonical, maxTokens: 5 }, (name) => dropped.push(name));
    expect(wire).toEqual({ ...said(user), thinking, max_completion_tokens: 5 });
    expect(dropped).toEqual([]);
  });

  it("reads a schema beside json_object, and writes it as it was", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const dropped: string[] = [];
    const canonical = decodeRequest({ ...said(user), response_format: { type: "json_object", schema } });
    expect(canonical.responseFormat).toEqual({ type: "json-schema", schema });
    expect(canonical.extra?.fields).toEqual({});
    const wire = encodeRequest(canonical, (name) => dropped.push(name));
    expect(wire).toEqual({ ...said(user), response_format: { type: "json_object", schema } });
    expect(dropped).toEqual([]);
  });

  it("reads a schema where its description belongs, and nothing that is neither", () => {
    const read = (json_schema: object) =>
      decodeRequest({ ...said(user), response_format: { type: "json_schema", json_schema } }).responseFormat;
    const schema = { type: "object", properties: { a: { type: "string" } }, description: "d" };
    expect(read(schema)).toEqual({ type: "json-schema", schema });
    expect(read({ name: "n" })).toBeUndefined();
    expect(read({ strict: true })).toBeUndefined();
    const more = { type: "json_schema", json_schema: schema, strict: true };
    expect(decodeRequest({ ...said(user), response_format: more }).responseFormat).toBeUndefined();
  });

  it("lets a thinking switch of another format win over its effort", () => {
    const responses = { extra: { format: "openai-responses", fields: {} } };
    expect(wireOf({ ...responses, reasoning: { mode: "enabled", budgetTokens: 2048, effort: "low" } })).toEqual({
      wire: { model: "m", messages: [user], thinking: { type: "enabled", budget_tokens: 2048 } },
      dropped: ["reasoning_effort"],
    });
    expect(wireOf({ reasoning: { mode: "disabled", effort: "low" } })).toEqual({
      wire: { model: "m", messages: [user] },
      dropped: ["thinking", "reasoning_effort"],
    });
  });

  it("carries effort, and reports only an explicit thinking switch", () => {
    expect(wireOf({ reasoning: { effort: "high" } })).toMatchObject({
      dropped: [],
      wire: { reasoning_effort: "high" },
    });
    expect(wireOf({ reasoning: { mode: "adaptive", effort: "low" } })).toMatchObject({
      dropped: ["thinking"],
      wire: { reasoning_effort: "low" },
    });
  });

  it("puts images that tools gave into a user message after the last tool message, with what the user says next", () => {
    const source = { kind: "data", data: "AAAA", mediaType: "image/png" } as const;
    const { wire, dropped } = wireOf({
      messages: [
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "a",
              content: [
                { type: "text", text: "see" },
                { type: "image", source },
              ],
              isError: true,
            },
            { type: "tool-result", toolCallId: "b", content: [] },
          ],
        },
        { role: "tool", content: [{ type: "tool-result", toolCallId: "c", content: [{ type: "text", text: "3" }] }] },
        { role: "user", content: [{ type: "text", text: "Well?" }] },
      ],
    });
    expect(wire.messages).toEqual([
      { role: "tool", tool_call_id: "a", content: "see" },
      { role: "tool", tool_call_id: "b", content: "" },
      { role: "tool", tool_call_id: "c", content: "3" },
      {
        role: "user",
        content: [
          { type: "text", text: "Result 1:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          { type: "text", text: "Well?" },
        ],
      },
    ]);
    expect(dropped).toEqual(["messages.tool_result.is_error"]);
  });

  it("pairs calls and answers of the deprecated function API, and writes them back", () => {
    const wire = said(
      user,
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
      { role: "function", name: "f", content: "1" },
    );
    const request = decodeRequest(wire);
    expect(request.messages.slice(1)).toMatchObject([
      { role: "assistant", content: [{ type: "tool-call", id: "call_function_1", name: "f", arguments: "{}" }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "call_function_1" }] },
    ]);
    expect(encodeRequest(request, () => {})).toEqual(wire);
  });

  it("reads of added-up deltas what is surely whole, and the text from where it is", () => {
    const content = (content_blocks: object[]) =>
      decodeRequest(said(user, { role: "assistant", content: "Hello", content_blocks })).messages[1]?.content;
    const text = { type: "text", text: "Hello" };
    expect(content([{ index: 0, delta: { thinking: "Hm." } }])).toEqual([text]);
    expect(
      content([
        { index: 0, delta: { signature: "s" } },
        { index: 1, delta: { text: "lo" } },
      ]),
    ).toEqual([text]);
    expect(content([{ index: 0, delta: { thinking: "Hm.", signature: "s" } }])).toMatchObject([
      { type: "thinking", text: "Hm." },
      text,
    ]);
    expect(content([{ index: 0, delta: { data: "d" } }])).toEqual([{ type: "redacted-thinking", data: "d" }, text]);
  });

  it.each([
    ["no blocks", []],
    ["blocks of calls only", [{ type: "tool_use", id: "t", name: "f", input: {} }]],
  ])("reads the content of an answer with %s", (_, content_blocks) => {
    const { messages } = decodeRequest(said(user, { role: "assistant", content: "Hello", content_blocks }));
    expect(messages[1]?.content).toEqual([{ type: "text", text: "Hello" }]);
  });
});
