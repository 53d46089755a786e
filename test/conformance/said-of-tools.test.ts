import { expect, it } from "vitest";
import { asFunctions } from "../../plugins/format-openai-responses/request/as-functions.ts";
import { chatFormats } from "./pairs.ts";

/** What clients say of a tool besides its name and its input, to vendors that have no place for it. */

const formatOf = (name: string) => {
  const found = chatFormats.find((format) => format.name === name);
  if (!found) throw new Error(`there is no format ${name}`);
  return found;
};

const asked: Readonly<Record<string, (tool: object) => object>> = {
  "anthropic-messages": (tool) => ({ max_tokens: 99, messages: [{ role: "user", content: "Hi" }], tools: [tool] }),
  "openai-responses": (tool) => ({ input: "Hi", tools: [tool] }),
};

function translated(client: string, tool: object, upstream: string): readonly [tools: unknown, lost: string[]] {
  const { decodeRequest, meantElsewhere } = formatOf(client);
  const lost: string[] = [];
  const request = decodeRequest({ model: "m", ...asked[client]?.(tool) });
  const meant = meantElsewhere?.(request, { strict: false }) ?? request;
  const { tools } = formatOf(upstream).encodeRequest(meant, (name) => lost.push(name)) as { tools?: unknown };
  return [tools, lost];
}

const bash = { type: "bash_20250124", name: "bash" };
const program = { allowed_callers: ["programmatic"] };
const skill = { name: "s", description: "d", path: "p" };
const look = { type: "function", name: "look", strict: false, parameters: { type: "object", properties: {} } };

it.each<[client: string, tool: object, lost: string[]]>([
  ["anthropic-messages", { ...bash, strict: true, input_examples: [{}] }, ["tools.strict", "tools.input_examples"]],
  ["anthropic-messages", { ...bash, allowed_callers: ["code_execution_20260120"] }, ["tools.allowed_callers"]],
  ["anthropic-messages", { ...bash, allowed_callers: ["direct"], strict: false }, []],
  [
    "anthropic-messages",
    { type: "text_editor_20250728", name: "str_replace_based_edit_tool", max_characters: 9 },
    ["tools.max_characters"],
  ],
  ["openai-responses", { type: "apply_patch", ...program }, ["tools.allowed_callers"]],
  ["openai-responses", { type: "shell", allowed_callers: ["direct"] }, []],
  ["openai-responses", { type: "shell", environment: { type: "local", skills: [] } }, []],
  ["openai-responses", { type: "shell", environment: { type: "local", skills: [skill] } }, ["tools.environment"]],
])("of %s: %j loses %j", (client, tool, lost) => {
  for (const upstream of ["openai-chat", "gemini", "bedrock-converse"])
    expect(translated(client, tool, upstream)[1], upstream).toEqual(lost);
});

it("tells Claude only such callers as it has", () => {
  const told = (callers: string[]) =>
    translated("openai-responses", { ...look, allowed_callers: callers }, "anthropic-messages");
  expect(told(["direct"])).toEqual([[expect.objectContaining({ allowed_callers: ["direct"] })], []]);
  for (const callers of [["programmatic"], ["direct", "programmatic"]])
    expect(told(callers)).toEqual([
      [expect.not.objectContaining({ allowed_callers: expect.anything() })],
      ["tools.allowed_callers"],
    ]);
  const own = { ...look, allowed_callers: ["code_execution_20260120"] };
  expect(translated("openai-responses", own, "anthropic-messages")[1]).toEqual([]);
});

it("is not said of a shell that becomes a function of a vendor of the same API", () => {
  const { decodeRequest, encodeRequest } = formatOf("openai-responses");
  const shell = { type: "shell", environment: { type: "local", skills: [skill] } };
  const lost: string[] = [];
  const request = asFunctions(decodeRequest({ model: "m", input: "Hi", tools: [shell] }), (name) => lost.push(name));
  const { tools } = encodeRequest(request, () => {}) as { tools: object[] };
  expect(tools).toEqual([expect.objectContaining({ type: "function", name: "shell", strict: false })]);
  expect(tools[0]).not.toHaveProperty("environment");
  expect(lost).toEqual(["tools.environment"]);
});
