import { expect, it } from "vitest";
import { forcesTool, hasCalls, plainEffort, withThoughts, withThoughtsIn } from "./thinking-chats.ts";

const tools = [{ type: "function", function: { name: "f" } }];
const named = { type: "function", function: { name: "f" } };
const allowed = (mode: string) => ({ type: "allowed_tools", allowed_tools: { mode, tools } });

it.each<[unknown, boolean]>([
  ["required", true],
  ["any", true],
  [named, true],
  [{ type: "custom", custom: { name: "f" } }, true],
  [allowed("required"), true],
  [allowed("auto"), false],
  [{ type: "auto" }, false],
  ["auto", false],
  ["none", false],
  [null, false],
  [undefined, false],
])("a choice of %j forces a call: %s", (tool_choice, forced) => {
  expect(forcesTool({ tools, tool_choice })).toBe(forced);
  expect(forcesTool({ tools: [], tool_choice })).toBe(false);
  expect(forcesTool({ tool_choice })).toBe(false);
});

it("knows whether a model has called a tool", () => {
  expect(hasCalls([{ role: "assistant", tool_calls: [{}] }])).toBe(true);
  expect(hasCalls([null, { role: "assistant", tool_calls: [] }, { role: "user", tool_calls: [{}] }])).toBe(false);
});

it("only turns of the model have thoughts", () => {
  const others = [null, "x", { role: "user", content: "Hi" }, { role: "tool", content: "1" }];
  expect(withThoughts([...others, { role: "assistant", reasoning: null }])).toEqual([
    ...others,
    { role: "assistant", reasoning_content: " " },
  ]);
});

it.each<[unknown, unknown]>([
  ["minimal", "low"],
  ["low", "low"],
  ["high", "high"],
  ["xhigh", "high"],
  ["max", "high"],
  ["none", "none"],
  [undefined, undefined],
])("models that know three efforts are told of %j as %j", (effort, told) => {
  expect(plainEffort(effort)).toBe(told);
});

it("thoughts stand in the field that a vendor has for them", () => {
  const turn = (more: object) => ({ role: "assistant", content: "Hi", ...more });
  expect(withThoughtsIn("reasoning", turn({ reasoning_content: "Hm." }))).toEqual(turn({ reasoning: "Hm." }));
  expect(withThoughtsIn("reasoning_content", turn({ reasoning: "Hm." }))).toEqual(turn({ reasoning_content: "Hm." }));
  const both = turn({ reasoning: "A", reasoning_content: "B" });
  expect(withThoughtsIn("reasoning", both)).toEqual(turn({ reasoning: "A" }));
  for (const other of [null, "x", { role: "user", reasoning: "A" }, turn({ reasoning: null })])
    expect(withThoughtsIn("reasoning_content", other)).toBe(other);
});
