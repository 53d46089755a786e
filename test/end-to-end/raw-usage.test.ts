import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventFrame } from "../../core/index.ts";
import { type Recording, startRecording } from "../../plugins/request-log/testing.ts";

/** An answer of a vendor: its bytes, in pieces, and how it says them. */
interface Answer {
  readonly type: string;
  readonly pieces: readonly (string | Buffer)[];
  readonly encoding?: string;
  readonly status?: number;
  readonly breaks?: true;
}

let next: Answer;
let vendor: Server;
let recording: Recording;

beforeAll(async () => {
  vendor = createServer((incoming, response) => {
    incoming.resume().on("end", async () => {
      const { type, pieces, encoding, status = 200, breaks } = next;
      response.writeHead(status, { "content-type": type, ...(encoding && { "content-encoding": encoding }) });
      for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve));
      if (breaks) response.destroy();
      else response.end();
    });
  });
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  recording = await startRecording(
    {},
    {
      plugins: {
        "format-gemini": {},
        "format-cohere-chat": {},
        "format-bedrock-converse": {},
        "usage-limits": {},
        "rate-limits": {},
        "counters-memory": {},
        // An answer of 1000 tokens in and 100 out is 0.12 cents.
        pricing: { models: { priced: { input: 1, output: 2 }, free: { input: 0, output: 0 } } },
      },
      providers: {
        pass: { use: "passthrough", baseUrl },
        raw: { use: "openai", apiKey: "raw-key-0123", baseUrl },
        grok: { use: "x-ai", apiKey: "raw-key-0123", baseUrl },
      },
    },
  );
});

afterAll(async () => {
  await recording.stop();
  vendor.closeAllConnections();
  vendor.close();
});

const json = (body: unknown): Answer => ({ type: "application/json", pieces: [JSON.stringify(body)] });
const sse = (...events: unknown[]): Answer => ({
  type: "text/event-stream",
  pieces: events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`),
});

const openAi = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
const newer = { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 };
const google = { promptTokenCount: 1000, candidatesTokenCount: 100, totalTokenCount: 1100 };
const aws = { inputTokens: 1000, outputTokens: 100, totalTokens: 1100 };
const cohere = {
  billed_units: { input_tokens: 9, output_tokens: 9 },
  tokens: { input_tokens: 1000, output_tokens: 100 },
};
const twice = { prompt_tokens: 2000, completion_tokens: 200, total_tokens: 2200 };
const together = { models: ["priced", "free"].map((model) => ({ model, usage: openAi })) };
const choices = [{ index: 0, message: { role: "assistant", content: "Tea." }, finish_reason: "stop" }];
const chunk = (more: object) => ({ object: "chat.completion.chunk", model: "answering", choices: [], ...more });
const said = (text: string) => chunk({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] });
const known = { cost: 0.12, req_units: 1000, res_units: 100, ai_model: "priced" };
// 9 tokens each way are billed.
const knownOfCohere = { ...known, cost: 0.0027 };
const unknown = { cost: null, total_units: null };

interface Case {
  readonly path?: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly answer: Answer;
  readonly row: object;
}

const asksFor = { model: "priced" };
const cases: Readonly<Record<string, Case>> = {
  "chat completions": { answer: json({ choices, model: "priced-0925", usage: openAi }), row: known },
  completions: { answer: json({ choices: [{ text: "Tea." }], usage: openAi }), row: known },
  embeddings: {
    answer: json({ object: "list", data: [{ embedding: [0.1] }], usage: { prompt_tokens: 1000, total_tokens: 1000 } }),
    row: { cost: 0.1, req_units: 1000, ai_model: "priced" },
  },
  responses: { answer: json({ object: "response", output: [], usage: newer }), row: known },
  messages: { answer: json({ type: "message", content: [], usage: newer }), row: known },
  "the model in the URL": {
    path: "/v1/proxy/models/priced:generateContent",
    body: { contents: [] },
    answer: json({ candidates: [], usageMetadata: google, modelVersion: "priced-001" }),
    row: known,
  },
  "the model in the URL of a deployment": {
    path: "/v1/proxy/deployments/priced/chat/completions?api-version=1",
    body: { messages: [] },
    answer: json({ choices, usage: openAi }),
    row: known,
  },
  "the model in the URL before another one in the body": {
    path: "/v1/proxy/deployments/priced/chat/completions?api-version=1",
    body: { model: "free", messages: [] },
    answer: json({ choices, usage: openAi }),
    row: known,
  },
  "the model in a URL whose path has letters escaped": {
    path: "/v1/proxy/%64eployments/priced/chat/completions?api-version=1",
    body: { model: "free", messages: [] },
    answer: json({ choices, usage: openAi }),
    row: known,
  },
  "the model in the body before what looks like one in the query": {
    path: "/v1/proxy/chat/completions?a=/deployments/free/b",
    body: { model: "priced", messages: [] },
    answer: json({ choices, usage: openAi }),
    row: known,
  },
  "the model in the answer only": {
    body: {},
    answer: json({ choices, model: "priced", usage: openAi }),
    row: known,
  },
  converse: {
    path: "/v1/proxy/model/priced/converse",
    body: { messages: [] },
    answer: json({ output: {}, usage: aws }),
    row: known,
  },
  cohere: { answer: json({ message: {}, usage: cohere }), row: knownOfCohere },
  "a packed answer": {
    answer: { ...json({}), encoding: "gzip", pieces: [gzipSync(JSON.stringify({ choices, usage: openAi }))] },
    row: known,
  },
  "an answer in pieces": {
    answer: {
      type: "application/json",
      pieces: ['{"choices":[{}],"usage":{"prompt_tokens":10', '00,"completion_tokens":100}}'],
    },
    row: known,
  },
  "a failure that says what it used": {
    answer: { ...json({ choices: [], usage: openAi }), status: 503 },
    row: { ...known, is_success: false },
  },
  "a failure that says what it used, and nothing else": {
    answer: { ...json({ error: { message: "No." }, usage: openAi }), status: 503 },
    row: { ...known, is_success: false },
  },
  "a stream that says what it used where it fails": {
    answer: sse(said("Tea."), { error: { message: "No." }, usage: openAi }),
    row: known,
  },
  "a chat stream": {
    answer: sse(...Array.from({ length: 200 }, () => said("tea ".repeat(500))), chunk({ usage: openAi }), "[DONE]"),
    row: known,
  },
  "a chat stream without its last blank line": {
    answer: { type: "text/event-stream", pieces: [`data: ${JSON.stringify(chunk({ usage: openAi }))}`] },
    row: known,
  },
  "a packed stream": {
    answer: {
      type: "text/event-stream",
      encoding: "gzip",
      pieces: [gzipSync(sse(said("Tea."), chunk({ usage: openAi }), "[DONE]").pieces.join(""))],
    },
    row: known,
  },
  "a stream of responses": {
    answer: sse({ type: "response.created", response: {} }, { type: "response.completed", response: { usage: newer } }),
    row: known,
  },
  "a stream of messages": {
    answer: sse(
      { type: "message_start", message: { usage: { input_tokens: 1000, output_tokens: 1 } } },
      ...Array.from({ length: 100 }, () => ({ type: "content_block_delta", delta: { text: "tea" } })),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 100 } },
      { type: "message_stop" },
    ),
    row: known,
  },
  "a stream of events of Gemini's": {
    path: "/v1/proxy/models/priced:streamGenerateContent?alt=sse",
    body: {},
    answer: sse({ candidates: [{}] }, { candidates: [{ finishReason: "STOP" }], usageMetadata: google }),
    row: known,
  },
  "a stream in one list": {
    path: "/v1/proxy/models/priced:streamGenerateContent",
    body: {},
    answer: json([{ candidates: [{}] }, { candidates: [{ finishReason: "STOP" }], usageMetadata: google }]),
    row: known,
  },
  "a binary stream": {
    path: "/v1/proxy/model/priced/converse-stream",
    body: {},
    answer: {
      type: "application/vnd.amazon.eventstream",
      pieces: [
        eventFrame("messageStart", '{"role":"assistant"}'),
        eventFrame("messageStop", '{"stopReason":"end_turn"}'),
        eventFrame("metadata", JSON.stringify({ usage: aws })),
      ].map((text) => Buffer.from(text, "latin1")),
    },
    row: known,
  },
  "a stream of Cohere's": {
    answer: sse({ type: "message-start" }, { type: "message-end", delta: { usage: cohere } }),
    row: knownOfCohere,
  },
  "a stream that breaks off after it has said what it used": {
    answer: { ...sse(said("Tea."), chunk({ usage: openAi })), breaks: true },
    row: { ...known, is_success: false },
  },
  "an answer that a provider of raw calls passes on": {
    path: "/v1/chat/completions",
    headers: { "x-gateway-provider": "@pass" },
    body: { model: "priced", messages: [] },
    answer: json({ choices, usage: openAi }),
    row: known,
  },
  "a stream in nitro mode": {
    path: "/v1/chat/completions",
    headers: { "x-gateway-nitro-mode": "true" },
    answer: sse(said("Tea."), chunk({ model: "priced", usage: openAi }), "[DONE]"),
    row: { req_units: 1000, res_units: 100 },
  },
  "a stream that says nothing of it": { answer: sse(said("Tea."), "[DONE]"), row: unknown },
  "a refusal that comes as a stream": {
    answer: { ...sse({ error: { message: "Not now." } }), status: 429 },
    row: { cost: 0, total_units: null, is_success: false },
  },
  "an answer of nobody's format": { answer: json({ usage: { prompt_tokens: 1000 }, result: "tea" }), row: unknown },
  "an answer that is no JSON": { answer: { type: "application/json", pieces: ["tea"] }, row: unknown },
  "an answer of another type": {
    answer: { type: "text/plain", pieces: [JSON.stringify({ usage: openAi })] },
    row: unknown,
  },
  "an answer that is too large to look into": {
    answer: json({ choices: [{ text: "x".repeat(1024 * 1024) }], usage: openAi }),
    row: unknown,
  },
  "what its vendor says it charged": {
    path: "/v1/proxy/images/generations",
    headers: { "x-gateway-provider": "@grok" },
    body: { model: "draws", prompt: "Tea." },
    answer: json({ data: [{ url: "https://a/b" }], usage: { cost_in_usd_ticks: 400_000_000 } }),
    row: { cost: 4, total_units: null, ai_model: "draws" },
  },
  "what its vendor says it charged of a model with prices of one's own": {
    path: "/v1/proxy/images/generations",
    headers: { "x-gateway-provider": "@grok" },
    answer: json({ data: [{ url: "https://a/b" }], usage: { cost_in_usd_ticks: 400_000_000 } }),
    row: unknown,
  },
  "what is said to be charged by a vendor whose word does not count": {
    answer: json({ data: [{ url: "https://a/b" }], usage: { cost_in_usd_ticks: 400_000_000 } }),
    row: unknown,
  },
  "an answer that passes through with tools that were run": {
    path: "/v1/chat/completions",
    body: { model: "priced", messages: [{ role: "user", content: "Hi" }] },
    answer: json({ choices: [{ message: { content: "Tea.", executed_tools: [{ type: "python" }] } }], usage: openAi }),
    row: { ...known, cost: null },
  },
  "models that answered together": {
    path: "/v1/chat/completions",
    body: { model: "compound", messages: [{ role: "user", content: "Hi" }] },
    answer: json({ choices, usage: twice, usage_breakdown: together }),
    row: { cost: 0.12, req_units: 2000, res_units: 200, ai_model: "compound" },
  },
  "models that answered together, in a stream": {
    path: "/v1/chat/completions",
    body: { model: "compound", messages: [{ role: "user", content: "Hi" }], stream: true },
    answer: sse(
      chunk({ choices: [{ index: 0, delta: { content: "Tea." }, finish_reason: "stop" }] }),
      chunk({ x_groq: { usage: twice, usage_breakdown: together } }),
      "[DONE]",
    ),
    row: { cost: 0.12, req_units: 2000, res_units: 200 },
  },
  "reading what was answered once": {
    path: "/v1/proxy/responses/resp_1",
    method: "GET",
    body: null,
    answer: json({ object: "response", output: [], usage: newer }),
    row: { cost: 0, total_units: null },
  },
};

describe("what raw calls have used", () => {
  it.each(Object.entries(cases))("is read off %s", async (name, one) => {
    const { path = "/v1/proxy/anything", method = "POST", body = asksFor, answer, row } = one;
    next = answer;
    const more = one.headers;
    const headers = { "x-gateway-provider": "@raw", "x-gateway-trace-id": name, "accept-encoding": "gzip", ...more };
    const asked = await recording.ask(body, { path, method, headers }).catch(() => undefined);
    expect((await recording.trace(name, 1))[0]).toMatchObject(row);
    if (!answer.encoding && !answer.breaks && answer.type !== "application/vnd.amazon.eventstream")
      expect(asked?.text).toBe(answer.pieces.join(""));
  });
});

describe("limits of raw calls", () => {
  const budget = { type: "tokens", credit_limit: 1000, alert_threshold: null, periodic_reset: null };
  const never = { periodic_reset_days: null, next_usage_reset_at: null };
  it.each([
    ["a budget", "R1", { usage: [{ ...budget, ...never }], rate: [] }, 412],
    ["a rate", "R2", { usage: [], rate: [{ type: "tokens", unit: "rph", value: 1000 }] }, 429],
  ])("know by %s of tokens what they have used", async (_, id, limits, refused) => {
    const as = { limits: { level: "api_key", id, subject: id, ...limits } as never };
    const headers = { "x-gateway-provider": "@raw" };
    next = json({ choices, usage: openAi });
    const ask = async () => (await recording.ask(asksFor, { path: "/v1/proxy/anything", headers, as })).status;
    expect(await ask()).toBe(200);
    await expect.poll(ask).toBe(refused);
  });
});
