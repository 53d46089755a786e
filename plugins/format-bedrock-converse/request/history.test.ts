import { describe, expect, it } from "vitest";
import type { ChatRequest, Message } from "../../../core/index.ts";
import { anthropicMessages } from "../../format-anthropic-messages/index.ts";
import { bedrockConverse } from "../index.ts";

const budget = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const own = { extra: { format: "bedrock-converse", fields: {} } };
const question: Message = { role: "user", content: [{ type: "text", text: "Hi" }] };

function encoded(more: Partial<ChatRequest>) {
  const dropped: string[] = [];
  const request: ChatRequest = { model: budget, messages: [question], stream: false, ...more };
  return { wire: bedrockConverse.encodeRequest(request, (name) => dropped.push(name)), dropped };
}

describe("bedrock-converse thinking", () => {
  const thought = (signature?: string): Message => ({
    role: "assistant",
    content: [
      { type: "thinking", text: "Hm.", ...(signature !== undefined && { signature }) },
      { type: "tool-call", id: "t", name: "f", arguments: "{}" },
    ],
  });
  const result: Message = { role: "tool", content: [{ type: "tool-result", toolCallId: "t", content: [] }] };

  it.each<[string, string | undefined, Partial<ChatRequest>, number, string[]]>([
    [budget, "s", {}, 2, []],
    [budget, undefined, {}, 1, ["reasoning_effort", "messages.thinking"]],
    [budget, "", {}, 1, ["reasoning_effort", "messages.thinking"]],
    [budget, undefined, own, 2, ["reasoning_effort"]],
  ])("in the history is sent where %s takes it: signed %j", (model, signature, more, blocks, dropped) => {
    const messages = [question, thought(signature), result];
    const asked = encoded({ model, messages, maxTokens: 9000, reasoning: { effort: "low" }, ...more });
    expect([(asked.wire.messages as { content: unknown[] }[])[1]?.content.length, asked.dropped]).toEqual([
      blocks,
      dropped,
    ]);
    expect(asked.wire.additionalModelRequestFields !== undefined).toBe(signature === "s");
  });
});

it.each<[string, object, number, string[]]>([
  ["openai.gpt-oss-120b-1:0", {}, 3, []],
  ["us.amazon.nova-2-lite-v1:0", {}, 3, []],
  ["us.amazon.nova-premier-v1:0", {}, 1, ["messages.thinking"]],
  ["arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-pro-v1:0", {}, 1, ["messages.thinking"]],
  ["us.deepseek.r1-v1:0", {}, 1, ["messages.thinking"]],
  // Its own clients say what they say.
  ["us.deepseek.r1-v1:0", own, 3, []],
])("bedrock-converse thinking that nobody signed is sent to %s where it takes it", (model, more, blocks, dropped) => {
  const said: Message = {
    role: "assistant",
    content: [
      { type: "thinking", text: "Hm." },
      { type: "redacted-thinking", data: "c2VjcmV0" },
      { type: "text", text: "Hello" },
    ],
  };
  const asked = encoded({ model, messages: [question, said, question], ...more });
  const [, answer] = asked.wire.messages as { content: unknown[] }[];
  expect([answer?.content.length, [...new Set(asked.dropped)]]).toEqual([blocks, dropped]);
});

it.each([
  ["", []],
  [" ", ["messages.thinking"]],
])("bedrock-converse thinking that is blank, %j, is not sent, and whatever was there is told", (text, dropped) => {
  const said: Message = { role: "assistant", content: [{ type: "thinking", text }] };
  const asked = encoded({ model: "deepseek.r1-v1:0", messages: [question, said, question] });
  expect(JSON.stringify(asked.wire)).not.toContain("reasoningContent");
  expect(asked.dropped).toEqual(dropped);
});

describe("bedrock-converse calls", () => {
  const call = (id: string, name: string): Message => ({
    role: "assistant",
    content: [{ type: "tool-call", id, name, arguments: "{}" }],
  });
  const result = (toolCallId: string): Message => ({
    role: "tool",
    content: [{ type: "tool-result", toolCallId, content: [] }],
  });

  it.each<[Partial<ChatRequest>, string[], string[]]>([
    [{}, ["f", "g"], []],
    [{ toolChoice: { type: "none" } }, ["f", "g"], ["tool_choice"]],
    [{ toolChoice: { type: "required" } }, ["f", "g"], ["tool_choice"]],
    [{ messages: [question], toolChoice: { type: "none" } }, [], []],
    [own, [], []],
  ])("in the history bring their tools where the request has none: %j", (more, names, dropped) => {
    const calls = [call("a", "f"), result("a"), call("b", "g"), result("b"), call("c", "f"), result("c")];
    const asked = encoded({ messages: [question, ...calls], ...more });
    const tools = names.map((name) => ({
      toolSpec: { name, inputSchema: { json: { type: "object", properties: {} } } },
    }));
    expect([asked.wire.toolConfig, asked.dropped]).toEqual([tools.length > 0 ? { tools } : undefined, dropped]);
  });

  it("have ids the vendor takes, the same in the result, and arguments that are objects", () => {
    const long = "x".repeat(70);
    const ids = ["functions.f:0", long, `${long}y`];
    const messages = [question, ...ids.flatMap((id) => [call(id, "f"), result(id)])];
    const text = JSON.stringify(encoded({ messages }).wire.messages);
    const written = [...text.matchAll(/"toolUseId":"([^"]*)"/g)].map(([, id = ""]) => id);
    expect(written.filter((id) => /^[a-zA-Z0-9_-]{1,64}$/.test(id))).toHaveLength(6);
    expect(written[0]).toBe("functions_f_0");
    expect(new Set(written).size).toBe(3);
    expect(written.filter((_, at) => at % 2 === 0)).toEqual(written.filter((_, at) => at % 2 === 1));
    expect(JSON.stringify(encoded({ messages, ...own }).wire.messages)).toContain("functions.f:0");
    const list: Message = { role: "assistant", content: [{ type: "tool-call", id: "t", name: "f", arguments: "[1]" }] };
    const inputOf = (request: object) => JSON.stringify(encoded({ messages: [question, list], ...request }).wire);
    expect(inputOf({})).toContain('"input":{"INVALID_JSON":"[1]"}');
    expect(inputOf(own)).toContain('"input":[1]');
  });
});

it("has the last of instructions alone said by the user", () => {
  const told = (text: string): Message => ({ role: "system", content: [{ type: "text", text }] });
  const messages = [told("a"), told("b")];
  const { wire } = encoded({ messages });
  expect([wire.system, wire.messages]).toEqual([[{ text: "a" }], [{ role: "user", content: [{ text: "b" }] }]]);
  expect(encoded({ messages, ...own }).wire.messages).toEqual([]);
  const claude = anthropicMessages.encodeRequest({ model: "claude-sonnet-4-5", messages, stream: false }, () => {});
  expect(claude.messages).toEqual([{ role: "user", content: "b" }]);
});

it("has the user begin, also where the model spoke first", () => {
  const greeting: Message = { role: "assistant", content: [{ type: "text", text: "How can I help?" }] };
  const roles = (request: object) =>
    (encoded({ messages: [greeting, question], ...request }).wire.messages as { role: string }[]).map(
      ({ role }) => role,
    );
  expect(roles({})).toEqual(["user", "assistant", "user"]);
  expect(roles(own)).toEqual(["assistant", "user"]);
});
