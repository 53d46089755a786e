import { generateKeyPairSync, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import type { OperationName } from "../core/model/operations.ts";
import { bindProvider } from "../core/provider-kit/bind.ts";
import { type Fields, readJson } from "../core/provider-kit/index.ts";
import type { CommonOptions, ProviderDefinition } from "../core/provider-kit/provider-definition.ts";
import { secret } from "../core/secrets/secret.ts";
import ai21 from "./ai21.ts";
import bytez from "./bytez.ts";
import cohere from "./cohere/index.ts";
import databricks from "./databricks.ts";
import fal from "./fal-ai.ts";
import huggingface from "./huggingface.ts";
import mistral from "./mistral-ai.ts";
import oracle from "./oracle/index.ts";
import { type OracleOptions, options as oracleOptions } from "./oracle/options.ts";
import { signatureOf } from "./oracle/sign.ts";
import palm from "./palm.ts";
import qdrant from "./qdrant.ts";
import reka from "./reka-ai.ts";
import scenario from "./scenario-ai.ts";
import stability from "./stability-ai.ts";
import triton from "./triton.ts";
import workersAi from "./workers-ai.ts";

const { formats } = await builtInFormats();

function bound(definition: ProviderDefinition, given: Record<string, unknown> = {}) {
  const options = definition.options.parse({ apiKey: "k", ...given }) as CommonOptions & Record<string, unknown>;
  return bindProvider({ slug: definition.name, definition, options, formats });
}

function specOf(
  definition: ProviderDefinition,
  given: Record<string, unknown>,
  operation: OperationName = "chat",
  model?: string,
) {
  const specs = bound(definition, given).operations[operation] ?? [];
  const spec = specs.find(({ serves }) => model === undefined || !serves || serves(model));
  if (!spec) throw new Error(`${definition.name} has no ${operation}`);
  return spec;
}

function pathOf(
  definition: ProviderDefinition,
  given: Record<string, unknown>,
  model: string,
  operation?: OperationName,
) {
  const { path } = specOf(definition, given, operation, model);
  return typeof path === "string" ? path : path({ model, stream: false });
}

const account = { account: "0a1b2c" };
const oci = { region: "us-chicago-1", tenancy: "t", user: "u", fingerprint: "12:34", compartmentId: "c" };

describe("where models are called", () => {
  it.each<[ProviderDefinition, Record<string, unknown>, OperationName, string, string]>([
    [workersAi, account, "chat", "@cf/meta/llama-3.1-8b", "/@cf/meta/llama-3.1-8b"],
    [workersAi, account, "embed", "@cf/a b/c?d", "/@cf/a%20b/c%3Fd"],
    [bytez, {}, "chat", "google/gemma", "/models/v2/google/gemma"],
    [bytez, { apiVersion: 3 }, "chat", "../../a", "/models/v3///a"],
    [ai21, {}, "chat", "j2-a/../b", "/j2-a%2F..%2Fb/chat"],
    [ai21, {}, "chat", "jamba-large", "/chat/completions"],
    [reka, {}, "chat", "reka-flash", "/chat"],
    [reka, { api: "completions" }, "chat", "reka-flash", "/v1/chat/completions"],
    [ai21, {}, "complete", "j2", "/j2/complete"],
    [palm, {}, "chat", "chat-bison-001", "/models/chat-bison-001:generateMessage"],
    [palm, {}, "embed", "models/../x", "/models/..%2Fx:embedText"],
    [mistral, {}, "complete", "codestral", "/fim/completions"],
    [mistral, { fimCompletion: "true" }, "chat", "codestral", "/fim/completions"],
    [mistral, { fimCompletion: "false" }, "chat", "codestral", "/chat/completions"],
    [databricks, { workspace: "w" }, "chat", "m", "/ai-gateway/mlflow/v1/chat/completions"],
    [databricks, { workspace: "w", servingEndpointName: "a/b" }, "chat", "m", "/serving-endpoints/a%2Fb/invocations"],
    [databricks, { workspace: "w", servingEndpointName: "e" }, "embed", "m", "/serving-endpoints/e/invocations"],
    [huggingface, {}, "chat", "a/b", "/v1/chat/completions"],
    [
      huggingface,
      { baseUrl: "https://api-inference.huggingface.co" },
      "complete",
      "a/../b c",
      "/models/a//b%20c/v1/completions",
    ],
    [huggingface, { baseUrl: "https://x.endpoints.huggingface.cloud" }, "chat", "a/b", "/v1/chat/completions"],
    [oracle, { ...oci, apiVersion: "20240101" }, "chat", "m", "/20240101/actions/chat"],
  ])("$name with %o: %s of %s at %s", (definition, given, operation, model, path) => {
    expect(pathOf(definition, given, model, operation)).toBe(path);
  });

  it.each(["../x", "@cf/../../tokens", "a//b", ""])("never leaves the models of Workers AI: %s", (model) => {
    expect(() => pathOf(workersAi, account, model)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });

  it("serves Claude on Databricks in its own format, but for serving endpoints", () => {
    const [, , claude] = bound(databricks, { workspace: "w" }).operations.chat ?? [];
    expect(claude).toMatchObject({ format: "anthropic-messages", path: "/ai-gateway/anthropic/v1/messages" });
    expect(claude?.serves?.("databricks-claude-sonnet-4")).toBe(true);
    expect(claude?.serves?.("databricks-gpt-oss")).toBe(false);
    expect(bound(databricks, { workspace: "w", servingEndpointName: "e" }).operations.chat).toHaveLength(1);
  });

  it.each([
    [workersAi, { account: "a/b" }],
    [workersAi, {}],
    [oracle, { ...oci, region: "evil.example/" }],
  ] as const)("never sends a credential of $name elsewhere: %o", (definition, given) => {
    expect(definition.options.safeParse(given).success).toBe(false);
  });
});

describe("how they are given credentials", () => {
  it.each<[ProviderDefinition, Record<string, unknown>, object]>([
    [bytez, {}, { authorization: "Key k" }],
    [fal, {}, { authorization: "Key k" }],
    [reka, {}, { "x-api-key": "k" }],
    [palm, {}, { "x-goog-api-key": "k" }],
    [qdrant, { baseUrl: "https://q.example" }, { "api-key": "k" }],
    [
      stability,
      { clientId: "app", clientUserId: "ann", clientVersion: "1" },
      {
        authorization: "Bearer k",
        "stability-client-id": "app",
        "stability-client-user-id": "ann",
        "stability-client-version": "1",
      },
    ],
    [scenario, { secret: "s" }, { authorization: `Basic ${Buffer.from("k:s").toString("base64")}` }],
  ])("$name: %o", (definition, given, headers) => {
    expect(bound(definition, given).headers).toEqual(headers);
  });

  it("needs both halves of what Scenario knows callers by", () => {
    expect(bound(scenario).usable).toBe(false);
  });
});

it("names all that Bytez has no place for", () => {
  const lost: string[] = [];
  const { rewrite, drops } = specOf(bytez, {});
  const wire = { model: "m", messages: [], max_tokens: 3, temperature: null, top_k: 4, later: true, nothing: null };
  expect(rewrite?.apply(wire, (name) => lost.push(name))).toEqual({ messages: [], params: { max_new_tokens: 3 } });
  expect(lost).toEqual(["top_k", "later"]);
  expect(drops).toEqual(expect.arrayContaining(["tools", "reasoning_effort", "parallel_tool_calls"]));
});

describe("the signature of Oracle", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "open" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const parsed = (more: object) => oracleOptions.parse({ ...oci, ...more }) as unknown as OracleOptions;
  const options = parsed({ privateKey, keyPassphrase: "open" });
  const now = new Date("2026-01-01T00:00:00Z");
  const call = {
    method: "POST",
    url: "https://inference.generativeai.us-chicago-1.oci.oraclecloud.com/20231130/actions/chat?a=1",
    headers: { "content-type": "application/json" },
    body: Buffer.from("{}"),
  };

  it("is over the request as it is sent", () => {
    const headers = signatureOf(call, options, now);
    const said = Object.fromEntries(
      [...(headers.authorization ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value]) => [name, value]),
    );
    expect(said).toMatchObject({
      version: "1",
      keyId: "t/u/12:34",
      algorithm: "rsa-sha256",
      headers: "(request-target) date host x-content-sha256 content-type content-length",
    });
    expect(headers).toMatchObject({
      date: "Thu, 01 Jan 2026 00:00:00 GMT",
      "x-content-sha256": "RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=",
    });
    const text = [
      "(request-target): post /20231130/actions/chat?a=1",
      "date: Thu, 01 Jan 2026 00:00:00 GMT",
      "host: inference.generativeai.us-chicago-1.oci.oraclecloud.com",
      "x-content-sha256: RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=",
      "content-type: application/json",
      "content-length: 2",
    ].join("\n");
    expect(verify("sha256", Buffer.from(text), publicKey, Buffer.from(said.signature ?? "", "base64"))).toBe(true);
  });

  it("leaves out what would describe a body where there is none", () => {
    const { authorization = "", ...others } = signatureOf({ ...call, method: "GET", body: undefined }, options, now);
    expect(authorization).toContain('headers="(request-target) date host"');
    expect(Object.keys(others)).toEqual(["date"]);
  });

  /** Headers have no lines. */
  it.each([
    ["line breaks written out", privateKey.replaceAll("\n", "\\n")],
    ["blanks in place of them", privateKey.replaceAll("\n", " ")],
  ])("is the same of a key that came with %s", (_, key) => {
    const one = parsed({ privateKey: key, keyPassphrase: "open" });
    expect(signatureOf(call, one, now)).toEqual(signatureOf(call, options, now));
  });

  it("is not made where a key of Generative AI is shown, to what speaks as OpenAI does", async () => {
    const given = { region: "us-chicago-1", authType: "apiKey" };
    const { headers, sign, operations, lacks } = bound(oracle, { ...given, project: "ocid1.project" });
    expect(lacks).toBeUndefined();
    expect(headers).toEqual({ authorization: "Bearer k", "openai-project": "ocid1.project" });
    expect(await sign?.(call)).toEqual({});
    expect(operations.chat?.map(({ format, path }) => `${format} ${path}`)).toEqual([
      "openai-chat /openai/v1/chat/completions",
      "openai-responses /openai/v1/responses",
    ]);
  });

  it("says what is wrong with a key, and nothing of the key", () => {
    expect(() => signatureOf(call, parsed({ privateKey: "not a key 123" }), now)).toThrow(
      expect.objectContaining({ code: "invalid_request", message: expect.not.stringContaining("123") }),
    );
    expect(secret().parse("x")).not.toBe("x");
  });

  it("says what it lacks", () => {
    expect(bound(oracle, oci).lacks).toBe("privateKey (or the authType apiKey, for a key of Generative AI)");
    expect(bound(oracle, { ...oci, privateKey }).lacks).toBeUndefined();
  });
});

describe("frames in shapes of their own", () => {
  it("ends a stream of Workers AI where only the usage is left", () => {
    const { normaliseFrame } = specOf(workersAi, account);
    expect(normaliseFrame?.({ response: "Hi", p: "abc", usage: { total_tokens: 3 } })).toEqual({
      choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null }],
      usage: { total_tokens: 3 },
    });
    expect(normaliseFrame?.({ response: "", usage: { total_tokens: 3 } })).toMatchObject({
      choices: [{ finish_reason: "stop" }],
    });
    const text = specOf(workersAi, account, "complete").normaliseFrame;
    expect(text?.({ response: "Hi" })).toMatchObject({ choices: [{ index: 0, text: "Hi", finish_reason: null }] });
    const own = { choices: [{ delta: { content: "Hi" } }] };
    expect(normaliseFrame?.(own)).toEqual(own);
    const call = readJson('{"tool_calls":[{"name":"f","arguments":{"id":1234567890123456789}}]}') as Fields;
    expect(JSON.stringify(normaliseFrame?.(call))).toContain('{\\"id\\":1234567890123456789}');
  });

  it("reads lines of Cohere's older completions, the last of which ends all of them", () => {
    const { normaliseFrame, framing } = specOf(cohere, {}, "complete");
    expect(framing).toBe("ndjson");
    expect(normaliseFrame?.({ text: " two", is_finished: false, index: 1 })).toEqual({
      choices: [{ index: 1, text: " two", finish_reason: null }],
    });
    const response = {
      generations: [{ text: " two", finish_reason: "COMPLETE" }, { text: " 3" }],
      meta: { billed_units: { input_tokens: 2, output_tokens: 3 } },
    };
    expect(normaliseFrame?.({ is_finished: true, finish_reason: "MAX_TOKENS", response })).toEqual({
      choices: [
        { index: 0, text: "", finish_reason: "stop" },
        { index: 1, text: "", finish_reason: "length" },
      ],
      usage: { prompt_tokens: 2, completion_tokens: 3 },
    });
    expect(normaliseFrame?.({ message: "No room" })).toEqual({ error: { message: "No room" } });
    expect(normaliseFrame?.({ is_finished: true, finish_reason: "ERROR_LIMIT" })).toMatchObject({
      choices: [{ index: 0, finish_reason: "length" }],
    });
    expect(normaliseFrame?.({ is_finished: true, finish_reason: "COMPLETE" })).toMatchObject({
      choices: [{ index: 0, finish_reason: "stop" }],
    });
  });

  it("reads the choice that a frame of Oracle is", () => {
    const { normaliseFrame } = specOf(oracle, oci);
    const content = [{ type: "TEXT", text: "Hi" }];
    expect(normaliseFrame?.({ index: 0, message: { role: "ASSISTANT", content } })).toEqual({
      choices: [{ index: 0, delta: { role: "assistant", content: "Hi" }, finish_reason: null }],
      usage: undefined,
    });
    const toolCalls = [{ id: "c", type: "FUNCTION", name: "f", arguments: "{" }];
    expect(normaliseFrame?.({ message: { toolCalls }, finishReason: "TOOL_CALLS" })).toMatchObject({
      choices: [
        {
          delta: { tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{" } }] },
          finish_reason: "tool_calls",
        },
      ],
    });
    expect(normaliseFrame?.({ usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 } })).toEqual({
      choices: [],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
    expect(normaliseFrame?.({ code: "500", message: undefined })).toEqual({ code: "500", message: undefined });
  });

  it("reads the frames of Cohere's models at Oracle, the last of which says the text once more", () => {
    const { normaliseFrame } = specOf(oracle, oci);
    const apiFormat = "COHERE";
    expect(normaliseFrame?.({ apiFormat, text: "Hi" })).toMatchObject({
      choices: [{ index: 0, delta: { role: "assistant", content: "Hi" }, finish_reason: null }],
    });
    expect(normaliseFrame?.({ apiFormat, text: "Hi there", finishReason: "MAX_TOKENS" })).toMatchObject({
      choices: [{ delta: { content: "" }, finish_reason: "length" }],
    });
    const toolCalls = [{ name: "f", parameters: { a: 1 } }];
    expect(normaliseFrame?.({ apiFormat, text: "", finishReason: "COMPLETE", toolCalls })).toMatchObject({
      choices: [
        {
          delta: {
            tool_calls: [{ index: 0, id: "call_6da4fbec60d495b3_0", function: { name: "f", arguments: '{"a":1}' } }],
          },
          finish_reason: "tool_calls",
        },
      ],
    });
  });

  it.each<[string, string, readonly string[], object, string[]]>([
    [
      "meta.llama-3",
      "required",
      ["f", "h"],
      { toolChoice: { type: "REQUIRED" }, tools: [{ name: "f" }, { name: "h" }] },
      [],
    ],
    ["cohere.command-a", "auto", ["g"], { tools: [{ name: "g" }] }, []],
    ["meta.llama-3", "auto", ["x"], { tools: [{ name: "f" }, { name: "g" }, { name: "h" }] }, ["tool_choice"]],
  ])("at Oracle are other tools than those allowed: %s, %s of %j", (model, mode, names, told, lost) => {
    const { rewrite } = specOf(oracle, { ...oci, privateKey: "k" });
    const dropped: string[] = [];
    const named = (name: string) => ({ type: "function", function: { name } });
    const allowed = { mode, tools: names.map(named) };
    const wire = {
      model,
      n: 1,
      messages: [{ role: "user", content: "a" }],
      tools: ["f", "g", "h"].map(named),
      tool_choice: { type: "allowed_tools", allowed_tools: allowed },
    };
    expect(rewrite?.apply(wire, (name) => dropped.push(name))).toMatchObject({ chatRequest: told });
    expect(dropped).toEqual(lost);
  });

  it("tells Cohere's models at Oracle what is said now apart from what was said, and what they have no word for", () => {
    const { rewrite } = specOf(oracle, { ...oci, privateKey: "k" });
    const dropped: string[] = [];
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
    const messages = [
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
      { role: "user", content: [{ type: "text", text: "c" }, image] },
    ];
    const wire = { model: "cohere.command-a-03-2025", messages, logprobs: true, n: 1, tool_choice: "required" };
    expect(rewrite?.apply(wire, (name) => dropped.push(name))).toMatchObject({
      chatRequest: {
        apiFormat: "COHERE",
        message: "c",
        chatHistory: [
          { role: "USER", message: "a" },
          { role: "CHATBOT", message: "b" },
        ],
      },
    });
    expect(dropped.sort()).toEqual(["logprobs", "messages.image_url", "tool_choice"]);
  });

  it("reads code that Mistral streams into the middle", () => {
    const { normaliseFrame } = specOf(mistral, {}, "complete");
    expect(normaliseFrame?.({ choices: [{ index: 0, delta: { content: "):" }, finish_reason: null }] })).toEqual({
      choices: [{ index: 0, text: "):", finish_reason: null }],
    });
  });
});

describe("what they cannot be told", () => {
  const own = { baseUrl: "https://t.example" };
  it.each<[string, ProviderDefinition]>([
    ["triton", triton],
    ["ai21", ai21],
    ["cohere", cohere],
    ["palm", palm],
  ])("%s completes one text at a time", (_, definition) => {
    const { rewrite } = specOf(definition, own, "complete");
    expect(() => rewrite?.apply({ prompt: ["a", "b"] })).toThrow("one at a time");
  });

  it.each<[string, ProviderDefinition]>([
    ["j2-ultra", ai21],
    ["m", bytez],
    ["chat-bison-001", palm],
  ])("%s names the images it loses", (model, definition) => {
    const lost: string[] = [];
    const content = [
      { type: "text", text: "What?" },
      { type: "image_url", image_url: { url: "data:," } },
    ];
    const { rewrite } = specOf(definition, {}, "chat", model);
    rewrite?.apply({ messages: [{ role: "user", content }] }, (name) => lost.push(name));
    expect(lost).toEqual(["messages.image_url"]);
  });

  it("asks workers-ai for schemas and efforts in its words, and models without streams for whole answers", () => {
    const specs = bound(workersAi, account).operations.chat ?? [];
    const schema = { type: "object", properties: {} };
    const json_schema = { name: "answer", description: "An answer.", strict: true, schema };
    expect(
      specs[1]?.rewrite?.apply({
        model: "m",
        reasoning_effort: "none",
        response_format: { type: "json_schema", json_schema },
      }),
    ).toEqual({
      reasoning_effort: null,
      response_format: {
        type: "json_schema",
        json_schema: { title: "answer", description: "An answer.", ...schema },
      },
    });
    const told = { reasoning_effort: "low", response_format: { type: "json_object" } };
    expect(specs[1]?.rewrite?.apply({ model: "m", ...told, reasoning_effort: "minimal" })).toEqual(told);
    const whole = (model: string) => specs.find(({ serves }) => !serves || serves(model))?.whole;
    expect([whole("@cf/openai/gpt-oss-120b"), whole("@cf/meta/llama-3.1-8b")]).toEqual([true, undefined]);
  });

  it("tells workers-ai what its embedding models take, and names the rest", () => {
    const lost: string[] = [];
    const wire = {
      model: "@cf/baai/bge-m3",
      input: "a",
      encoding_format: "base64",
      truncate_inputs: true,
      input_type: "q",
    };
    expect(specOf(workersAi, account, "embed").rewrite?.apply(wire, (name) => lost.push(name))).toEqual({
      text: ["a"],
      truncate_inputs: true,
    });
    expect(lost).toEqual(["input_type"]);
  });

  it.each<OperationName>(["chat", "complete", "embed"])("says what workers-ai says of a failed %s", (operation) => {
    const wire = { success: false, result: null, errors: [{ code: 5007, message: "No such model" }] };
    expect(() => specOf(workersAi, account, operation).normalise?.(wire)).toThrow("Error 5007:No such model");
  });

  it("embeds one text at a time with palm, and says where a filter held its answer back", () => {
    expect(() => specOf(palm, {}, "embed").rewrite?.apply({ input: ["a", "b"] })).toThrow("one at a time");
    expect(specOf(palm, {}).normalise?.({ filters: [{ reason: "SAFETY" }] })).toEqual({
      choices: [{ index: 0, message: { role: "assistant", content: "" }, finish_reason: "content_filter" }],
    });
    const error = { error: { code: 404, message: "no such model", status: "NOT_FOUND" } };
    expect(specOf(palm, {}, "complete").normalise?.(error)).toEqual(error);
  });

  it("refuses a second image, or a late one, where Reka takes one at the beginning", () => {
    const image = { role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] };
    const { rewrite } = specOf(reka, {});
    expect(rewrite?.apply({ messages: [image] })).toEqual({
      conversation_history: [{ type: "human", text: "", media_url: "data:," }],
    });
    expect(() => rewrite?.apply({ messages: [{ role: "user", content: "Hi" }, image] })).toThrow("one image");
  });

  it("tells Reka's older API a conversation of two sides, and reads its answer", () => {
    const { rewrite, normalise } = specOf(reka, {});
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
      { role: "user", content: "Why is the sky blue?" },
    ];
    expect(rewrite?.apply({ messages, stop: ["X"] })).toEqual({
      conversation_history: [
        { type: "human", text: "Be brief.\n\nHi" },
        { type: "model", text: "Okay." },
        { type: "human", text: "Why is the sky blue?" },
      ],
      stop_words: ["X"],
    });
    const metadata = { input_tokens: 12, generated_tokens: 3 };
    expect(normalise?.({ type: "model", text: "Rayleigh.", finish_reason: "stop", metadata })).toMatchObject({
      choices: [{ message: { content: "Rayleigh." }, finish_reason: "stop" }],
      usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
    });
  });
});
