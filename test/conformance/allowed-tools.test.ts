import { describe, expect, it } from "vitest";
import type { Format } from "../../core/index.ts";
import { chatFormats } from "./pairs.ts";

/** A choice among some of the tools a client brings: three formats have one, and the others are asked so that it holds. */

const parameters = { type: "object", properties: { n: { type: "integer" } } };
const all = ["f", "g", "h"];

/** A request of a client, by its format, that allows these tools. */
const asking: Readonly<Record<string, (required: boolean, names: readonly string[]) => object>> = {
  "openai-chat": (required, names) => ({
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
    tools: all.map((name) => ({ type: "function", function: { name, parameters } })),
    tool_choice: {
      type: "allowed_tools",
      allowed_tools: {
        mode: required ? "required" : "auto",
        tools: names.map((name) => ({ type: "function", function: { name } })),
      },
    },
  }),
  "openai-responses": (required, names) => ({
    model: "m",
    input: [{ type: "message", role: "user", content: "Hi" }],
    tools: all.map((name) => ({ type: "function", name, parameters, strict: false })),
    tool_choice: {
      type: "allowed_tools",
      mode: required ? "required" : "auto",
      tools: names.map((name) => ({ type: "function", name })),
    },
  }),
  gemini: (required, names) => ({
    model: "m",
    contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    tools: [{ functionDeclarations: all.map((name) => ({ name, parameters })) }],
    toolConfig: { functionCallingConfig: { mode: required ? "ANY" : "AUTO", allowedFunctionNames: names } },
  }),
};

const formatOf = (name: string): Format<"chat"> => {
  const format = chatFormats.find((one) => one.name === name);
  if (!format) throw new Error(`There is no format ${name}.`);
  return format;
};

/** What a vendor is told of tools: which there are, and which may be called. */
function toldOf(client: string, upstream: string, asked: object) {
  const dropped: string[] = [];
  const request = formatOf(client).decodeRequest(asked);
  const wire = JSON.parse(JSON.stringify(formatOf(upstream).encodeRequest(request, (name) => dropped.push(name))));
  const { tools, tool_choice: choice, toolConfig = {} } = wire;
  const list = JSON.stringify(tools ?? toolConfig.tools);
  return {
    tools: all.filter((name) => list.includes(`"name":"${name}"`)),
    dropped,
    choice: choice ?? toolConfig.toolChoice ?? toolConfig.functionCallingConfig,
  };
}

const two = ["f", "h"];
const allowedIn = (format: string, required: boolean) => {
  const { tool_choice: choice, toolConfig } = Object(asking[format]?.(required, two));
  return choice ?? toolConfig.functionCallingConfig;
};

describe.each(Object.keys(asking))("tools that a client of %s allows", (client) => {
  it.each<[string, boolean, readonly string[], object]>([
    ["openai-responses", true, two, { tools: all, choice: allowedIn("openai-responses", true) }],
    ["openai-responses", false, two, { tools: all, choice: allowedIn("openai-responses", false) }],
    ["gemini", true, two, { tools: all, choice: allowedIn("gemini", true) }],
    ["anthropic-messages", true, two, { tools: two, choice: { type: "any" } }],
    ["anthropic-messages", true, ["g"], { tools: all, choice: { type: "tool", name: "g" } }],
    ["anthropic-messages", false, two, { tools: two, choice: { type: "auto" } }],
    ["bedrock-converse", true, two, { tools: two, choice: { any: {} } }],
    ["bedrock-converse", true, ["g"], { tools: all, choice: { tool: { name: "g" } } }],
    ["bedrock-converse", false, two, { tools: two, choice: { auto: {} } }],
    ["cohere-chat", true, two, { tools: two, choice: "REQUIRED" }],
    ["cohere-chat", false, two, { tools: two }],
  ])("are those a vendor of %s may use (has to: %s): %j", (upstream, required, names, told) => {
    expect(toldOf(client, upstream, asking[client]?.(required, names) ?? {})).toEqual({ dropped: [], ...told });
  });

  it.each([true, false])("come back in its own words (has to: %s)", (required) => {
    const asked = asking[client]?.(required, two) ?? {};
    const dropped: string[] = [];
    const { decodeRequest, encodeRequest } = formatOf(client);
    expect(encodeRequest(decodeRequest(asked), (name) => dropped.push(name))).toMatchObject(asked);
    expect(dropped).toEqual([]);
  });
});

it.each(["openai-responses", "gemini"])(
  "a vendor of the chat format is not asked for what most do not know, by a client of %s",
  (client) => {
    const ask = (required: boolean, names: readonly string[]) =>
      toldOf(client, "openai-chat", asking[client]?.(required, names) ?? {});
    expect(ask(true, two)).toEqual({ tools: two, choice: "required", dropped: [] });
    expect(ask(false, two)).toEqual({ tools: two, choice: "auto", dropped: [] });
    const g = { type: "function", function: { name: "g" } };
    expect(ask(true, ["g"])).toEqual({ tools: all, choice: g, dropped: [] });
  },
);

it.each(["openai-chat", "openai-responses"])("Gemini has no names where %s need not call", (client) => {
  const told = toldOf(client, "gemini", asking[client]?.(false, two) ?? {});
  expect(told).toEqual({ tools: two, choice: { mode: "AUTO" }, dropped: [] });
});

describe("what Gemini's clients say besides", () => {
  const asked = (config: object, ...more: object[]) => ({
    ...asking.gemini?.(true, two),
    tools: [{ functionDeclarations: all.map((name) => ({ name, parameters })) }, ...more],
    toolConfig: { functionCallingConfig: config },
  });

  it.each<[object, object[], object]>([
    [
      { mode: "VALIDATED", allowedFunctionNames: two },
      [],
      { tools: two, choice: { auto: {} }, dropped: ["tool_config"] },
    ],
    [{ mode: "VALIDATED" }, [], { tools: all, dropped: ["tool_config"] }],
    [
      { mode: "AUTO", allowedFunctionNames: two },
      [{ googleSearch: {} }],
      { tools: all, dropped: ["tool_config", "tools.google_search"] },
    ],
    [
      { mode: "ANY", allowedFunctionNames: [...two, "x"] },
      [],
      { tools: two, choice: { any: {} }, dropped: ["tool_choice"] },
    ],
  ])("%j beside %j", (config, more, told) => {
    const { dropped, ...said } = toldOf("gemini", "bedrock-converse", asked(config, ...more));
    expect({ ...said, dropped: dropped.sort() }).toEqual(told);
    const again = formatOf("gemini").encodeRequest(formatOf("gemini").decodeRequest(asked(config, ...more)), () => {});
    expect(again).toMatchObject({ toolConfig: { functionCallingConfig: config } });
  });
});

it("tools for free text are allowed as what they are", () => {
  const chat = {
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
    tools: [
      { type: "function", function: { name: "f", parameters } },
      { type: "custom", custom: { name: "g" } },
      { type: "function", function: { name: "h", parameters } },
    ],
    tool_choice: {
      type: "allowed_tools",
      allowed_tools: {
        mode: "auto",
        tools: [
          { type: "function", function: { name: "f" } },
          { type: "custom", custom: { name: "g" } },
        ],
      },
    },
  };
  expect(toldOf("openai-chat", "openai-chat", chat)).toEqual({ tools: all, choice: chat.tool_choice, dropped: [] });
  expect(toldOf("openai-chat", "openai-responses", chat).choice).toEqual({
    type: "allowed_tools",
    mode: "auto",
    tools: [
      { type: "function", name: "f" },
      { type: "custom", name: "g" },
    ],
  });
  expect(toldOf("openai-chat", "gemini", chat)).toEqual({ tools: ["f", "g"], choice: { mode: "AUTO" }, dropped: [] });
});

it("a vendor's own tool among those allowed is more than others can be told", () => {
  const asked = {
    model: "m",
    input: "Hi",
    tools: [{ type: "function", name: "f", parameters }, { type: "image_generation" }],
    tool_choice: {
      type: "allowed_tools",
      mode: "auto",
      tools: [{ type: "function", name: "f" }, { type: "image_generation" }],
    },
  };
  const { dropped } = toldOf("openai-responses", "anthropic-messages", asked);
  expect(dropped.sort()).toEqual(["tool_choice", "tools.image_generation"]);
  expect(toldOf("openai-responses", "openai-responses", asked).choice).toEqual(asked.tool_choice);
});
