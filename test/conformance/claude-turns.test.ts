import { describe, expect, it } from "vitest";
import type { ChatRequest, Message } from "../../core/index.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/index.ts";
import { bedrockConverse } from "../../plugins/format-bedrock-converse/index.ts";
import { gemini } from "../../plugins/format-gemini/index.ts";
import { openAiResponses } from "../../plugins/format-openai-responses/index.ts";

/** Claudes are the same whoever serves them: what they want of a conversation, by the rules their vendor tells in its errors. */

type Fields = Readonly<Record<string, unknown>>;

const asked: Message = { role: "user", content: [{ type: "text", text: "Why?" }] };
const tools = [{ type: "function" as const, name: "f" }];
const call = (id: string) => ({ type: "tool-call", id, name: "f", arguments: "{}" }) as const;
const result = (toolCallId: string): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, content: [{ type: "text", text: "1" }] }],
});
const thought = { type: "thinking", text: "hm", signature: "SIGNED", signer: "anthropic-messages" } as const;

/** Claude thought once and called twice: later calls of a turn come without more thinking. */
const twice: Message[] = [
  asked,
  { role: "assistant", content: [thought, call("a")] },
  result("a"),
  { role: "assistant", content: [call("b")] },
  result("b"),
];
/** Another vendor began the turn, and Claude has thought in it since. */
const begunElsewhere: Message[] = [
  asked,
  { role: "assistant", content: [call("a")] },
  result("a"),
  { role: "assistant", content: [thought, call("b")] },
  result("b"),
];

const hosts = [
  { host: "anthropic", format: anthropicMessages, prefix: "", thinkingIn: (wire: Fields) => wire.thinking },
  {
    host: "bedrock",
    format: bedrockConverse,
    prefix: "us.anthropic.",
    thinkingIn: ({ additionalModelRequestFields: fields }: Fields) => (fields as Fields | undefined)?.thinking,
  },
];

describe.each(hosts)("a Claude at $host", ({ format, prefix, thinkingIn }) => {
  const written = (model: string, more: Partial<ChatRequest>) => {
    const dropped: string[] = [];
    const request = { model: prefix + model, messages: [asked], stream: false, tools, ...more };
    const wire = format.encodeRequest(request, (name) => dropped.push(name));
    const choice = JSON.stringify((wire.toolConfig as Fields | undefined)?.toolChoice ?? wire.tool_choice ?? null);
    const maxTokens = wire.max_tokens ?? (wire.inferenceConfig as Fields | undefined)?.maxTokens;
    return { thinking: thinkingIn(wire), dropped, choice, maxTokens, text: JSON.stringify(wire.messages) };
  };
  const chat = { format: "openai-chat", fields: {} };
  const budget = { mode: "enabled", budgetTokens: 2000 } as const;

  const ofGemini = (thinkingConfig: Fields) =>
    gemini.decodeRequest({ contents: [{ parts: [{ text: "Why?" }] }], generationConfig: { thinkingConfig } });
  const ofResponses = (reasoning: Fields) => openAiResponses.decodeRequest({ input: "Why?", reasoning });
  it.each([
    ["a level of Gemini's", ofGemini({ includeThoughts: true, thinkingLevel: "HIGH" }), []],
    ["a budget of Gemini's", ofGemini({ includeThoughts: true, thinkingBudget: 2000 }), ["thinking.budget_tokens"]],
    ["nothing but to see it, at Gemini", ofGemini({ includeThoughts: true }), []],
    ["an effort of Responses", ofResponses({ effort: "low", summary: "auto" }), []],
    ["nothing but a summary, in Responses", ofResponses({ summary: "detailed" }), []],
  ])("shows what it thinks to clients that ask to read it, with %s", (_, request, dropped) => {
    const sent = written("claude-opus-5", {
      reasoning: request.reasoning,
      extra: request.extra,
    } as Partial<ChatRequest>);
    expect(sent).toMatchObject({ thinking: { type: "adaptive", display: "summarized" }, dropped });
  });

  it.each<[string, ChatRequest["reasoning"]]>([
    ["an effort", { effort: "low" }],
    ["a budget", { budgetTokens: 2000 }],
    ["a switch", budget],
  ])("goes on thinking in a turn that began so, by %s", (_, reasoning) => {
    const sent = written("claude-sonnet-4-5", { messages: twice, reasoning, extra: chat } as Partial<ChatRequest>);
    expect(sent).toMatchObject({ thinking: { type: "enabled" }, dropped: [] });
    expect(sent.text).toContain("SIGNED");
  });

  it.each<[string, ChatRequest["reasoning"], string]>([
    ["an effort", { effort: "low" }, "reasoning_effort"],
    ["a switch", budget, "thinking"],
    ["a switch of its own format", budget, "thinking"],
  ])("does not think, nor is told what it thought, in a turn that others began, by %s", (by, reasoning, dropped) => {
    const extra = by.endsWith("format") ? { format: format.name, fields: {} } : chat;
    const sent = written("claude-sonnet-4-5", { messages: begunElsewhere, reasoning, extra } as Partial<ChatRequest>);
    expect(sent.thinking).toBeUndefined();
    expect(sent.text).not.toContain("SIGNED");
    expect(sent.dropped).toEqual([dropped, "messages.thinking"]);
  });

  it("thinks where it sees fit in such a turn, where it can", () => {
    const sent = written("claude-opus-4-6", { messages: begunElsewhere, reasoning: { effort: "low" } });
    expect(sent).toMatchObject({ thinking: { type: "adaptive" }, dropped: [] });
    expect(sent.text).toContain("SIGNED");
  });

  it("is not told what it thought in a turn that goes on without thinking", () => {
    for (const more of [{}, { reasoning: { effort: "none" } }, { toolChoice: { type: "required" as const } }]) {
      const sent = written("claude-sonnet-4-5", { messages: twice, ...more });
      expect(sent.text).not.toContain("SIGNED");
      expect(sent.dropped).toEqual(["messages.thinking"]);
    }
    expect(written("claude-sonnet-4-5", { messages: [...twice.slice(0, 2), result("a"), asked] }).text).not.toContain(
      "SIGNED",
    );
  });

  it("is told of it where it thinks unasked, and in turns that are over", () => {
    expect(written("claude-opus-5", { messages: twice }).text).toContain("SIGNED");
    const over = [...twice, { role: "assistant", content: [{ type: "text", text: "So." }] } as const, asked];
    expect(written("claude-sonnet-4-5", { messages: over })).toMatchObject({
      text: expect.stringContaining("SIGNED"),
      dropped: [],
    });
  });

  it("is not told what it thought before it was cut off", () => {
    const cut: Message = { role: "assistant", content: [thought] };
    const sent = written("claude-opus-5", { messages: [asked, cut, asked] });
    expect(sent.text).not.toContain("SIGNED");
    expect(sent.dropped).toEqual(["messages.thinking"]);
  });

  it.each<[string, string, ChatRequest["reasoning"], unknown, string[]]>([
    ["a budget", "claude-opus-4-7", budget, { type: "adaptive" }, ["thinking.budget_tokens"]],
    ["a budget", "claude-opus-4-6", budget, { type: "enabled", budget_tokens: 2000 }, []],
    ["a budget", "claude-haiku-4-5", { mode: "adaptive" }, { type: "enabled" }, []],
    ["a budget", "claude-3-5-haiku-latest", budget, undefined, ["thinking"]],
    ["no thinking", "claude-opus-5", { effort: "none" }, { type: "disabled" }, []],
    ["no thinking", "claude-opus-5-5", { effort: "none" }, undefined, ["reasoning_effort"]],
    ["no thinking", "claude-opus-5-5", { mode: "disabled" }, undefined, ["thinking"]],
    ["no thinking", "claude-sonnet-5-5", { effort: "none" }, { type: "between_tools" }, []],
    ["no thinking", "claude-sonnet-5-5", { mode: "disabled" }, { type: "between_tools" }, []],
    ["no thinking", "claude-haiku-5-5", { mode: "disabled" }, { type: "disabled" }, []],
  ])("takes %s as it can: %s, %j", (_, model, reasoning, thinking, dropped) => {
    const sent = written(model, { reasoning, extra: chat } as Partial<ChatRequest>);
    if (thinking === undefined) expect(sent.thinking).toBeUndefined();
    else expect(sent.thinking).toMatchObject(thinking as object);
    expect(sent.dropped).toEqual(dropped);
  });

  it.each<[string, ChatRequest["reasoning"], number]>([
    ["claude-sonnet-4-5", { effort: "high" }, 4096 + 16_384],
    ["claude-sonnet-4-5", budget, 4096 + 2000],
    ["claude-sonnet-4-5", { budgetTokens: 2000 }, 4096 + 2000],
    ["claude-opus-4-7", { mode: "adaptive" }, 4096 + 16_384],
  ])("has room for an answer beside what it thinks where nobody sets a limit: %s, %j", (model, reasoning, room) => {
    const sent = written(model, { reasoning, extra: chat } as Partial<ChatRequest>);
    expect(sent).toMatchObject({ thinking: {}, maxTokens: room, dropped: [] });
  });

  it.each<[string, boolean]>([
    ["claude-opus-5", true],
    ["claude-haiku-5-5", true],
    ["claude-fable-5", true],
    ["claude-opus-5-5", false],
    ["claude-sonnet-5-5", false],
    ["claude-fable-5-1", false],
  ])("%s is made to call a tool where it lets itself be: %s", (model, isForced) => {
    for (const toolChoice of [{ type: "required" }, { type: "tool", name: "f" }] as const) {
      const sent = written(model, { toolChoice });
      expect(sent.choice.includes("auto")).toBe(!isForced);
      expect(sent.dropped).toEqual(isForced ? [] : ["tool_choice"]);
    }
    const own = written(model, { toolChoice: { type: "required" }, extra: { format: format.name, fields: {} } });
    expect(own).toMatchObject({ choice: expect.stringContaining("any"), dropped: [] });
  });
});
