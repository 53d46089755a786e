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
    ["how likely tokens are", llama, { logprobs: true, top_logprobs: 5 }, { logProbs: 5 }],
    ["how likely the tokens are that were chosen", llama, { logprobs: true, top_logprobs: 0 }, { logProbs: 1 }],
    ["no measures", llama, { logprobs: false, top_logprobs: 5 }, {}],
    [
      "what is expected",
      "openai.gpt-4o",
      { prediction: { type: "content", content: "Hi" } },
      { prediction: { type: "CONTENT", content: [{ type: "TEXT", text: "Hi" }] } },
    ],
    [
      "how to search",
      "xai.grok-4",
      {
        web_search_options: {
          search_context_size: "low",
          user_location: { type: "approximate", approximate: { city: "Oslo" } },
        },
      },
      { webSearchOptions: { searchContextSize: "LOW", userLocation: { city: "Oslo" } } },
    ],
    ["names that objects have of their own", llama, { constructor: "a" }, { constructor: "a" }],
    ["nothing of null", llama, { reasoning_effort: null, response_format: null, stream_options: {} }, {}],
  ])("have the words of the vendor: %s", (_, model, settings, told) => {
    expect(asked(model, settings)).toEqual({ told, lost: [] });
  });

  it("name what the vendor has no word for", () => {
    const odd = { service_tier: "flex", reasoning_effort: "much", response_format: { type: "grammar" } };
    expect(asked(llama, odd)).toEqual({ told: {}, lost: ["service_tier", "reasoning_effort", "response_format"] });
    expect(asked(llama, { top_logprobs: 5 })).toEqual({ told: {}, lost: ["top_logprobs"] });
    const more = { reasoning_effort: "low", parallel_tool_calls: false, n: 1, logprobs: false, top_logprobs: 2 };
    expect(asked(cohere, more)).toEqual({ told: {}, lost: ["reasoning_effort", "top_logprobs"] });
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

it("how closely images are looked at is said to Oracle in capitals, and tools that take any text are functions", () => {
  const content = [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==", detail: "low" } }];
  const lost: string[] = [];
  const tools = [{ type: "custom", custom: { name: "c", description: "x" } }];
  const wire = { model: llama, messages: [{ role: "user", content }], tools };
  const choice = { tool_choice: { type: "custom", custom: { name: "c" } } };
  const { chatRequest } = chatDetails({ ...wire, ...choice }, "c", "ON_DEMAND", (name) => lost.push(name));
  expect(chatRequest).toMatchObject({
    messages: [{ content: [{ type: "IMAGE", imageUrl: { url: "data:image/png;base64,AA==", detail: "LOW" } }] }],
    tools: [{ type: "FUNCTION", name: "c", description: "x", parameters: { required: ["input"] } }],
    toolChoice: { type: "FUNCTION", name: "c" },
  });
  expect(lost).toEqual(["tools.custom"]);
});

it("how likely tokens were at Oracle, and what was counted, is told", () => {
  const message = { role: "ASSISTANT", content: [{ type: "TEXT", text: "Hi" }] };
  const logprobs = { tokens: ["Hi"], tokenLogprobs: [-0.1], topLogprobs: [{ Hi: "-0.1", Ho: "-2" }] };
  const details = { reasoningTokens: 2, acceptedPredictionTokens: 1, rejectedPredictionTokens: 3 };
  const usage = { promptTokens: 1, completionTokens: 6, totalTokens: 7, completionTokensDetails: details };
  const choice = { index: 0, message, finishReason: "stop", logprobs };
  const measured = (token: string, logprob: number) => ({ token, logprob, bytes: null });
  const told = { content: [{ ...measured("Hi", -0.1), top_logprobs: [measured("Hi", -0.1), measured("Ho", -2)] }] };
  expect(chatOf({ modelId: "m", chatResponse: { apiFormat: "GENERIC", choices: [choice], usage } })).toMatchObject({
    choices: [{ logprobs: told }],
    usage: {
      completion_tokens_details: {
        reasoning_tokens: 2,
        accepted_prediction_tokens: 1,
        rejected_prediction_tokens: 3,
      },
    },
  });
  expect(chatFrame(choice)).toMatchObject({ choices: [{ logprobs: told }] });
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
