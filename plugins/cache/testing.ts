import type { ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startTestGateway, type TestGateway } from "../../test/support/gateway.ts";
import { type Answering, json, type Received, startUpstream, type TestUpstream } from "../../test/support/upstream.ts";

export const keys = { A: "key-of-tenant-a-0123456789", B: "key-of-tenant-b-0123456789" } as const;

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

/** A plugin in a file of its own, whose taps are these statements. */
const tapsOf = (statements: string): string => `
import { Cache, definePlugin, GatewayError, Stage, withBody, z } from "${surface}";
export default definePlugin({
  name: "taps",
  summary: "Does what a test says.",
  options: z.strictObject({}),
  needs: [Cache],
  setup({ hooks, service }) {
    ${statements}
  },
});
`;

export interface CachedSetting {
  /** Lines below `plugins`; without any, a memory. */
  readonly stores?: string;
  /** Options of the cache, as YAML. */
  readonly options?: string;
  /** Options of the format of chats, as YAML. */
  readonly formats?: string;
  /** Statements that tap \`hooks\`. */
  readonly taps?: string;
  readonly variables?: Record<string, string>;
  /** Before the vendor of another gateway, instead of one of its own. */
  readonly beside?: CachedGateway;
}

export interface Asked {
  readonly path?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly config?: unknown;
}

export interface Replied {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What `x-gateway-cache-status` says. */
  readonly cache: string | null;
}

export interface CachedGateway {
  readonly gateway: TestGateway;
  readonly upstream: TestUpstream;
  /** Calls of the upstream so far that were not for embeddings. */
  calls(): number;
  ask(body?: object, asked?: Asked): Promise<Replied>;
}

export const question = { model: "m", messages: [{ role: "user", content: "What is the time?" }] };
export const simple = { provider: "@openai", cache: "simple" };

/** A gateway with a cache before a vendor that numbers its answers. */
export async function startCached({
  stores = "cache-memory: {}",
  options = "{}",
  formats = "{}",
  taps = "",
  variables = {},
  beside,
}: CachedSetting = {}): Promise<CachedGateway> {
  let answers = 0;
  const answer: Answering = (received, response) => {
    if (received.url.endsWith("/embeddings") && isEmbedded(received)) {
      const text = textIn(received);
      // One that is slow is not answered at all.
      if (text.includes("no embedding")) json(response, 500, { error: { message: "No embedding." } });
      else if (!text.includes("slow embedding")) json(response, 200, embeddingOf(text));
      return;
    }
    if (received.url.endsWith("/speech"))
      return void response.writeHead(200, { "content-type": "audio/wav" }).end(`sound \xe9 ${++answers}`, "latin1");
    if (/\/(?:tools|threads)\//.test(received.url)) return answerTool(received, response, ++answers);
    const { status, body, stream } = vendorAnswer(received, ++answers);
    if (typeof body === "string") return void response.writeHead(200, { "content-type": "application/json" }).end(body);
    if (!stream) return json(response, status, body, { "x-vendor-header": "yes" });
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(stream);
  };
  const upstream = beside?.upstream ?? (await startUpstream(answer));
  const config = `
plugins:
  auth-keys:
    keys:
      - { name: a, key: "${keys.A}" }
      - { name: b, key: "${keys.B}" }
  routing: {}
  strategy-fallback: {}
  strategy-hedge: {}
  strategy-shadow: {}
  retry: {}
  format-openai-chat: ${formats}
  format-openai-completions: {}
  format-openai-embeddings: {}
  format-openai-responses: {}
  format-openai-audio: {}
  format-anthropic-messages: {}
  format-gemini: {}
  proxy: {}
  ${stores}
  cache: ${options}
  taps: { use: ./taps.ts }
  access-log: {}
providers:
  openai: { apiKey: vendor-key-0123, baseUrl: ${upstream.url}/v1 }
  other: { use: openai, apiKey: vendor-key-0123, baseUrl: ${upstream.url}/v1 }
  elsewhere: { use: openai, apiKey: vendor-key-0123, baseUrl: ${upstream.url}/elsewhere/v1 }
  anthropic: { apiKey: vendor-key-0123, baseUrl: ${upstream.url}/v1 }
`;
  const gateway = await startTestGateway(config, variables, temporaryFolder({ "taps.ts": tapsOf(taps) }));
  const ask = async (body: object = question, { path, key = keys.A, headers, config = simple }: Asked = {}) => {
    const response = await fetch(`${gateway.url}${path ?? "/v1/chat/completions"}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${key}`,
        "x-gateway-config": JSON.stringify(config),
        ...headers,
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    // What is written when the client has its answer is written one turn later.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    return {
      status: response.status,
      headers: response.headers,
      text,
      cache: response.headers.get("x-gateway-cache-status"),
    };
  };
  return { gateway, upstream, calls: beside?.calls ?? (() => answers), ask };
}

interface Sent {
  readonly model: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly input?: unknown;
  readonly messages?: readonly { readonly content: unknown }[];
}

const bodyOf = ({ body }: Received) => JSON.parse(body.toString()) as Sent;

/** A stream nobody would write like this who had read it. */
export const oddStream =
  ': hello\n\ndata:  {"choices" : [ {"index":0, "delta":{"content":"a"},"finish_reason":"stop" } ] }\r\n\r\ndata: [DONE]\n\n';

/** The model says how it goes: `status-500`, `cut`, `garbled`, `tools`, `odd`, `full`; `failed` is a response that failed, `asked` tells the usage of streams where it is asked to, `never` never. */
function vendorAnswer(received: Received, number: number): { status: number; body: unknown; stream?: string } {
  const { model, stream = false } = bodyOf(received);
  const [, status] = /^status-(\d+)$/.exec(model) ?? [];
  if (status !== undefined) return { status: Number(status), body: { error: { message: `Failure ${number}.` } } };
  const text = model === "long" ? "x".repeat(1200) : `Answer ${number}.`;
  if (model === "odd") return { status: 200, body: '{ "choices": 7 }', ...(stream && { body: {}, stream: oddStream }) };
  if (received.url.endsWith("/count_tokens")) return { status: 200, body: { input_tokens: number } };
  if (received.url.endsWith("/responses")) return { status: 200, body: responseOf(model, text, number) };
  if (received.url.endsWith("/messages")) return { status: 200, body: messageOf(model, text) };
  if (received.url.endsWith("/embeddings")) return { status: 200, body: vectorsOf(model, [[number, 1]]) };
  if (received.url.endsWith("/completions") && !received.url.endsWith("/chat/completions"))
    return { status: 200, body: completionOf(model, text) };
  const body = chatOf(model, text);
  const told = model === "asked" ? bodyOf(received).stream_options?.include_usage === true : model !== "never";
  if (stream) return { status: 200, body, stream: chatStream(model, text, told) };
  return { status: 200, body: model === "never" ? { ...body, usage: undefined } : body };
}

/** What no format knows. The body says how it goes: `fails` with a status, `says` what is no JSON. */
function answerTool(received: Received, response: ServerResponse, number: number): void {
  const { fails, says } = JSON.parse(received.body.toString()) as { readonly fails?: number; readonly says?: string };
  const text = JSON.stringify({ run: number }, null, 1);
  const type = { "content-type": says === "plain" ? "text/plain" : "application/json; charset=utf-8" };
  if (fails !== undefined) return json(response, fails, { error: { message: `Failure ${number}.` } });
  if (says === "packed")
    return void response.writeHead(200, { ...type, "content-encoding": "gzip" }).end(gzipSync(text));
  if (says === "cut") {
    response.writeHead(200, { ...type, "content-length": "100" });
    return void response.write(text, () => response.destroy());
  }
  response.writeHead(200, type).end(says === "broken" ? text.slice(1) : text);
}

const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
const call = { id: "call_1", type: "function", function: { name: "look", arguments: '{"at":"clock"}' } };

const chatOf = (model: string, text: string) => ({
  id: "chatcmpl-vendor",
  object: "chat.completion",
  created: 1_700_000_000,
  model,
  system_fingerprint: "fp_vendor",
  choices: [
    {
      index: 0,
      message:
        model === "tools"
          ? { role: "assistant", content: null, tool_calls: [call] }
          : { role: "assistant", content: text },
      logprobs: null,
      finish_reason: model === "tools" ? "tool_calls" : "stop",
    },
  ],
  usage,
});

/** Two pieces, the end, and usage where it is told; `cut` closes in the middle. */
function chatStream(model: string, text: string, told: boolean): string {
  const frame = (choices: unknown, more: object = {}) =>
    `data: ${JSON.stringify({ id: "chatcmpl-vendor", object: "chat.completion.chunk", created: 1_700_000_000, model, choices, ...more })}\n\n`;
  const delta = (value: object, finish: string | null = null) => [{ index: 0, delta: value, finish_reason: finish }];
  const start =
    frame(delta({ role: "assistant", content: text.slice(0, 3) })) + frame(delta({ content: text.slice(3) }));
  if (model === "cut") return start;
  if (model === "garbled") return `${start}data: {"id": "chatcmpl\n\n${frame(delta({}, "stop"))}data: [DONE]\n\n`;
  return `${start}${frame(delta({}, "stop"))}${told ? frame([], { usage }) : ""}data: [DONE]\n\n`;
}

const completionOf = (model: string, text: string) => ({
  id: "cmpl-vendor",
  object: "text_completion",
  created: 1_700_000_000,
  model,
  choices: [{ index: 0, text, logprobs: null, finish_reason: "stop" }],
  usage,
});

const messageOf = (model: string, text: string) => ({
  id: "msg_vendor",
  type: "message",
  role: "assistant",
  model,
  content: [{ type: "text", text }],
  stop_reason: model === "full" ? "max_tokens" : "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 5, output_tokens: 7 },
});

const responseOf = (model: string, text: string, number: number) => ({
  id: `resp_vendor_${number}`,
  object: "response",
  created_at: 1_700_000_000,
  status: model === "failed" ? "failed" : "completed",
  error: model === "failed" ? { code: "server_error", message: "It went wrong." } : null,
  incomplete_details: null,
  model,
  output:
    model === "failed"
      ? []
      : [
          {
            type: "message",
            id: `msg_vendor_${number}`,
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text, annotations: [] }],
          },
        ],
  usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 },
});

const vectorsOf = (model: string, vectors: readonly (readonly number[])[]) => ({
  object: "list",
  data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
  model,
  usage: { prompt_tokens: 5, total_tokens: 5 },
});

/** Embeddings the cache asks for itself are of this model. */
export const embeddingModel = "likeness-1";
const isEmbedded = (received: Received) => bodyOf(received).model === embeddingModel;

const textIn = (received: Received): string => String([bodyOf(received).input].flat()[0]);

/** Texts point to where their first word says, in degrees: `30 and so on`. Anything else points to 0. */
function embeddingOf(text: string): unknown {
  const angle = ((Number.parseFloat(text) || 0) * Math.PI) / 180;
  const values = [Math.cos(angle), Math.sin(angle)];
  return vectorsOf(embeddingModel, [text.includes("longer embedding") ? [...values, 0] : values]);
}
