import { expect, it } from "vitest";
import { forcesTool, hasCalls, withThoughts } from "./thinking-chats.ts";

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
