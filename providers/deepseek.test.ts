import { describe, expect, it } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import { operationsOf } from "../core/provider-kit/offered-operations.ts";
import type { CommonOptions } from "../core/provider-kit/provider-definition.ts";
import deepseek from "./deepseek.ts";

const { formats } = await builtInFormats();
const [chat] = operationsOf(deepseek, {} as CommonOptions & Record<string, unknown>, formats).chat ?? [];

/** What the vendor is told, and what is reported to be left out. The change is made only where the bytes could need it. */
function told(wire: Readonly<Record<string, unknown>>) {
  const dropped: string[] = [];
  const sent = JSON.stringify(wire);
  const needed = chat?.rewrite?.when.some((text) => sent.includes(text));
  return { wire: needed ? chat?.rewrite?.apply(wire, (name) => dropped.push(name)) : wire, dropped };
}

const model = "deepseek-v4-pro";
const tools = [{ type: "function", function: { name: "look" } }];
const named = { type: "function", function: { name: "look" } };

describe("a model that is made to call a tool does not think, as it refuses both", () => {
  it.each<[object, string[]]>([
    [{ tool_choice: "required" }, []],
    [{ tool_choice: named }, []],
    [{ tool_choice: named, thinking: { type: "enabled" } }, ["thinking"]],
    [{ tool_choice: "required", reasoning_effort: "high" }, ["reasoning_effort"]],
    [{ tool_choice: "required", reasoning_effort: "none" }, []],
  ])("%j", (asked, lost) => {
    const { tool_choice } = asked as { tool_choice: unknown };
    const wire = { model, tools, tool_choice, thinking: { type: "disabled" } };
    expect(told({ model, tools, ...asked })).toEqual({ wire, dropped: lost });
  });

  it.each(["auto", "none"])("but one that may choose does: %s", (tool_choice) => {
    expect(told({ model, tools, tool_choice })).toEqual({ wire: { model, tools, tool_choice }, dropped: [] });
  });
});

describe("a history with calls of tools has what was thought in each turn of the model", () => {
  const call = { role: "assistant", content: null, tool_calls: [{ id: "c", type: "function" }] };
  const history = (...turns: object[]) => [{ role: "user", content: "Hi" }, ...turns, { role: "user", content: "So?" }];

  it.each<[string, object, object]>([
    ["as it was", { reasoning_content: "Hm." }, { reasoning_content: "Hm." }],
    ["of vendors with another name for it", { reasoning: "Hm." }, { reasoning_content: "Hm." }],
    ["nobody knows what", {}, { reasoning_content: " " }],
    ["nothing", { reasoning_content: "" }, { reasoning_content: " " }],
  ])("%s", (_what, before, after) => {
    const said = { role: "assistant", content: "Yes." };
    expect(told({ model, messages: history({ ...call, ...before }, { ...said, ...before }) })).toEqual({
      wire: { model, messages: history({ ...call, ...after }, { ...said, ...after }) },
      dropped: [],
    });
  });

  it.each([
    { model, messages: history({ role: "assistant", content: "Yes." }) },
    { model, messages: history(call), thinking: { type: "disabled" } },
  ])("but not where none is asked for: %j", (wire) => {
    expect(told(wire)).toEqual({ wire, dropped: [] });
  });
});
