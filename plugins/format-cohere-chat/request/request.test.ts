import { describe, expect, it } from "vitest";
import type { AssistantPart, ChatRequest, Message } from "../../../core/index.ts";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { cohereChat } from "../index.ts";
import { context } from "../testing.ts";

const { decodeRequest, encodeRequest, decodeResponse } = cohereChat;

describe("cohere-chat requests", () => {
  const user: Message = { role: "user", content: [{ type: "text", text: "Hi" }] };
  function encoded(fields: Partial<ChatRequest>) {
    const dropped: string[] = [];
    const wire = encodeRequest({ model: "m", messages: [user], stream: false, ...fields }, (name) =>
      dropped.push(name),
    );
    return { wire, dropped };
  }
  const tool = { type: "function", name: "f" } as const;

  it.each<[unknown, string]>([
    [null, "body"],
    [{}, "messages"],
    [{ messages: [] }, "messages"],
    [{ messages: [7] }, "messages[0]"],
    [{ messages: [{ role: "judge" }] }, "messages[0].role"],
    [{ messages: [{ role: "user", content: 7 }] }, "messages[0].content"],
    [{ messages: [{ role: "user", content: [{ type: "text" }] }] }, "messages[0].content[0].text"],
    [{ messages: [{ role: "system", content: [{ type: "image_url" }] }] }, "messages[0].content[0].type"],
    [{ messages: [{ role: "tool", content: "x" }] }, "messages[0].tool_call_id"],
    [{ messages: [{ role: "assistant", tool_calls: [{ id: "a" }] }] }, "messages[0].tool_calls[0].function"],
    [{ messages: [user], max_tokens: "7" }, "max_tokens"],
    [{ messages: [{ role: "user", content: "a" }], stop_sequences: "END" }, "stop_sequences"],
    [{ messages: [{ role: "user", content: "a" }], documents: [7] }, "documents[0]"],
    [{ messages: [{ role: "user", content: "a" }], thinking: true }, "thinking"],
  ])("are refused: %j", (wire, param) => {
    const body = JSON.parse(JSON.stringify(wire).replace(JSON.stringify(user), '{"role":"user","content":"Hi"}'));
    expect(() => decodeRequest(body)).toThrow(expect.objectContaining({ code: "invalid_request", details: { param } }));
  });

  it("keep what this file has no name for", () => {
    const wire = {
      model: "m",
      messages: [{ role: "user", content: "Hi", mood: "good" }],
      thinking: { type: "later", depth: 3 },
      response_format: { type: "xml" },
      tool_choice: "MAYBE",
      strict_tools: false,
      citation_options: { mode: "OFF" },
      raw_prompting: false,
    };
    expect(encodeRequest(decodeRequest(wire), (name) => expect.fail(name))).toEqual(wire);
  });

  const schema = { type: "object", properties: {}, required: [] };

  it.each<[string, object, object | undefined]>([
    ["json_schema", { json_schema: schema }, { type: "json-schema", schema }],
    ["schema", { schema }, { type: "json-schema", schema }],
    ["schema and json_schema", { schema, json_schema: { type: "object" } }, undefined],
  ])("have a schema by the name of %s", (_, more, meant) => {
    const format = { type: "json_object", ...more };
    const request = decodeRequest({ messages: [{ role: "user", content: "Hi" }], response_format: format });
    expect(request.responseFormat).toEqual(meant);
    expect(encodeRequest(request, (name) => expect.fail(name)).response_format).toEqual(format);
  });

  it("have no place beside JSON, which is reported", () => {
    const responseFormat = { type: "json-schema", name: "n", schema: { type: "object" }, strict: true } as const;
    const { wire, dropped } = encoded({ tools: [tool], responseFormat });
    expect([wire.response_format, wire.strict_tools, dropped]).toEqual([undefined, undefined, ["response_format"]]);
    expect(encoded({ responseFormat }).wire).toMatchObject({ response_format: { type: "json_object" } });
  });

  it("force one tool among several by bringing no other", () => {
    const named = { type: "tool", name: "f" } as const;
    expect(encoded({ tools: [tool], toolChoice: named })).toMatchObject({
      wire: { tool_choice: "REQUIRED" },
      dropped: [],
    });
    expect(encoded({ tools: [{ ...tool, name: "g" }, tool], toolChoice: named })).toMatchObject({
      wire: { tools: [{ function: { name: "f" } }], tool_choice: "REQUIRED" },
      dropped: [],
    });
    const others = [
      { ...tool, name: "g" },
      { ...tool, name: "h" },
    ];
    expect(encoded({ tools: others, toolChoice: named }).dropped).toEqual(["tool_choice"]);
    expect(encoded({ toolChoice: { type: "required" } })).toMatchObject({ dropped: ["tool_choice"] });
    expect(encoded({ tools: [tool], toolChoice: { type: "auto" } }).wire).not.toHaveProperty("tool_choice");
    expect(encoded({ tools: [tool] }).wire.tools).toEqual([
      { type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } },
    ]);
  });

  it("carry thinking as text, and say that its proof is lost", () => {
    const content: AssistantPart[] = [
      { type: "thinking", text: "hm", signature: "s" },
      { type: "redacted-thinking", data: "x" },
      { type: "text", text: "a" },
    ];
    const { wire, dropped } = encoded({ messages: [user, { role: "assistant", content }] });
    expect(wire.messages).toContainEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "a" },
      ],
    });
    expect(dropped).toEqual(["messages.thinking"]);
  });

  it("take citations back from clients of the chat API, wherever those have them", () => {
    const citation = { start: 0, end: 1, text: "a", sources: [{ type: "document", id: "d" }] };
    const answer = decodeResponse({ message: { content: [{ type: "text", text: "a" }], citations: [citation] } });
    const shown = openAiChat.encodeResponse(answer, { ...context, strict: false });
    expect(shown).toMatchObject({ choices: [{ message: { citations: [citation] } }] });
    expect(JSON.stringify(openAiChat.encodeResponse(answer, context))).not.toContain("citations");
    const [{ message }] = shown.choices as [{ message: { content_blocks?: unknown } }];
    const { content_blocks: _, ...plain } = message;
    for (const said of [message, plain]) {
      const history = openAiChat.decodeRequest({ messages: [{ role: "user", content: "Hi" }, said] });
      expect(encoded({ messages: history.messages })).toMatchObject({
        wire: { messages: [{}, { role: "assistant", content: "a", citations: [citation] }] },
        dropped: [],
      });
    }
  });

  it("show what tools gave besides text after the last of them, with what the user says next", () => {
    const source = { kind: "url", url: "https://x.example/a.png" } as const;
    const result = (toolCallId: string): Message => ({
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId,
          content: [
            { type: "text", text: toolCallId },
            { type: "image", source },
          ],
        },
      ],
    });
    const image = { type: "image_url", image_url: { url: source.url } };
    expect(encoded({ messages: [user, result("a"), result("b"), user] }).wire.messages).toEqual([
      { role: "user", content: "Hi" },
      { role: "tool", tool_call_id: "a", content: "a" },
      { role: "tool", tool_call_id: "b", content: "b" },
      {
        role: "user",
        content: [
          { type: "text", text: "Result 1:" },
          image,
          { type: "text", text: "Result 2:" },
          image,
          { type: "text", text: "Hi" },
        ],
      },
    ]);
  });

  it("say something where documents are all that is shown", () => {
    const source = { kind: "text", text: "All of it.", mediaType: "text/plain" } as const;
    const { wire } = encoded({ messages: [user, { role: "user", content: [{ type: "document", source }] }] });
    expect(wire).toMatchObject({
      messages: [
        { role: "user", content: "Hi" },
        { role: "user", content: "See the documents." },
      ],
      documents: [{ data: { text: "All of it." } }],
    });
  });

  it("give a changed document as it was changed", () => {
    const documents = ["secret", { id: "d", data: { title: "T", text: "open" } }];
    const messages = [
      { role: "user", content: "Hi" },
      { role: "tool", tool_call_id: "a", content: [{ type: "document", document: { data: "secret" } }] },
    ];
    const request = decodeRequest({ messages, documents });
    const redacted: ChatRequest = JSON.parse(JSON.stringify(request).replaceAll('"text":"secret"', '"text":"***"'));
    expect(encodeRequest(redacted, () => {})).toEqual({
      messages: [
        { role: "user", content: "Hi" },
        { role: "tool", tool_call_id: "a", content: "***" },
      ],
      documents: [{ data: { text: "***" } }, documents[1]],
    });
  });

  it("take an effort for nothing, and a budget of nothing for no thinking", () => {
    expect(encoded({ reasoning: { effort: "high" } })).toMatchObject({ dropped: ["reasoning_effort"] });
    const switched = encoded({ reasoning: { effort: "high", switchedOn: true } });
    expect(switched).toMatchObject({ wire: { thinking: { type: "enabled" } }, dropped: ["reasoning_effort"] });
    expect(encoded({ reasoning: { mode: "enabled", budgetTokens: 0 } }).wire.thinking).toEqual({ type: "disabled" });
    expect(encoded({ reasoning: { mode: "adaptive" } }).wire.thinking).toEqual({ type: "enabled" });
  });

  it("have no budget for thinking that is off", () => {
    const messages = [{ role: "user", content: "Hi" }];
    const thinking = { type: "disabled", token_budget: 9 };
    expect(cohereChat.decodeRequest({ model: "m", messages, thinking }).reasoning).toEqual({ mode: "disabled" });
  });
});
