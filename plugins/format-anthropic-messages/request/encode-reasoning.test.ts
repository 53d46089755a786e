import { describe, expect, it } from "vitest";
import type { ChatRequest, Message } from "../../../core/index.ts";
import { anthropicMessages } from "../index.ts";
import { abilitiesOf } from "./model-version.ts";

const { decodeRequest, encodeRequest } = anthropicMessages;
const question: Message = { role: "user", content: [{ type: "text", text: "Why?" }] };

function planned(model: string, fields: Partial<ChatRequest>) {
  const dropped: string[] = [];
  const request: ChatRequest = { model, messages: [question], stream: false, maxTokens: 40_000, ...fields };
  const {
    thinking,
    output_config: output,
    max_tokens: maxTokens,
  } = encodeRequest(request, (name) => dropped.push(name));
  return { thinking, output, maxTokens, dropped };
}

it.each([
  ["claude-2.1", "none"],
  ["claude-instant-1.2", "none"],
  ["claude-3-opus-20240229", "none"],
  ["claude-3-5-sonnet-latest", "none"],
  ["anthropic.claude-3-5-haiku-20241022-v1:0", "none"],
  ["claude-3-7-sonnet-20250219", "budget"],
  ["claude-sonnet-4-20250514", "budget"],
  ["claude-opus-4@20250514", "budget"],
  ["claude-opus-4-1-20250805", "budget"],
  ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "budget"],
  ["claude-opus-4-6", "adaptive"],
  ["anthropic.claude-opus-4-6-v1", "adaptive"],
  ["anthropic/claude-4.6-sonnet", "adaptive"],
  ["claude-opus-5", "adaptive"],
  ["claude-mythos-preview", "adaptive"],
  ["minimax-m2", "budget"],
])("takes %s for a model with thinking: %s", (model, thinking) => {
  expect(abilitiesOf(model).thinking).toBe(thinking);
});

describe("an effort", () => {
  it.each([
    ["none", { type: "disabled" }],
    ["minimal", { type: "enabled", budget_tokens: 1024 }],
    ["low", { type: "enabled", budget_tokens: 1024 }],
    ["medium", { type: "enabled", budget_tokens: 8192 }],
    ["high", { type: "enabled", budget_tokens: 16_384 }],
    ["xhigh", { type: "enabled", budget_tokens: 32_768 }],
  ])("of %s becomes a budget for models that know budgets", (effort, thinking) => {
    expect(planned("claude-sonnet-4-5", { reasoning: { effort } })).toMatchObject({ thinking, dropped: [] });
  });

  it.each([
    ["none", { type: "disabled" }, undefined],
    ["minimal", { type: "adaptive" }, { effort: "low" }],
    ["medium", { type: "adaptive" }, { effort: "medium" }],
    ["xhigh", { type: "adaptive" }, { effort: "xhigh" }],
    ["max", { type: "adaptive" }, { effort: "max" }],
  ])("of %s goes to newer models as they take it", (effort, thinking, output) => {
    const plan = planned("claude-opus-4-7", { reasoning: { effort } });
    expect(plan).toEqual({ thinking, output, maxTokens: 40_000, dropped: [] });
  });

  it.each<[string, ChatRequest["reasoning"]]>([
    ["alone", { effort: "xhigh" }],
    ["beside a switch", { effort: "xhigh", mode: "adaptive" }],
  ])("that is newer than a model becomes the next lower one, %s", (_, reasoning) => {
    const plan = planned("claude-sonnet-4-6", { ...(reasoning && { reasoning }) });
    expect(plan).toMatchObject({ thinking: { type: "adaptive" }, output: { effort: "high" }, dropped: [] });
  });

  it.each([
    [10_000, 9999],
    [1500, 1499],
    [1025, 1024],
  ])("leaves room for an answer within %d tokens", (maxTokens, budget) => {
    const plan = planned("claude-sonnet-4-5", { maxTokens, reasoning: { effort: "high" } });
    expect(plan.thinking).toEqual({ type: "enabled", budget_tokens: budget });
  });

  it("asks for room for both when the client named no number of tokens", () => {
    const request: ChatRequest = {
      model: "claude-sonnet-4-5",
      messages: [question],
      stream: false,
      reasoning: { effort: "high" },
    };
    expect(encodeRequest(request, () => {})).toMatchObject({
      max_tokens: 20_480,
      thinking: { type: "enabled", budget_tokens: 16_384 },
    });
  });

  const tools = [{ type: "function" as const, name: "f" }];
  const answered: Message = { role: "tool", content: [{ type: "tool-result", toolCallId: "t", content: [] }] };
  const call = { type: "tool-call" as const, id: "t", name: "f", arguments: "{}" };
  it.each<[string, string, Partial<ChatRequest>]>([
    ["too few tokens", "claude-sonnet-4-5", { maxTokens: 1024 }],
    ["a model that cannot think", "claude-3-5-haiku-latest", {}],
    ["a forced tool", "claude-sonnet-4-5", { tools, toolChoice: { type: "required" } }],
    [
      "a prefilled answer",
      "claude-sonnet-4-5",
      { messages: [question, { role: "assistant", content: [{ type: "text", text: "B" }] }] },
    ],
    [
      "tool results of a turn without thinking",
      "claude-sonnet-4-5",
      { tools, messages: [question, { role: "assistant", content: [call] }, answered, question] },
    ],
  ])("is given up for %s", (_, model, fields) => {
    const plan = planned(model, { ...fields, reasoning: { effort: "high" } });
    expect(plan.thinking).toBeUndefined();
    expect(plan.dropped).toEqual(["reasoning_effort"]);
  });

  it("goes on through tool results when the turn began with thinking", () => {
    const thought = { type: "thinking" as const, text: "hm", signature: "s" };
    const messages: Message[] = [question, { role: "assistant", content: [thought, call] }, answered];
    const plan = planned("claude-sonnet-4-5", { tools, messages, reasoning: { effort: "low" } });
    expect(plan.thinking).toEqual({ type: "enabled", budget_tokens: 1024 });
  });

  it("stays without thinking beside a forced tool on newer models", () => {
    const plan = planned("claude-opus-4-6", {
      tools,
      toolChoice: { type: "tool", name: "f" },
      reasoning: { effort: "high" },
    });
    expect(plan).toMatchObject({ thinking: undefined, output: { effort: "high" }, dropped: [] });
  });

  it("drops the settings thinking excludes", () => {
    const { dropped } = planned("claude-sonnet-4-5", {
      temperature: 0,
      topK: 3,
      topP: 0.5,
      reasoning: { effort: "low" },
    });
    expect(dropped).toEqual(["temperature", "top_p", "top_k"]);
  });

  it("of this format's own clients returns to where it came from", () => {
    const wire = {
      model: "claude-sonnet-4-5",
      max_tokens: 20_000,
      messages: [{ role: "user", content: "Why?" }],
      temperature: 0.5,
      output_config: { effort: "high" },
    };
    expect(encodeRequest(decodeRequest(wire), (name) => expect.fail(name))).toEqual(wire);
  });
});

describe("a client that sets no limit", () => {
  const unlimited = (model: string, reasoning?: ChatRequest["reasoning"]) => {
    const { messages, stream } = { messages: [question], stream: false };
    return encodeRequest({ model, messages, stream, ...(reasoning && { reasoning }) }, () => undefined).max_tokens;
  };

  it.each<[string, number, string, ChatRequest["reasoning"]?]>([
    ["the usual, where nothing is thought", 4096, "claude-opus-4-7"],
    ["as much, where thinking is switched off", 4096, "claude-opus-4-7", { mode: "disabled" }],
    ["room for a little thinking", 4096 + 1024, "claude-opus-4-7", { effort: "low" }],
    ["room for much of it", 4096 + 16_384, "claude-opus-4-7", { effort: "high" }],
    ["room for most of it", 4096 + 32_768, "claude-opus-4-7", { effort: "xhigh" }],
    ["room for a budget that becomes none", 4096 + 2000, "claude-opus-4-7", { budgetTokens: 2000 }],
    ["room for what models think by themselves", 4096 + 16_384, "claude-opus-4-7", { mode: "adaptive" }],
    ["room for those that always think", 4096 + 16_384, "claude-mythos-5"],
  ])("is given %s", (_, most, model, reasoning) => {
    expect(unlimited(model, reasoning)).toBe(most);
  });
});

describe("an explicit switch", () => {
  it.each<[string, ChatRequest["reasoning"], unknown, string[]]>([
    [
      "claude-sonnet-4-5",
      { mode: "enabled", budgetTokens: 2000, effort: "high" },
      { type: "enabled", budget_tokens: 2000 },
      ["reasoning_effort"],
    ],
    ["claude-sonnet-4-5", { mode: "disabled", effort: "high" }, { type: "disabled" }, ["reasoning_effort"]],
    ["claude-opus-4-6", { mode: "adaptive", display: "omitted" }, { type: "adaptive", display: "omitted" }, []],
  ])("on %s wins: %j", (model, reasoning, thinking, dropped) => {
    expect(planned(model, { ...(reasoning && { reasoning }) })).toMatchObject({ thinking, dropped });
  });

  it.each<[string, number, unknown, string[]]>([
    ["claude-sonnet-4-5", 5000, { type: "enabled", budget_tokens: 5000 }, []],
    ["claude-sonnet-4-5", 0, { type: "disabled" }, []],
    ["claude-opus-4-6", 5000, { type: "adaptive" }, ["thinking.budget_tokens"]],
  ])("may be a budget alone: %s, %d", (model, budgetTokens, thinking, dropped) => {
    expect(planned(model, { reasoning: { budgetTokens } })).toMatchObject({ thinking, dropped });
  });
});

it.each([
  ["claude-sonnet-4-5", { mode: "enabled", budgetTokens: 2000 }, { type: "enabled", budget_tokens: 2000 }],
  ["claude-opus-4-6", { mode: "adaptive" }, { type: "adaptive" }],
  ["claude-opus-4-8", { mode: "adaptive" }, { type: "adaptive", display: "summarized" }],
] as const)("asks %s to show what it thinks only where it would not do so unasked", (model, reasoning, thinking) => {
  expect(planned(model, { reasoning: { ...reasoning, display: "summarized" } }).thinking).toEqual(thinking);
});

describe("a switch of Gemini", () => {
  const gemini = { format: "gemini", fields: {} };
  const budget = "claude-sonnet-4-5";
  const adaptive = "claude-opus-4-6";
  it.each<[string, string, ChatRequest["reasoning"], unknown, string[]]>([
    ["a small budget", budget, { mode: "enabled", budgetTokens: 100 }, { type: "enabled", budget_tokens: 1024 }, []],
    ["no bound", budget, { mode: "adaptive" }, { type: "enabled", budget_tokens: 8192 }, []],
    ["no thinking", budget, { mode: "disabled" }, { type: "disabled" }, []],
    [
      "hidden",
      budget,
      { mode: "adaptive", display: "omitted" },
      { type: "enabled", budget_tokens: 8192, display: "omitted" },
      [],
    ],
    ["no bound", adaptive, { mode: "adaptive" }, { type: "adaptive" }, []],
    ["a budget", adaptive, { mode: "enabled", budgetTokens: 100 }, { type: "adaptive" }, ["thinking.budget_tokens"]],
    ["a budget", "claude-3-5-haiku-latest", { mode: "enabled", budgetTokens: 100 }, undefined, ["thinking"]],
  ])("that says %s is told %s as it takes it", (_, model, reasoning, thinking, dropped) => {
    expect(planned(model, { reasoning, extra: gemini } as Partial<ChatRequest>)).toMatchObject({ thinking, dropped });
  });

  it("goes where there is no room for it, or a tool is forced", () => {
    const reasoning = { mode: "enabled", budgetTokens: 8192 } as const;
    const small = planned(budget, { reasoning, extra: gemini, maxTokens: 500 });
    expect(small).toMatchObject({ thinking: undefined, maxTokens: 500, dropped: ["thinking"] });
    const tools = [{ type: "function" as const, name: "f" }];
    const forced = { reasoning, extra: gemini, tools, toolChoice: { type: "required" as const } };
    expect(planned(adaptive, forced)).toMatchObject({ thinking: undefined, dropped: ["thinking"] });
  });
});

it("gives a switch of others that names no budget the one of a medium effort", () => {
  const plan = planned("claude-sonnet-4-5", { reasoning: { mode: "enabled" } });
  expect(plan).toMatchObject({ thinking: { type: "enabled", budget_tokens: 8192 }, dropped: [] });
});
