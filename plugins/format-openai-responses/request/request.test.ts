import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../../core/index.ts";
import { deepFreeze } from "../../../test/arbitraries/chat.ts";
import { anthropicMessages } from "../../format-anthropic-messages/index.ts";
import { bedrockConverse } from "../../format-bedrock-converse/index.ts";
import { cohereChat } from "../../format-cohere-chat/index.ts";
import { gemini } from "../../format-gemini/index.ts";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { openAiResponses } from "../index.ts";

const { decodeRequest, encodeRequest, refuseElsewhere } = openAiResponses;
const own = { format: "openai-responses", fields: {} };

const decoded = (more: object): ChatRequest => decodeRequest(deepFreeze({ model: "m", input: "Hi", ...more }));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
/** Messages as they are said, without notes about how they were written. */
const messagesOf = (input: unknown) =>
  plain(
    JSON.parse(JSON.stringify(decoded({ input }).messages, (name, value) => (name === "extra" ? undefined : value))),
  );

function written(request: Partial<ChatRequest>) {
  const dropped: string[] = [];
  const full: ChatRequest = { model: "m", stream: false, messages: [], ...request };
  const wire = encodeRequest(deepFreeze(full), (name) => dropped.push(name));
  return { wire: plain(wire) as Record<string, unknown>, dropped };
}

it("a request of this format says its thinking and its effort as they were, whatever else has been changed", () => {
  const own = { thinking: { type: "disabled" }, reasoning: { effort: "high" }, service_tier: "standard_only" };
  const dropped: string[] = [];
  const changed = { ...decodeRequest({ model: "m", input: "Hi", ...own }), maxTokens: 50 };
  expect(encodeRequest(changed, (name) => dropped.push(name))).toMatchObject({ ...own, max_output_tokens: 50 });
  expect(dropped).toEqual([]);
});

describe("openai-responses requests", () => {
  it("reads a text, and messages with and without a type, in every role", () => {
    expect(messagesOf("Hi")).toEqual([{ role: "user", content: [{ type: "text", text: "Hi" }] }]);
    const roles = ["user", "system", "developer", "assistant"];
    expect(messagesOf(roles.map((role) => ({ role, content: "x" })))).toEqual(
      roles.map((role) => ({ role, content: [{ type: "text", text: "x" }] })),
    );
    expect(messagesOf([{ type: "message", role: "tool", tool_call_id: "c", content: "x" }])).toEqual([
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c", content: [{ type: "text", text: "x" }] }] },
    ]);
  });

  it("puts instructions first, and writes them back where they were, whatever came before them", () => {
    const request = decoded({ instructions: "Be brief." });
    expect(request.messages[0]).toMatchObject({ role: "system", content: [{ text: "Be brief." }] });
    const guarded: ChatRequest = {
      ...request,
      messages: [{ role: "system", content: [{ type: "text", text: "House rules." }] }, ...request.messages],
    };
    expect(encodeRequest(guarded, () => {})).toMatchObject({
      instructions: "Be brief.",
      input: [
        { role: "system", content: "House rules." },
        { role: "user", content: "Hi" },
      ],
    });
  });

  it("makes one turn of the items of the model, and one of the results that follow each other", () => {
    expect(
      messagesOf([
        { role: "user", content: "x" },
        { type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "p" },
        { role: "assistant", content: "Let me look." },
        { type: "function_call", call_id: "a", name: "f", arguments: "{}" },
        { type: "function_call", call_id: "b", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "a", output: "1" },
        {
          type: "function_call_output",
          call_id: "b",
          output: [{ type: "input_image", image_url: "https://x.example/a" }],
        },
      ]),
    ).toEqual([
      { role: "user", content: [{ type: "text", text: "x" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", text: "hm", signature: "p", signer: "openai-responses" },
          { type: "text", text: "Let me look." },
          { type: "tool-call", id: "a", name: "f", arguments: "{}" },
          { type: "tool-call", id: "b", name: "f", arguments: "{}" },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "a", content: [{ type: "text", text: "1" }] },
          {
            type: "tool-result",
            toolCallId: "b",
            content: [{ type: "image", source: { kind: "url", url: "https://x.example/a" } }],
          },
        ],
      },
    ]);
  });

  it("puts results behind the turn that called, whatever was said in between", () => {
    const call = (id: string) => ({ type: "function_call", call_id: id, name: "f", arguments: "{}" });
    const output = (id: string) => ({ type: "function_call_output", call_id: id, output: id });
    const { messages } = decoded({
      input: [call("a"), { role: "user", content: "wait" }, call("b"), output("b"), output("a")],
    });
    const shown = messages.map(({ role, content }) => [
      role,
      content.map((part) => ("toolCallId" in part ? part.toolCallId : "id" in part ? part.id : part.type)),
    ]);
    expect(shown).toEqual([
      ["assistant", ["a"]],
      ["tool", ["a"]],
      ["user", ["text"]],
      ["assistant", ["b"]],
      ["tool", ["b"]],
    ]);
    expect(messagesOf([output("lost"), output("too")])).toMatchObject([{ role: "tool", content: { length: 2 } }]);
  });

  it("asks for no fewer tokens than the API takes, and says so", () => {
    const lost: string[] = [];
    const { extra: _, ...asked } = decoded({ input: "Hi" });
    expect(encodeRequest({ ...asked, maxTokens: 1 }, (name) => lost.push(name))).toMatchObject({
      max_output_tokens: 16,
    });
    expect(lost).toEqual(["max_tokens"]);
  });

  it("reads thinking nobody may see as what it was", () => {
    const item = { type: "reasoning", id: "rs", summary: [], encrypted_content: "redacted_thinking:abc" };
    expect(messagesOf([item])).toEqual([{ role: "assistant", content: [{ type: "redacted-thinking", data: "abc" }] }]);
  });

  it("reads settings, and asks for log probabilities when alternatives are wanted", () => {
    const settings = {
      stream: true,
      max_output_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      top_logprobs: 2,
      parallel_tool_calls: false,
      user: "u",
      service_tier: "flex",
      reasoning: { effort: "high" },
      thinking: { type: "enabled", budget_tokens: 2048 },
      tool_choice: { type: "function", name: "f" },
      text: { format: { type: "json_object" } },
    };
    expect(decoded(settings)).toMatchObject({
      stream: true,
      includeUsage: true,
      maxTokens: 9,
      temperature: 0,
      topP: 0.5,
      logprobs: true,
      topLogprobs: 2,
      parallelToolCalls: false,
      user: "u",
      serviceTier: "flex",
      reasoning: { mode: "enabled", budgetTokens: 2048, effort: "high" },
      toolChoice: { type: "tool", name: "f" },
      responseFormat: { type: "json" },
    });
  });

  it.each<[string, object, string]>([
    ["no input", { input: undefined }, "input"],
    ["an input of another type", { input: 7 }, "input"],
    ["an item without type and role", { input: [{ content: "x" }] }, "input[0].type"],
    ["an unknown role", { input: [{ role: "boss", content: "x" }] }, "input[0].role"],
    ["a call without an id", { input: [{ type: "function_call", name: "f", arguments: "" }] }, "input[0].call_id"],
    ["an image from nowhere", { input: [{ role: "user", content: [{ type: "input_image" }] }] }, "input[0].content[0]"],
    [
      "data that is none",
      { input: [{ role: "user", content: [{ type: "input_image", image_url: "data:x" }] }] },
      "input[0].content[0].image_url",
    ],
    ["a tool without a name", { tools: [{ type: "function" }] }, "tools[0].name"],
    ["a choice nobody knows", { tool_choice: "maybe" }, "tool_choice"],
    ["a schema without a schema", { text: { format: { type: "json_schema", name: "x" } } }, "text.format.schema"],
    ["a limit that is a text", { max_output_tokens: "9" }, "max_output_tokens"],
  ])("refuses %s, naming the place", (_, more, param) => {
    expect(() => decoded(more)).toThrow(expect.objectContaining({ code: "invalid_request", details: { param } }));
  });
});

describe("openai-responses requests of other formats", () => {
  it("are not stored, and their functions are not made strict", () => {
    const tools: ChatRequest["tools"] = [{ type: "function", name: "f" }];
    expect(written({ tools }).wire).toMatchObject({
      store: false,
      tools: [{ type: "function", name: "f", parameters: { type: "object", properties: {} }, strict: false }],
    });
    const mine = written({ tools: [{ type: "function", name: "f", extra: own }], extra: own });
    expect(mine.wire).not.toHaveProperty("store");
    expect(mine.wire.tools).toEqual([{ type: "function", name: "f", parameters: { type: "object", properties: {} } }]);
  });

  it("call what has a longer id than the vendor takes by a shorter one, with its result", () => {
    const long = `get_weather_${"x".repeat(60)}`;
    const { input } = encodeRequest(
      {
        model: "m",
        stream: false,
        messages: [
          { role: "assistant", content: [{ type: "tool-call", id: long, name: "f", arguments: "{}" }] },
          { role: "tool", content: [{ type: "tool-result", toolCallId: long, content: [] }] },
        ],
      },
      () => undefined,
    ) as { input: { call_id: string }[] };
    expect(input[0]?.call_id.length).toBe(64);
    expect(input[1]?.call_id).toBe(input[0]?.call_id);
  });

  it("report what this format cannot say, and nothing that says nothing", () => {
    const lost = {
      stop: ["a"],
      n: 2,
      seed: 0,
      topK: 3,
      presencePenalty: 1,
      frequencyPenalty: 1,
      logitBias: { "1": 1 },
    };
    expect(written(lost).dropped).toEqual([
      "stop",
      "n",
      "seed",
      "top_k",
      "presence_penalty",
      "frequency_penalty",
      "logit_bias",
    ]);
    expect(written({ stop: [], n: 1, presencePenalty: 0, frequencyPenalty: 0, logitBias: {} }).dropped).toEqual([]);
    expect(written({ reasoning: { mode: "adaptive" }, serviceTier: "standard_only" }).dropped).toEqual([
      "thinking",
      "service_tier",
    ]);
  });

  it("want no effort where they say that there is to be no thinking", () => {
    const chat = { messages: [], model: "m", stream: false, reasoning: { mode: "disabled", effort: "high" } } as const;
    const dropped: string[] = [];
    expect(encodeRequest(chat, (name) => dropped.push(name))).not.toHaveProperty("reasoning");
    expect(dropped).toEqual(["reasoning_effort", "thinking"]);
  });

  it("lose thinking the vendor would not accept", () => {
    const messages: ChatRequest["messages"] = [
      {
        role: "assistant",
        content: [
          { type: "thinking", text: "hm", signature: "s" },
          { type: "text", text: "Hi" },
        ],
      },
    ];
    const { wire, dropped } = written({ messages });
    expect(wire.input).toEqual([{ type: "message", role: "assistant", content: "Hi" }]);
    expect(dropped).toEqual(["messages.thinking"]);
  });

  it("take along what both APIs of the vendor have, in both directions", () => {
    const both = { metadata: { a: "b" }, prompt_cache_key: "k", safety_identifier: "s" };
    const chat = { model: "m", messages: [{ role: "user", content: "Hi" }], verbosity: "low", store: true, ...both };
    const dropped: string[] = [];
    const report = (name: string) => dropped.push(name);
    const there = encodeRequest(openAiChat.decodeRequest(chat), report);
    expect(there).toMatchObject({ ...both, store: true, text: { verbosity: "low" } });
    const { store, ...back } = chat;
    const here = decodeRequest({ model: "m", input: "Hi", text: { verbosity: "low" }, ...both });
    expect(openAiChat.encodeRequest(here, report)).toEqual(back);
    expect(dropped).toEqual([]);
  });
});

describe("openai-responses requests for vendors of other formats", () => {
  it("show what was drawn before to those that take images of a model, and name it to the others", () => {
    const asked = decodeRequest({
      model: "m",
      input: [
        { role: "user", content: "A dot." },
        { type: "image_generation_call", id: "ig_1", status: "completed", result: "iVBORw0KGgoAAAANSUhEUgAA" },
        { role: "user", content: "Again." },
      ],
    });
    const sentBy = (format: typeof gemini) => {
      const dropped: string[] = [];
      const wire = JSON.stringify(format.encodeRequest(asked, (name) => dropped.push(name)));
      return { shown: wire.includes("iVBORw0KGgoAAAANSUhEUgAA"), dropped };
    };
    expect(sentBy(gemini)).toEqual({ shown: true, dropped: [] });
    for (const format of [openAiChat, anthropicMessages, bedrockConverse, cohereChat])
      expect([format.name, sentBy(format)]).toEqual([format.name, { shown: false, dropped: ["messages.image"] }]);
  });

  it("reads files of text in the charset their address names", () => {
    const file_data = "data:text/plain;charset=windows-1251;base64,z/Do";
    const [message] = decoded({ input: [{ role: "user", content: [{ type: "input_file", file_data }] }] }).messages;
    expect(message?.content[0]).toMatchObject({ source: { kind: "text", text: "При", mediaType: "text/plain" } });
  });

  it("show videos of YouTube to Gemini as such, and as clients of Gemini do", () => {
    const url = "https://www.youtube.com/watch?v=9hE5-98ZeCg";
    const asked = decodeRequest({
      model: "m",
      input: [{ role: "user", content: [{ type: "input_file", file_url: url }] }],
    });
    const contents = [{ role: "user", parts: [{ fileData: { mimeType: "video/mp4", fileUri: url } }] }];
    expect(gemini.encodeRequest(asked, () => {})).toMatchObject({ contents });
    const bare = gemini.decodeRequest({
      model: "m",
      contents: [{ role: "user", parts: [{ fileData: { fileUri: url } }] }],
    });
    expect(bare.messages[0]?.content).toMatchObject([{ type: "document", source: { kind: "url", url } }]);
  });

  it.each([
    { previous_response_id: "r" },
    { conversation: { id: "c" } },
    { prompt: { id: "p" } },
    { background: true },
  ])("are refused with %j, which they cannot do", (more) => {
    const [param] = Object.keys(more);
    const code = param === "previous_response_id" ? "response_unknown" : "invalid_request";
    expect(() => refuseElsewhere?.(decoded(more))).toThrow(expect.objectContaining({ code, details: { param } }));
  });

  it("are refused where they end with an item that only the vendor can answer", () => {
    const input = [{ role: "user", content: "Hi" }, { type: "compaction_trigger" }];
    const request = decodeRequest({ model: "m", input });
    expect(() => refuseElsewhere?.(request)).toThrow(
      expect.objectContaining({
        details: { param: "input" },
        message: expect.stringContaining("An item of type compaction_trigger works only with a provider"),
      }),
    );
    const summed = decodeRequest({ model: "m", input: [{ type: "compaction", encrypted_content: "e" }, input[0]] });
    expect(() => refuseElsewhere?.(summed)).not.toThrow();
  });

  it("are not refused for saying what happens anyway, and lose nothing with it", () => {
    const harmless = {
      background: false,
      previous_response_id: null,
      store: false,
      truncation: "disabled",
      include: ["reasoning.encrypted_content"],
      stream_options: { include_obfuscation: false },
    };
    const request = decoded(harmless);
    expect(() => refuseElsewhere?.(request)).not.toThrow();
    const dropped: string[] = [];
    openAiChat.encodeRequest(request, (name) => dropped.push(name));
    expect(dropped).toEqual([]);
    const { previous_response_id, ...said } = harmless;
    expect(encodeRequest(request, () => {})).toMatchObject(said);
  });

  it("declare what is lost: storing, built-in tools and their items, choices among them", () => {
    const request = decoded({
      store: true,
      truncation: "auto",
      max_tool_calls: 2,
      include: ["file_search_call.results"],
      reasoning: { effort: "low", summary: "auto" },
      tools: [{ type: "web_search" }, { type: "function", name: "f", parameters: {} }],
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [] },
      input: [
        { role: "user", content: "Hi" },
        { type: "web_search_call", id: "w", status: "completed" },
        { type: "item_reference", id: "x" },
        { type: "function_call_output", name: "clock", namespace: "times", output: "Noon." },
        { role: "user", content: "And?" },
      ],
    });
    expect(openAiResponses.encodeRequest(request, () => {}).input).toContainEqual({
      type: "function_call_output",
      name: "clock",
      namespace: "times",
      output: "Noon.",
    });
    const dropped: string[] = [];
    const wire = openAiChat.encodeRequest(request, (name) => dropped.push(name));
    expect(dropped.sort()).toEqual([
      "include",
      "max_tool_calls",
      "messages.function_call_output",
      "messages.item_reference",
      "messages.web_search_call",
      "reasoning.summary",
      "store",
      "tool_choice",
      "tools.web_search",
      "truncation",
    ]);
    expect(wire).toMatchObject({ reasoning_effort: "low", messages: [{ content: "Hi" }, { content: "And?" }] });
    expect(wire.messages).toHaveLength(2);
  });
});
