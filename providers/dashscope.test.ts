import { expect, it } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import { operationsOf } from "../core/provider-kit/offered-operations.ts";
import type { CommonOptions } from "../core/provider-kit/provider-definition.ts";
import dashscope from "./dashscope.ts";

const { formats } = await builtInFormats();
const [chat] = operationsOf(dashscope, {} as CommonOptions & Record<string, unknown>, formats).chat ?? [];

const tools = [{ type: "function", function: { name: "look" } }];
const named = { type: "function", function: { name: "look" } };
const off = { enable_thinking: false };

it.each<[string, object, object, string[]]>([
  ["qwen3.5-plus", { tool_choice: "required" }, { tool_choice: "required", ...off }, []],
  ["qwen3.8-max", { tool_choice: named }, { tool_choice: named, ...off }, []],
  ["qwen-plus", { tool_choice: named, enable_thinking: true }, { tool_choice: named, ...off }, ["enable_thinking"]],
  [
    "qwen3.8-max",
    { tool_choice: named, reasoning_effort: "high" },
    { tool_choice: named, ...off },
    ["reasoning_effort"],
  ],
  ["qwen3.8-max", { reasoning_effort: "none" }, off, []],
  ["qwen3.8-max", { reasoning_effort: "high" }, { reasoning_effort: "high" }, []],
  ["qwen3.8-max", { tool_choice: "auto" }, { tool_choice: "auto" }, []],
  ["qwen-plus", { tool_choice: named }, { tool_choice: named }, []],
  ["qwen3-max", { tool_choice: named, ...off }, { tool_choice: named, ...off }, []],
  ["deepseek-v3.2", { tool_choice: named, enable_thinking: true }, { tool_choice: named, enable_thinking: true }, []],
])("%s with %j: %j", (model, asked, told, lost) => {
  const dropped: string[] = [];
  const wire = { model, tools, ...asked };
  expect(chat?.rewrite?.apply(wire, (name) => dropped.push(name))).toEqual({ model, tools, ...told });
  expect(dropped).toEqual(lost);
  expect(chat?.rewrite?.when.some((text) => JSON.stringify(wire).includes(text))).toBe(true);
});
