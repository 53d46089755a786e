import { describe, expect, it } from "vitest";
import { type ChatRequest, type Fields, readJson, writeJson } from "../../../core/index.ts";
import { bedrockConverse } from "../index.ts";
import { decodeOutput, encodeOutput } from "./settings.ts";

const budget = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const adaptive = "global.anthropic.claude-opus-4-6-v1";

function encoded(more: Partial<ChatRequest>) {
  const dropped: string[] = [];
  const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
  const request: ChatRequest = { model: "some.model", messages, stream: false, ...more };
  const wire = bedrockConverse.encodeRequest(request, (name) => dropped.push(name));
  return { config: wire.inferenceConfig, fields: wire.additionalModelRequestFields, dropped };
}

describe("bedrock-converse settings", () => {
  const sampling = ["temperature", "top_p", "top_k"];
  const all = { temperature: 0.5, topP: 0.9, topK: 3 };
  it.each<[string, Partial<ChatRequest>, unknown, unknown, string[]]>([
    [budget, { temperature: 1.4, topP: 0.5 }, { temperature: 1 }, undefined, ["top_p"]],
    [budget, { topP: 0.5, topK: 3 }, { topP: 0.5 }, { top_k: 3 }, []],
    [adaptive, all, { temperature: 0.5 }, { top_k: 3 }, ["top_p"]],
    ["anthropic.claude-opus-4-7-v1:0", all, undefined, undefined, sampling],
    ["anthropic.claude-opus-4-7-v1:0", { temperature: 1 }, undefined, undefined, []],
    ["us.anthropic.claude-sonnet-5-v1:0", { topK: 3, maxTokens: 9 }, { maxTokens: 9 }, undefined, ["top_k"]],
    [
      "arn:aws:bedrock:us-east-1:1:inference-profile/global.anthropic.claude-fable-5",
      all,
      undefined,
      undefined,
      sampling,
    ],
    ["amazon.nova-pro-v1:0", all, { temperature: 0.5, topP: 0.9 }, { inferenceConfig: { topK: 3 } }, []],
    ["meta.llama3-8b-instruct-v1:0", all, { temperature: 0.5, topP: 0.9 }, { top_k: 3 }, []],
    ["meta.llama3-8b-instruct-v1:0", { temperature: 1.5, topP: 0.9 }, { temperature: 1, topP: 0.9 }, undefined, []],
    [
      "meta.llama3-8b-instruct-v1:0",
      { temperature: 1.5, extra: { format: "bedrock-converse", fields: {} } },
      { temperature: 1.5 },
      undefined,
      [],
    ],
    [budget, { stop: ["\n\n", "END"] }, { stopSequences: ["END"] }, undefined, ["stop"]],
    [budget, { stop: ["\n\n"] }, undefined, undefined, ["stop"]],
    ["meta.llama3-8b-instruct-v1:0", { stop: ["\n\n"] }, { stopSequences: ["\n\n"] }, undefined, []],
    // A client of this format has asked this model for it in so many words.
    [
      "anthropic.claude-opus-4-7-v1:0",
      { ...all, extra: { format: "bedrock-converse", fields: {} } },
      { temperature: 0.5, topP: 0.9 },
      { top_k: 3 },
      [],
    ],
  ])("of %s say how to sample where it lets them: %j", (model, more, inferenceConfig, fields, dropped) => {
    expect(encoded({ model, ...more })).toEqual({ config: inferenceConfig, fields, dropped });
  });

  it("say nothing of switching off what a model always does", () => {
    const model = "global.anthropic.claude-fable-5";
    expect(encoded({ model, reasoning: { effort: "none" } })).toEqual({
      config: undefined,
      fields: undefined,
      dropped: ["reasoning_effort"],
    });
  });
});

it.each<[string, string, Partial<ChatRequest>, unknown, string[]]>([
  [
    "a small budget",
    budget,
    { reasoning: { mode: "enabled", budgetTokens: 100 } },
    { type: "enabled", budget_tokens: 1024 },
    [],
  ],
  ["no bound", budget, { reasoning: { mode: "adaptive" } }, { type: "enabled", budget_tokens: 2000 }, []],
  ["no bound", adaptive, { reasoning: { mode: "adaptive" } }, { type: "adaptive" }, []],
  ["too little room", budget, { reasoning: { mode: "adaptive" }, maxTokens: 900 }, undefined, ["thinking"]],
])("tells a Claude of %s, said by Gemini's clients, as it takes it", (_, model, more, thinking, dropped) => {
  const extra = { format: "gemini", fields: {} };
  const told = encoded({ model, maxTokens: 4000, extra, ...more });
  expect(told.dropped).toEqual(dropped);
  expect(told.fields).toEqual(thinking && { thinking });
});

it("closes the objects of a schema that is not a client's own writing: the vendor refuses open ones", () => {
  const schema = { type: "object", properties: { a: { type: "object", properties: {} } } };
  const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
  const asked = { model: budget, messages, stream: false, responseFormat: { type: "json-schema" as const, schema } };
  const { outputConfig } = bedrockConverse.encodeRequest(asked, () => {}) as { outputConfig: Record<string, unknown> };
  expect(outputConfig).toMatchObject({ textFormat: { type: "json_schema" } });
  expect(JSON.stringify(outputConfig).match(/additionalProperties\\":false/g)).toHaveLength(2);
  const own = bedrockConverse.decodeRequest({
    messages: [{ role: "user", content: [{ text: "Hi" }] }],
    outputConfig: { textFormat: { type: "json_schema", structure: { jsonSchema: { schema: '{"type":"object"}' } } } },
  });
  expect(JSON.stringify(bedrockConverse.encodeRequest(own, () => {}))).not.toContain("additionalProperties");
});

describe("schemas that a grammar is made of", () => {
  const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
  const bounded = { type: "object", properties: { n: { type: "integer", minimum: 1 } }, additionalProperties: false };
  const tree = { type: "object", properties: { next: { $ref: "#" } }, additionalProperties: false };
  const map = { type: "object", additionalProperties: { type: "string" } };
  const written = (more: object) => {
    const dropped: string[] = [];
    const wire = bedrockConverse.encodeRequest({ model: budget, messages, stream: false, ...more }, (name) => {
      dropped.push(name);
    });
    return { text: JSON.stringify(wire).replaceAll("\\", ""), dropped };
  };
  const asked = (schema: object) => written({ responseFormat: { type: "json-schema", schema } });
  const offered = (parameters: object, strict = true) =>
    written({ tools: [{ type: "function", name: "f", parameters, strict }] });

  it("say bounds in words, as the vendor takes them nowhere else", () => {
    expect(asked(bounded)).toMatchObject({ text: expect.not.stringContaining('"minimum":1,'), dropped: [] });
    expect(asked(bounded).text).toContain('"description":"{"minimum":1}"');
    expect(offered(bounded).text).toContain('"strict":true');
    expect(offered(bounded).text).toContain('"description":"{"minimum":1}"');
  });

  it("are not those that lead back to themselves", () => {
    expect(asked(tree)).toMatchObject({
      text: expect.not.stringContaining("outputConfig"),
      dropped: ["response_format"],
    });
    expect(offered(tree)).toMatchObject({ text: expect.not.stringContaining("strict"), dropped: ["tools.strict"] });
  });

  it("hold nothing of objects that may hold anything, which is told", () => {
    expect(asked(map).dropped).toEqual(["response_format.schema"]);
    expect(offered(map)).toMatchObject({
      text: expect.stringContaining(JSON.stringify(map)),
      dropped: ["tools.strict"],
    });
  });

  it("are as the client wrote them where nobody is held to them", () =>
    expect(offered(bounded, false)).toMatchObject({ text: expect.stringContaining('"minimum":1}'), dropped: [] }));
});

it("a schema says choices that no double holds as they were written, both ways", () => {
  const text = '{"type":"integer","enum":[1234567890123456789]}';
  const schema = readJson(text) as Fields;
  const { outputConfig } = encodeOutput({ type: "json-schema", schema }, "anthropic", () => undefined);
  expect(outputConfig).toMatchObject({ textFormat: { structure: { jsonSchema: { schema: text } } } });
  expect(writeJson(decodeOutput(outputConfig))).toContain(text);
});
