import { describe, expect, it } from "vitest";
import { readJson, writeJson } from "../../core/provider-kit/index.ts";
import { chatFrame, chatOf } from "./answer.ts";
import { chatDetails } from "./request.ts";

const messages = [{ role: "user", content: "a" }];

/** What becomes of a request, and what of it is lost. */
function asked(model: string, settings: object) {
  const lost: string[] = [];
  const { chatRequest } = chatDetails({ model, messages, ...settings }, "c", "ON_DEMAND", (name) => lost.push(name));
  const { apiFormat: _, messages: __, message: ___, ...told } = chatRequest as Record<string, unknown>;
  return { told, lost };
}

const llama = "meta.llama-3.3-70b-instruct";
const cohere = "cohere.command-a-03-2025";
const schema = { type: "object", properties: {} };
const json_schema = { name: "answer", schema, strict: true };

describe("settings of a chat at Oracle", () => {
  it.each<[string, string, object, object]>([
    ["a limit", llama, { max_tokens: 9 }, { maxTokens: 9 }],
    ["a limit for a model that reasons", "openai.gpt-5.2", { max_tokens: 9 }, { maxCompletionTokens: 9 }],
    ["a limit for an open model of OpenAI", "openai.gpt-oss-120b", { max_tokens: 9 }, { maxTokens: 9 }],
    ["an effort", "xai.grok-4", { reasoning_effort: "low" }, { reasoningEffort: "LOW" }],
    ["an effort beyond the most", "openai.gpt-5.2", { reasoning_effort: "xhigh" }, { reasoningEffort: "HIGH" }],
    ["a verbosity", "openai.gpt-5.2", { verbosity: "low" }, { verbosity: "LOW" }],
    ["a tier", "openai.gpt-5.2", { service_tier: "priority" }, { serviceTier: "PRIORITY" }],
    ["calls one by one", llama, { parallel_tool_calls: false }, { isParallelToolCalls: false }],
    ["JSON", llama, { response_format: { type: "json_object" } }, { responseFormat: { type: "JSON_OBJECT" } }],
    [
      "a schema",
      llama,
      { response_format: { type: "json_schema", json_schema } },
      { responseFormat: { type: "JSON_SCHEMA", jsonSchema: { name: "answer", schema, isStrict: true } } },
    ],
    [
      "a schema for Cohere's models",
      cohere,
      { response_format: { type: "json_schema", json_schema } },
      { responseFormat: { type: "JSON_OBJECT", schema } },
    ],
    [
      "the usage of a stream",
      llama,
      { stream: true, stream_options: { include_usage: true, include_obfuscation: false } },
      { isStream: true, streamOptions: { isIncludeUsage: true } },
    ],
    ["names that objects have of their own", llama, { constructor: "a" }, { constructor: "a" }],
    ["nothing of null", llama, { reasoning_effort: null, response_format: null, stream_options: {} }, {}],
  ])("have the words of the vendor: %s", (_, model, settings, told) => {
    expect(asked(model, settings)).toEqual({ told, lost: [] });
  });

  it("name what the vendor has no word for", () => {
    const odd = { service_tier: "flex", reasoning_effort: "much", response_format: { type: "grammar" } };
    expect(asked(llama, odd)).toEqual({ told: {}, lost: ["service_tier", "reasoning_effort", "response_format"] });
    const more = { reasoning_effort: "low", parallel_tool_calls: false, n: 1, logprobs: false };
    expect(asked(cohere, more)).toEqual({ told: {}, lost: ["reasoning_effort"] });
  });
});

it("documents and videos are shown to models at Oracle", () => {
  const content = [
    { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" } },
    { type: "video_url", video_url: { url: "data:video/mp4;base64,AA==" } },
  ];
  const { chatRequest } = chatDetails({ model: llama, messages: [{ role: "user", content }] }, "c", "ON_DEMAND");
  expect(chatRequest).toMatchObject({
    messages: [
      {
        content: [
          { type: "DOCUMENT", documentUrl: { url: "data:application/pdf;base64,AA==" } },
          { type: "VIDEO", videoUrl: { url: "data:video/mp4;base64,AA==" } },
        ],
      },
    ],
  });
});

it("what models at Oracle think is told, whole and streamed", () => {
  const message = { role: "ASSISTANT", content: [{ type: "TEXT", text: "Hi" }], reasoningContent: "Hm." };
  const chatResponse = { apiFormat: "GENERIC", choices: [{ index: 0, message, finishReason: "stop" }] };
  expect(chatOf({ modelId: "m", chatResponse })).toMatchObject({
    choices: [{ message: { content: "Hi", reasoning_content: "Hm." } }],
  });
  expect(chatFrame({ index: 0, message: { reasoningContent: "Hm." } })).toMatchObject({
    choices: [{ delta: { content: "", reasoning_content: "Hm." } }],
  });
});

it("calls of Cohere's models at Oracle keep numbers that no double holds, both ways", () => {
  const input = '{"id":1234567890123456789}';
  const call = { id: "c", type: "function", function: { name: "f", arguments: input } };
  const said = [
    ...messages,
    { role: "assistant", tool_calls: [call] },
    { role: "tool", tool_call_id: "c", content: "" },
  ];
  const { chatRequest } = chatDetails({ model: cohere, messages: said }, "c", "ON_DEMAND");
  expect(writeJson(chatRequest)).toContain(`"parameters":${input}`);
  const chatResponse = readJson(`{"apiFormat":"COHERE","toolCalls":[{"name":"f","parameters":${input}}]}`);
  expect(chatOf({ modelId: "m", chatResponse })).toMatchObject({
    choices: [{ message: { tool_calls: [{ function: { arguments: input } }] } }],
  });
});

it("an answer of Cohere's models at Oracle that failed is none", () => {
  const failed = { apiFormat: "COHERE", text: "Half", finishReason: "ERROR", errorMessage: "out of memory" };
  const error = expect.objectContaining({ code: "upstream_invalid", message: "The vendor failed: out of memory" });
  expect(() => chatOf({ modelId: "m", chatResponse: failed })).toThrow(error);
  expect(() => chatFrame(failed)).toThrow(error);
});
