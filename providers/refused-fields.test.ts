import { describe, expect, it } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import { operationsOf } from "../core/provider-kit/offered-operations.ts";
import type { CommonOptions, ProviderDefinition } from "../core/provider-kit/provider-definition.ts";
import cerebras from "./cerebras.ts";
import groq from "./groq.ts";
import mistral from "./mistral-ai.ts";

const { formats } = await builtInFormats();
const chatOf = (definition: ProviderDefinition) =>
  (operationsOf(definition, {} as CommonOptions & Record<string, unknown>, formats).chat ?? [])[0];

/** What a vendor is told of a body, and what is reported to be left out. */
function told(definition: ProviderDefinition, wire: Readonly<Record<string, unknown>>) {
  const dropped: string[] = [];
  return { wire: chatOf(definition)?.rewrite?.apply(wire, (name) => dropped.push(name)), dropped };
}

const tool = { role: "tool", tool_call_id: "abcDEF123", name: "look", content: "1" };
const messages = [
  { role: "user", content: "Hi", name: "ann" },
  { role: "assistant", content: "Yes?", refusal: null, annotations: [], reasoning_content: "Hm.", prefix: false },
  tool,
];
const answered = { role: "assistant", content: "Yes?", prefix: false };

describe("fields of messages that a vendor refuses are left out, and reported where they say something", () => {
  it.each<[ProviderDefinition, object[], string[]]>([
    [mistral, [{ role: "user", content: "Hi" }, answered], ["messages.name", "messages.reasoning_content"]],
    [groq, [{ role: "user", content: "Hi" }, answered], ["messages.name", "messages.reasoning_content"]],
    [cerebras, [messages[0] ?? {}, { ...answered, reasoning: "Hm." }], []],
  ])("by $name", (definition, expected, lost) => {
    expect(told(definition, { messages })).toEqual({ wire: { messages: [...expected, tool] }, dropped: lost });
    const sent = JSON.stringify({ messages });
    expect(chatOf(definition)?.rewrite?.when.some((text) => sent.includes(text))).toBe(true);
  });

  it.each([groq, cerebras])("but what $name itself calls what it thought", (definition) => {
    const own = [{ role: "assistant", content: "Yes?", reasoning: "Hm." }];
    expect(told(definition, { messages: own })).toEqual({ wire: { messages: own }, dropped: [] });
    expect(told(definition, { messages: "none" }).wire).toEqual({ messages: "none" });
  });
});

describe("what clients write into the texts of an answer once more is left out of them", () => {
  const call = { id: "abcDEF123", type: "function", function: { name: "look", arguments: "{}" } };
  const around = { role: "assistant", tool_calls: [call] };
  const text = { type: "text", text: "Let me look." };
  const result = { role: "tool", tool_call_id: "abcDEF123", content: [{ ...text, role: "assistant" }] };

  it.each<[ProviderDefinition, object, string[]]>([
    [mistral, {}, []],
    [groq, {}, []],
    [cerebras, {}, []],
    [mistral, { reasoning_content: "Hm.", refusal: null, annotations: [] }, ["messages.reasoning_content"]],
    [groq, { reasoning_content: "Hm.", refusal: null, annotations: [] }, ["messages.reasoning_content"]],
    [cerebras, { reasoning_content: "Hm.", refusal: null, annotations: [] }, ["messages.reasoning_content"]],
  ])("by $name, with %j beside", (definition, beside, lost) => {
    const sent = [{ ...around, content: [{ ...text, ...around, ...beside }] }, result];
    const expected = { messages: [{ ...around, content: [text] }, result] };
    expect(told(definition, { messages: sent })).toEqual({ wire: expected, dropped: lost });
    expect(chatOf(definition)?.rewrite?.when.some((one) => JSON.stringify(sent).includes(one))).toBe(true);
  });

  it.each([mistral, groq, cerebras])("but not what else stands there (%#)", (definition) => {
    const parts = [{ type: "thinking", thinking: [text] }, { ...text, own: { of: "the vendor" } }, "odd"];
    const sent = { messages: [{ role: "assistant", content: parts }, "odd"] };
    expect(told(definition, sent)).toEqual({ wire: sent, dropped: [] });
  });
});

it.each([mistral, groq, cerebras])("$name is told nothing of caches", (definition) => {
  const cache_control = { type: "ephemeral" };
  const text = { type: "text", text: "Hi" };
  const tools = [{ type: "function", function: { name: "look" } }];
  const sent = {
    messages: [{ role: "user", content: [{ ...text, cache_control }] }],
    tools: tools.map((one) => ({ ...one, cache_control })),
  };
  expect(told(definition, sent)).toEqual({
    wire: { messages: [{ role: "user", content: [text] }], tools },
    dropped: ["messages.cache_control", "tools.cache_control"],
  });
  expect(chatOf(definition)?.rewrite?.when).toEqual(
    expect.arrayContaining(['"cache_control"', '"prompt_cache_breakpoint"']),
  );
});

it.each<[string, string | undefined, string[]]>([
  ["default", "on_demand", []],
  ["flex", "flex", []],
  ["performance", "performance", []],
  ["priority", undefined, ["service_tier"]],
])("Groq is asked for the tier %s as %s", (tier, word, lost) => {
  expect(told(groq, { service_tier: tier, messages: [] })).toEqual({
    wire: { messages: [], ...(word && { service_tier: word }) },
    dropped: lost,
  });
});

describe("what else Mistral refuses is not said to it", () => {
  it.each<[string, object, object, string[]]>([
    ["the tier everybody has", { service_tier: "default" }, { service_tier: "standard_only" }, []],
    ["whichever tier there is", { service_tier: "auto" }, { service_tier: "auto" }, []],
    ["a tier there is not", { service_tier: "flex" }, {}, ["service_tier"]],
    ["usage in a stream", { stream: true, stream_options: { include_usage: true } }, { stream: true }, []],
  ])("%s: %j", (_what, wire, expected, lost) => {
    expect(told(mistral, { ...wire })).toEqual({ wire: expected, dropped: lost });
  });

  it("fields of chats elsewhere, but none of its own", () => {
    const own = ["metadata", "prediction", "reasoning_effort", "prompt_mode", "prompt_cache_key", "safe_prompt", "n"];
    const { drops } = chatOf(mistral) ?? {};
    expect(drops).toEqual(expect.arrayContaining(["user", "store", "logprobs", "logit_bias"]));
    expect(drops?.filter((name) => own.includes(name))).toEqual([]);
  });
});
