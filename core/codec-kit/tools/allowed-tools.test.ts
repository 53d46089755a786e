import { expect, it } from "vitest";
import type { ChatRequest, Tool } from "../../model/chat.ts";
import { withAllowedTools } from "./allowed-tools.ts";

const named = (name: string): Tool => ({ type: "function", name });
const [a, b, c] = [named("a"), named("b"), named("c")];
const search: Tool = { type: "native", format: "acme", value: { type: "search" } };
const tools = [a, search, b, c];
const among = (required: boolean, ...names: string[]) => ({ type: "among" as const, required, names });

it.each<[string, Partial<ChatRequest>, boolean, Partial<ChatRequest>, string[]]>([
  [
    "brings no others where one of some has to be called",
    { tools, toolChoice: among(true, "c", "a") },
    true,
    { tools: [a, c], toolChoice: { type: "required" } },
    [],
  ],
  [
    "brings no others where some may be called",
    { tools, toolChoice: among(false, "b") },
    true,
    { tools: [b], toolChoice: { type: "auto" } },
    [],
  ],
  [
    "names the only one that has to be called",
    { tools, toolChoice: among(true, "b") },
    true,
    { tools, toolChoice: { type: "tool", name: "b" } },
    [],
  ],
  [
    "brings the only one that has to be called where it cannot be named",
    { tools, toolChoice: among(true, "b") },
    false,
    { tools: [b], toolChoice: { type: "required" } },
    [],
  ],
  [
    "tells of a name that no tool has",
    { tools, toolChoice: among(false, "a", "b", "x") },
    true,
    { tools: [a, b], toolChoice: { type: "auto" } },
    ["tool_choice"],
  ],
  ["tells of a choice among none", { tools, toolChoice: among(true, "x") }, true, { tools }, ["tool_choice"]],
  ["tells of a choice without tools", { toolChoice: among(false, "a") }, true, {}, ["tool_choice"]],
  [
    "is the same where all may be called",
    { tools, toolChoice: { type: "required" } },
    true,
    { tools, toolChoice: { type: "required" } },
    [],
  ],
])("a chat with allowed tools %s", (_, asked, byName, left, lost) => {
  const common = { model: "m", messages: [], stream: false };
  const dropped: string[] = [];
  const request = withAllowedTools({ ...common, ...asked }, (name) => dropped.push(name), { byName });
  expect(request).toEqual({ ...common, ...left });
  expect(dropped).toEqual(lost);
});
