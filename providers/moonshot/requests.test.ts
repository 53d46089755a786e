import { describe, expect, it } from "vitest";
import { chats } from "./requests.ts";

type Wire = Readonly<Record<string, unknown>>;

/** What the vendor is told, and what is reported to be left out. The change is made only where the bytes could need it. */
function told(wire: Wire) {
  const dropped: string[] = [];
  const sent = JSON.stringify(wire);
  const needed = chats.when.some((text) => sent.includes(text));
  return { wire: needed ? chats.apply(wire, (name) => dropped.push(name)) : wire, dropped };
}

const tools = [
  { type: "function", function: { name: "look" } },
  { type: "function", function: { name: "tell" } },
];
const named = { type: "function", function: { name: "look" } };
const off = { thinking: { type: "disabled" } };
const on = { thinking: { type: "enabled" } };

describe("what a model that thinks is not told otherwise than it is", () => {
  it.each(["kimi-k2.5", "kimi-k2.6", "kimi-k2.7-code-highspeed", "kimi-k3", "kimi-k3.1-pro"])(
    "%s: sampling",
    (model) => {
      const usual = { temperature: 1, top_p: 0.95, presence_penalty: 0, frequency_penalty: 0 };
      expect(told({ model, ...usual })).toEqual({ wire: { model }, dropped: [] });
      expect(told({ model, temperature: 0.2, top_p: 0.5, n: 1 })).toEqual({
        wire: { model, n: 1 },
        dropped: ["temperature", "top_p"],
      });
    },
  );

  it.each(["moonshot-v1-8k", "kimi-k2-0905-preview", "kimi-latest"])("but %s is", (model) => {
    const wire = { model, temperature: 0.2, tools, tool_choice: "required", reasoning_effort: "low" };
    expect(told(wire)).toEqual({ wire, dropped: [] });
  });
});

describe("how much to think, and whether", () => {
  it.each<[string, object, object, string[]]>([
    ["kimi-k2.6", { reasoning_effort: "none" }, off, []],
    ["kimi-k2.6", { reasoning_effort: "low" }, on, []],
    ["kimi-k2.6", { reasoning_effort: "high", ...off }, off, []],
    ["kimi-k2.7-code", { reasoning_effort: "low" }, {}, []],
    ["kimi-k2.7-code", { reasoning_effort: "none" }, {}, ["reasoning_effort"]],
    ["kimi-k2.7-code", off, {}, ["thinking"]],
    ["kimi-k2.7-code", on, on, []],
    ["kimi-k3", { reasoning_effort: "medium" }, { reasoning_effort: "high" }, []],
    ["kimi-k3", { reasoning_effort: "xhigh" }, { reasoning_effort: "max" }, []],
    ["kimi-k3", { reasoning_effort: "none" }, { reasoning_effort: "low" }, ["reasoning_effort"]],
    ["kimi-k3", off, { reasoning_effort: "low" }, ["thinking"]],
    ["kimi-k3.1-pro", { reasoning_effort: "low", ...on }, { reasoning_effort: "low" }, []],
  ])("%s with %j: %j", (model, asked, expected, lost) => {
    expect(told({ model, ...asked })).toEqual({ wire: { model, ...expected }, dropped: lost });
  });
});

describe("calls of tools that are forced", () => {
  it.each<[string, object, object, string[]]>([
    ["kimi-k2.6", { tool_choice: "required" }, { tool_choice: "required", ...off }, []],
    [
      "kimi-k2.6",
      { tool_choice: named, reasoning_effort: "low" },
      { tool_choice: named, ...off },
      ["reasoning_effort"],
    ],
    ["kimi-k2.6", { tool_choice: named, ...on }, { tool_choice: named, ...off }, ["thinking"]],
    ["kimi-k2.6", { tool_choice: "auto" }, { tool_choice: "auto" }, []],
    ["kimi-k2.7-code", { tool_choice: "required" }, { tool_choice: "auto" }, ["tool_choice"]],
    ["kimi-k2.7-code", { tool_choice: named }, { tool_choice: "auto" }, ["tool_choice"]],
    ["kimi-k3", { tool_choice: "required" }, { tool_choice: "required" }, []],
    ["kimi-k3", { tool_choice: named }, { tool_choice: "required" }, ["tool_choice"]],
  ])("%s with %j: %j", (model, asked, expected, lost) => {
    expect(told({ model, tools, ...asked })).toEqual({ wire: { model, tools, ...expected }, dropped: lost });
  });

  it("the only tool there is needs no name", () => {
    const wire = { model: "kimi-k3", tools: tools.slice(0, 1) };
    expect(told({ ...wire, tool_choice: named })).toEqual({ wire: { ...wire, tool_choice: "required" }, dropped: [] });
  });
});

describe("what models are shown", () => {
  const call = { role: "assistant", tool_calls: [{ id: "c" }] };

  it.each(["kimi-k2.6", "kimi-k2-thinking", "kimi-k3"])("%s: what was thought, in every turn", (model) => {
    expect(told({ model, messages: [call] }).wire).toEqual({ model, messages: [{ ...call, reasoning_content: " " }] });
  });

  it("no thoughts where it shall not think", () => {
    const wire = { model: "kimi-k2.6", messages: [call], ...off };
    expect(told(wire)).toEqual({ wire, dropped: [] });
  });

  it("neither documents nor sounds", () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA" } };
    const content = [image, { type: "file", file: { file_data: "x" } }, { type: "input_audio", input_audio: {} }];
    expect(told({ model: "kimi-k3", messages: [{ role: "user", content }] })).toEqual({
      wire: { model: "kimi-k3", messages: [{ role: "user", content: [image] }] },
      dropped: ["messages.file", "messages.input_audio"],
    });
  });

  it("types of parameters within their alternatives", () => {
    const asked = (parameters: object) => ({
      model: "kimi-k3",
      tools: [{ type: "function", function: { parameters } }],
    });
    const nested = (one: object) => ({ type: "object", properties: { anyOf: { type: "array", items: one } } });
    expect(told(asked(nested({ type: "object", anyOf: [{ required: ["a"] }, { type: "null" }] }))).wire).toEqual(
      asked(nested({ anyOf: [{ type: "object", required: ["a"] }, { type: "null" }] })),
    );
    const plain = asked({ type: "object", default: { anyOf: [{}], type: "x" }, properties: { a: { anyOf: [{}] } } });
    expect(told(plain).wire).toEqual(plain);
  });

  it("bodies whose messages are no list stay", () => {
    expect(told({ model: "kimi-k3", messages: "assistant", tools: [null] }).wire).toEqual({
      model: "kimi-k3",
      messages: "assistant",
      tools: [null],
    });
  });
});
