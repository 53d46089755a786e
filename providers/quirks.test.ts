import { describe, expect, it } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import type { ChatRequest } from "../core/model/chat.ts";
import type { OperationSpec } from "../core/model/operation-spec.ts";
import type { OperationName } from "../core/model/operations.ts";
import { bindProvider } from "../core/provider-kit/bind.ts";
import { operationsOf } from "../core/provider-kit/offered-operations.ts";
import type { CommonOptions, ProviderDefinition } from "../core/provider-kit/provider-definition.ts";
import { openAiChat } from "../plugins/format-openai-chat/index.ts";
import anthropic from "./anthropic/index.ts";
import byteplus from "./byteplus.ts";
import cortex from "./cortex.ts";
import databricks from "./databricks.ts";
import deepseek from "./deepseek.ts";
import fireworks from "./fireworks-ai/index.ts";
import github from "./github.ts";
import huggingface from "./huggingface.ts";
import mistral from "./mistral-ai.ts";
import modal from "./modal.ts";
import moonshot from "./moonshot/index.ts";
import ollama from "./ollama.ts";
import openai from "./openai.ts";
import openrouter from "./openrouter.ts";
import predibase from "./predibase.ts";
import together from "./together-ai.ts";
import zai from "./z-ai.ts";
import zhipu from "./zhipu.ts";

const { formats } = await builtInFormats();

/** What the road sees: the provider's own words over those of its format. */
function specOf(definition: ProviderDefinition, operation: OperationName = "chat"): OperationSpec {
  const [spec] = operationsOf(definition, {} as CommonOptions & Record<string, unknown>, formats)[operation] ?? [];
  if (!spec) throw new Error(`${definition.name} has no ${operation}.`);
  return spec;
}

function headersOf(definition: ProviderDefinition, options: Record<string, unknown>) {
  const parsed = definition.options.parse(options) as CommonOptions & Record<string, unknown>;
  return bindProvider({ slug: definition.name, definition, options: parsed, formats: new Map() }).headers;
}

const baseUrlOf = (definition: ProviderDefinition, options: Record<string, unknown>) => {
  const parsed = definition.options.parse(options) as CommonOptions & Record<string, unknown>;
  return bindProvider({ slug: definition.name, definition, options: parsed, formats: new Map() }).baseUrl;
};

const developer = { messages: [{ role: "developer", content: "Be brief." }] };
const said = (role: string, content: string) => ({ role, content });
const system = { messages: [{ role: "system", content: "Be brief." }] };

/** A turn that thought and called a tool, as a client of the Messages API has it, signed by this format's vendors or nobody. */
const thoughtful = (signer?: string): ChatRequest => ({
  model: "m",
  stream: false,
  messages: [
    { role: "user", content: [{ type: "text", text: "Where?" }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", text: "Hm.", ...(signer && { signature: "S", signer }) },
        { type: "tool-call", id: "c1", name: "look", arguments: "{}" },
      ],
    },
  ],
});

describe.each([deepseek, moonshot, zai, zhipu, fireworks, together])(
  "thinking of clients that have blocks for it, at $name",
  (definition) => {
    const written = (signer?: string) => {
      const dropped: string[] = [];
      const wire = openAiChat.encodeRequest(thoughtful(signer), (name) => dropped.push(name), specOf(definition));
      return { said: (wire.messages as unknown[])[1], dropped };
    };

    it("comes back in the field that the vendor gave it in", () => {
      const { said, dropped } = written();
      expect(said).toMatchObject({ reasoning_content: "Hm.", tool_calls: [{ id: "c1" }] });
      expect(dropped).toEqual([]);
    });

    it("of another vendor comes without what that one signed, and says so", () => {
      const { said, dropped } = written("anthropic-messages");
      expect(said).toMatchObject({ reasoning_content: "Hm." });
      expect(dropped).toEqual(["messages.thinking"]);
    });
  },
);

it("DeepSeek, which knows no schemas, is told of one in words", () => {
  const messages = [{ role: "user", content: "Go" }];
  const schema = { type: "object" };
  const apply = (response_format: object) => {
    const dropped: string[] = [];
    const wire = specOf(deepseek).rewrite?.apply({ messages, response_format }, (name) => dropped.push(name));
    return { wire, dropped };
  };
  expect(apply({ type: "json_schema", json_schema: { name: "n", schema } })).toEqual({
    wire: {
      response_format: { type: "json_object" },
      messages: [
        { role: "system", content: 'Answer with JSON that follows this JSON schema:\n{"type":"object"}' },
        ...messages,
      ],
    },
    dropped: ["response_format.json_schema"],
  });
  const plain = { type: "json_object" };
  expect(apply(plain)).toEqual({ wire: { messages, response_format: plain }, dropped: [] });
});

it("OpenAI is told no thinking: it has no field for it", () => {
  const dropped: string[] = [];
  const wire = openAiChat.encodeRequest(thoughtful(), (name) => dropped.push(name), specOf(openai));
  expect(JSON.stringify(wire)).not.toContain("Hm.");
  expect(dropped).toEqual(["messages.thinking"]);
});

const shows = (...files: object[]) => ({
  messages: [{ role: "user", content: files.map((file) => ({ type: "file", file })) }],
});

it("DeepSeek is shown neither documents nor sounds, and says so", () => {
  const dropped: string[] = [];
  const content = [
    { type: "text", text: "See" },
    { type: "image_url", image_url: { url: "https://a/b.png" } },
    { type: "file", file: { file_data: "x" } },
    { type: "input_audio", input_audio: { data: "x", format: "wav" } },
  ];
  const wire = specOf(deepseek).rewrite?.apply({ messages: [{ role: "user", content }] }, (name) => dropped.push(name));
  expect(wire).toEqual({ messages: [{ role: "user", content: content.slice(0, 2) }] });
  expect(dropped).toEqual(["messages.file", "messages.input_audio"]);
});

describe("what vendors are told differently", () => {
  it.each<[string, ProviderDefinition, OperationName, object, object]>([
    ["a forced tool call", mistral, "chat", { tool_choice: "required" }, { tool_choice: "any" }],
    ["a free tool choice", mistral, "chat", { tool_choice: "auto" }, { tool_choice: "auto" }],
    [
      "a user behind a result of a tool, and ids of calls that others made",
      mistral,
      "chat",
      {
        messages: [
          { role: "assistant", tool_calls: [{ id: "toolu_01ABCDEFG" }, { id: "abcDEF123" }] },
          { role: "tool", tool_call_id: "toolu_01ABCDEFG", content: "1" },
          { role: "tool", tool_call_id: "abcDEF123", content: "2" },
          { role: "user", content: "Go on." },
        ],
      },
      {
        messages: [
          { role: "assistant", tool_calls: [{ id: "4d74a3c06" }, { id: "abcDEF123" }] },
          { role: "tool", tool_call_id: "4d74a3c06", content: "1" },
          { role: "tool", tool_call_id: "abcDEF123", content: "2" },
          { role: "assistant", content: "…" },
          { role: "user", content: "Go on." },
        ],
      },
    ],
    [
      "instructions where no user speaks before them",
      mistral,
      "chat",
      {
        messages: [
          said("system", "1"),
          said("user", "2"),
          said("system", "3"),
          said("assistant", "4"),
          said("system", "5"),
          said("system", "6"),
          said("user", "7"),
          { role: "assistant", tool_calls: [{ id: "abcDEF123" }] },
          { role: "tool", tool_call_id: "abcDEF123", content: "8" },
          said("system", "9"),
        ],
      },
      {
        messages: [
          said("system", "1"),
          said("system", "9"),
          said("user", "2"),
          said("system", "3"),
          said("assistant", "4"),
          said("user", "7"),
          said("system", "5"),
          said("system", "6"),
          { role: "assistant", tool_calls: [{ id: "abcDEF123" }] },
          { role: "tool", tool_call_id: "abcDEF123", content: "8" },
        ],
      },
    ],
    [
      "documents",
      mistral,
      "chat",
      shows(
        { file_url: "https://a/b.pdf", filename: "b.pdf" },
        { file_data: "data:application/pdf;base64,AA" },
        { file_data: "AA" },
        { file_id: "f" },
      ),
      {
        messages: [
          {
            role: "user",
            content: [
              { type: "document_url", document_url: "https://a/b.pdf", document_name: "b.pdf" },
              { type: "document_url", document_url: "data:application/pdf;base64,AA" },
              { type: "document_url", document_url: "data:application/pdf;base64,AA" },
              { type: "file", file_id: "f" },
            ],
          },
        ],
      },
    ],
    [
      "documents to be fetched",
      openrouter,
      "chat",
      shows({ file_url: "https://a/b.pdf", filename: "b.pdf" }),
      shows({ file_data: "https://a/b.pdf", filename: "b.pdf" }),
    ],
    ["documents", openrouter, "chat", shows({ file_data: "x" }), shows({ file_data: "x" })],
    ["documents", deepseek, "chat", shows({ file_data: "x" }, { file_id: "f" }), shows({ file_id: "f" })],
    ["the developer's role", mistral, "chat", developer, system],
    ["the developer's role", deepseek, "chat", developer, system],
    ["the developer's role", openrouter, "chat", developer, system],
    ["the developer's role", ollama, "chat", developer, system],
    ["the developer's role", openai, "chat", developer, developer],
    [
      "thinking",
      deepseek,
      "chat",
      { reasoning_effort: "low" },
      { reasoning_effort: "low", thinking: { type: "enabled" } },
    ],
    [
      "no thinking",
      deepseek,
      "chat",
      { reasoning_effort: "none" },
      { reasoning_effort: "none", thinking: { type: "disabled" } },
    ],
    ["thinking", openrouter, "chat", { reasoning_effort: "high" }, { reasoning: { effort: "high" } }],
    [
      "thinking in its own words",
      openrouter,
      "chat",
      { reasoning_effort: "high", reasoning: { max_tokens: 9 } },
      { reasoning: { effort: "high", max_tokens: 9 } },
    ],
    [
      "usage in a stream",
      openrouter,
      "chat",
      { stream_options: { include_usage: true } },
      { usage: { include: true } },
    ],
    ["thinking", ollama, "chat", { thinking: { type: "enabled" } }, { think: true }],
    ["no thinking", ollama, "chat", { thinking: { type: "disabled" } }, { think: false, reasoning_effort: "none" }],
    ["a text to embed", ollama, "embed", { model: "m", input: ["hi"] }, { model: "m", prompt: "hi" }],
    [
      "how to embed a text",
      ollama,
      "embed",
      { model: "m", input: "hi", encoding_format: "float", keep_alive: "5m" },
      { model: "m", prompt: "hi", keep_alive: "5m" },
    ],
    ["an adapter", predibase, "chat", { model: "llama-3:mine/2" }, { model: "mine/2" }],
    ["no adapter", predibase, "chat", { model: "llama-3" }, { model: "" }],
  ])("%s: %o", (_what, definition, operation, wire, told) => {
    const { rewrite } = specOf(definition, operation);
    expect(rewrite ? rewrite.apply({ ...wire }) : wire).toEqual(told);
  });

  it.each([mistral, deepseek, openrouter, ollama])("leaves $name a body whose messages are no list", (definition) => {
    const { rewrite } = specOf(definition);
    expect(rewrite?.apply({ messages: "hi" })).toEqual({ messages: "hi" });
    expect(rewrite?.apply({ messages: [null] })).toEqual({ messages: [null] });
  });

  it("leaves the names of the format's own vendor alone, and those of models that know no other", () => {
    expect(specOf(openai).renames).toBeUndefined();
    expect(specOf(github).renames).toEqual({});
  });

  it("has the deployments of whom a request names, where no tenant is configured for Predibase", () => {
    const { path } = specOf(predibase);
    const pathOf = (body?: Record<string, unknown>) =>
      typeof path === "function" ? path({ model: "llama-3:mine/2", stream: false, ...(body && { body }) }) : path;
    expect(pathOf({ user: "a/b" })).toBe("/a%2Fb/deployments/v2/llms/llama-3/v1/chat/completions");
    for (const body of [undefined, {}, { user: "" }, { user: ".." }, { user: 1 }])
      expect(() => pathOf(body)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });

  it("has several texts embedded where the vendor takes them", () => {
    const { rewrite, path } = specOf(ollama, "embed");
    const pathOf = (body: Record<string, unknown>) =>
      typeof path === "function" ? path({ model: "m", stream: false, body }) : path;
    const several = { model: "m", input: ["one", "two"], encoding_format: "float" };
    expect(rewrite?.apply(several)).toEqual(several);
    expect(pathOf(several)).toBe("/v1/embeddings");
    expect(pathOf({ model: "m", prompt: "one" })).toBe("/api/embeddings");
  });
});

describe("what vendors answer differently", () => {
  it("flattens the parts Databricks answers with, whole and streamed", () => {
    const parts = [
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] },
      { type: "text", text: "Hi" },
    ];
    const flat = { content: "Hi", reasoning_content: "Hm." };
    const { normalise, normaliseFrame } = specOf(databricks);
    expect(normalise?.({ choices: [{ message: { role: "assistant", content: parts } }] })).toEqual({
      choices: [{ message: { role: "assistant", ...flat } }],
    });
    expect(normaliseFrame?.({ choices: [{ delta: { content: parts } }] })).toEqual({ choices: [{ delta: flat }] });
    expect(normaliseFrame?.({ choices: [{ delta: { content: "Hi" } }] })).toEqual({
      choices: [{ delta: { content: "Hi" } }],
    });
  });

  it("finds the text Cortex puts elsewhere", () => {
    const { normalise, normaliseFrame } = specOf(cortex);
    expect(normalise?.({ choices: [{ messages: "Hi" }] })).toEqual({
      choices: [{ message: { role: "assistant", content: "Hi" } }],
    });
    const list = [
      { type: "text", text: "H" },
      { type: "text", text: "i" },
    ];
    expect(normaliseFrame?.({ choices: [{ delta: { content_list: list } }] })).toEqual({
      choices: [{ delta: { content: "Hi" } }],
    });
  });

  it("makes a list of Ollama's one vector", () => {
    const { normalise } = specOf(ollama, "embed");
    expect(normalise?.({ embedding: [1, 0] })).toEqual({
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: [1, 0] }],
    });
    const list = { object: "list", data: [], usage: { prompt_tokens: 2 } };
    expect(normalise?.({ ...list })).toEqual(list);
  });

  it("reads errors that have a shape of their own, and leaves the others to the format", () => {
    const fault = { fault: { faultstring: "Bad model", detail: { errorcode: "invalid" } } };
    expect(fireworks.readError?.(400, fault)).toEqual({ message: "Bad model", code: "invalid" });
    expect(fireworks.readError?.(400, { error: { message: "no" } })).toBeUndefined();
    expect(huggingface.readError?.(503, { error: "loading" })).toEqual({ message: "loading", code: "503" });
    expect(huggingface.readError?.(500, null)).toBeUndefined();
  });
});

describe("how vendors are given credentials", () => {
  it("knows API keys of Anthropic from OAuth tokens", () => {
    const version = { "anthropic-version": "2023-06-01" };
    expect(headersOf(anthropic, { apiKey: "sk-ant-api03-x" })).toEqual({ "x-api-key": "sk-ant-api03-x", ...version });
    expect(headersOf(anthropic, { apiKey: "sk-ant-oat01-x", beta: "a,b" })).toEqual({
      authorization: "Bearer sk-ant-oat01-x",
      ...version,
      "anthropic-beta": "a,b,oauth-2025-04-20",
    });
  });

  it("names the organisation and the project to OpenAI", () => {
    expect(headersOf(openai, { apiKey: "k", organization: "o", project: "p", beta: "b" })).toEqual({
      authorization: "Bearer k",
      "openai-organization": "o",
      "openai-project": "p",
      "openai-beta": "b",
    });
  });

  it("tells OpenRouter where calls come from, and Cortex what kind of token it gets", () => {
    expect(headersOf(openrouter, { apiKey: "k", siteUrl: "https://gw.example" })).toMatchObject({
      "http-referer": "https://gw.example",
      "x-title": "Sluice",
    });
    expect(headersOf(cortex, { apiKey: "k", account: "a" })).toMatchObject({
      "x-snowflake-authorization-token-type": "KEYPAIR_JWT",
    });
    const tokenType = "PROGRAMMATIC_ACCESS_TOKEN";
    expect(headersOf(cortex, { apiKey: "k", account: "a", tokenType })).toMatchObject({
      "x-snowflake-authorization-token-type": tokenType,
    });
  });

  it("sends Modal no empty key", () => {
    const baseUrl = "https://me.modal.run/v1";
    expect(headersOf(modal, { apiKey: "", baseUrl, headers: { "Modal-Key": "k" } })).toEqual({ "modal-key": "k" });
  });
});

describe("where vendors are whose address depends on options", () => {
  it.each<[ProviderDefinition, Record<string, string>, string]>([
    [byteplus, {}, "https://ark.ap-southeast.bytepluses.com/api/v3"],
    [byteplus, { region: "eu-west-1" }, "https://ark.eu-west.bytepluses.com/api/v3"],
    [databricks, { workspace: "dbc-1" }, "https://dbc-1.cloud.databricks.com"],
    [databricks, { workspace: "adb-12.3.azuredatabricks.net" }, "https://adb-12.3.azuredatabricks.net"],
    [cortex, { account: "org-acc" }, "https://org-acc.snowflakecomputing.com/api/v2"],
    [predibase, { tenant: "a/b" }, "https://serving.app.predibase.com/a%2Fb"],
    [predibase, {}, "https://serving.app.predibase.com"],
  ])("$name with %o: %s", (definition, options, baseUrl) => {
    expect(baseUrlOf(definition, options)).toBe(baseUrl);
  });

  it.each<[ProviderDefinition, Record<string, string>]>([
    [databricks, { workspace: "evil.example.com" }],
    [databricks, { workspace: "evil.example/x.cloud.databricks.com" }],
    [databricks, { workspace: "x@evil.example#.cloud.databricks.com" }],
    [cortex, { account: "evil.example/" }],
    [cortex, { account: "evil.example#" }],
    [byteplus, { region: "moon" }],
    [databricks, {}],
    [cortex, {}],
  ])("never sends a credential of $name elsewhere: %o", (definition, options) => {
    expect(definition.options.safeParse(options).success).toBe(false);
  });
});
