import { describe, expect, it } from "vitest";
import { openAiResponses } from "../index.ts";
import { asFunctions } from "./as-functions.ts";
import { isBeyondFunctions, marks } from "./beyond-functions.ts";

const { decodeRequest, encodeRequest } = openAiResponses;
const report = () => {};

const parameters = {
  type: "object",
  properties: { namespace: { type: "string" }, kind: { enum: ["custom", "shell", "apply_patch"] } },
};
const plain = { type: "function", name: "look", parameters, strict: false };
const ask = { role: "user", content: [{ type: "input_text", text: 'What is a "namespace" in "tool_search"?' }] };
const called = { call_id: "1", name: "a", status: "completed" };
const local = { type: "local" };
const commands = { action: { commands: ["ls"] } };

type Case = [what: string, wire: { readonly input?: readonly object[]; readonly [field: string]: unknown }];

const functionsOnly: Case[] = [
  ["names of parameters, and texts", {}],
  ["a function of such a name", { tools: [{ ...plain, name: "shell" }] }],
  ["tools that the vendor runs", { tools: [plain, { type: "web_search" }, { type: "mcp", server_label: "custom" }] }],
  ["a shell at the vendor", { tools: [plain, { type: "shell", environment: { type: "container_auto" } }] }],
  ["a function that has to be called", { tool_choice: { type: "function", name: "custom" } }],
  ["calls of functions", { input: [{ type: "function_call", ...called, name: "shell", arguments: "{}" }] }],
];
const beyond: Case[] = [
  ["a tool for free text", { tools: [plain, { type: "custom", name: "a" }] }],
  ["a group", { tools: [{ type: "namespace", name: "crm", description: "C.", tools: [plain] }] }],
  ["a group of what is no function", { tools: [{ type: "namespace", name: "crm", tools: [{ type: "mcp" }] }] }],
  ["a search of the client's", { tools: [{ type: "tool_search", execution: "client", parameters }] }],
  ["a search of the vendor's", { tools: [plain, { type: "tool_search" }] }],
  ["changes of files", { tools: [{ type: "apply_patch" }] }],
  ["a shell", { tools: [{ type: "shell", environment: local }] }],
  ["a tool for free text that has to be called", { tool_choice: { type: "custom", name: "look" } }],
  ["a call of a tool for free text", { input: [{ type: "custom_tool_call", ...called, input: "" }] }],
  ["its result", { input: [{ type: "custom_tool_call_output", call_id: "1", output: "" }] }],
  ["a call in a group", { input: [{ type: "function_call", ...called, namespace: "crm", arguments: "{}" }] }],
  ["a search that the client was asked for", { input: [{ type: "tool_search_call", ...called, arguments: {} }] }],
  ["a search that OpenAI made", { input: [{ type: "tool_search_call", id: "t", execution: "server" }] }],
  ["what it found", { input: [{ type: "tool_search_output", call_id: "1", tools: [plain] }] }],
  ["tools that come later", { input: [{ type: "additional_tools", tools: [{ ...plain, name: "b" }] }] }],
  ["another effort from now on", { input: [{ type: "configuration_update", reasoning: { effort: "low" } }] }],
  ["commands", { input: [{ type: "shell_call", ...called, ...commands }] }],
  ["what they wrote", { input: [{ type: "shell_call_output", call_id: "1", output: [] }] }],
  ["a change of a file", { input: [{ type: "apply_patch_call", ...called, operation: {} }] }],
  ["how it went", { input: [{ type: "apply_patch_call_output", call_id: "1", status: "completed" }] }],
];

const whole = ({ input = [], ...rest }: Case[1]) => ({ model: "m", tools: [plain], ...rest, input: [ask, ...input] });

/** Whether the request is written otherwise for vendors that know functions only. */
function changes(wire: object): boolean {
  const request = decodeRequest(wire);
  return (
    JSON.stringify(encodeRequest(asFunctions(request, report), report)) !==
    JSON.stringify(encodeRequest(request, report))
  );
}

describe("a request to a vendor that knows functions only", () => {
  it.each(functionsOnly)("is one already: %s", (_, said) => {
    const wire = whole(said);
    expect(marks.some((mark) => JSON.stringify(wire).includes(mark))).toBe(true);
    expect([isBeyondFunctions(wire), changes(wire)]).toEqual([false, false]);
  });

  it.each(beyond)("is not one yet: %s", (_, said) => {
    const wire = whole(said);
    expect(marks.some((mark) => JSON.stringify({ ...said }).includes(mark))).toBe(true);
    expect([isBeyondFunctions(wire), changes(wire)]).toEqual([true, true]);
  });

  it("says what is to be called as it is called there, beside what the vendor runs", () => {
    const tools = [{ type: "shell" }, { type: "custom", name: "run" }, { type: "web_search" }];
    const chosen = (tool_choice: object) =>
      encodeRequest(asFunctions(decodeRequest({ ...whole({}), tools, tool_choice }), report), report).tool_choice;
    const named = (name: string) => ({ type: "function", name });
    expect(chosen({ type: "shell" })).toEqual(named("shell"));
    expect(chosen({ type: "custom", name: "run" })).toEqual(named("run"));
    expect(chosen({ type: "web_search" })).toEqual({ type: "web_search" });
    const allowed = { type: "allowed_tools", mode: "auto" };
    const custom = { type: "custom", name: "run" };
    expect(chosen({ ...allowed, tools: [{ type: "shell" }, custom] })).toEqual({
      ...allowed,
      tools: [named("shell"), named("run")],
    });
    expect(chosen({ ...allowed, tools: [{ type: "web_search" }, { type: "shell" }, custom] })).toEqual({
      ...allowed,
      tools: [{ type: "web_search" }, named("shell"), named("run")],
    });
  });
});
