import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startTestGateway } from "../../test/support/gateway.ts";
import { json, type Received, startUpstream } from "../../test/support/upstream.ts";
import { digitsCheck, fickleCheck, oddCheck, promisedCheck } from "./test-checks/testing.ts";

export const key = "key-of-the-team-0123456789";

const records = "test.guardrails.records";

/** Tells what the record of a request would hold. */
const recordPlugin = (surface: string) => `
import { channel } from "node:diagnostics_channel";
import { definePlugin, Stage, z } from "${surface}";
const records = channel("${records}");
export default definePlugin({
  name: "record-of-tests",
  summary: "Tells what there is to record; for tests.",
  options: z.strictObject({}),
  setup({ hooks }) {
    hooks.cost.tap({ name: "record-of-tests", stage: Stage.record }, ({ role, hookResults }) => {
      if (role !== "internal") records.publish(hookResults);
    });
  },
});
`;

export interface Said {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, unknown> & { hook_results?: Results; error?: { type: string; message: string } };
}

export interface Results {
  readonly before_request_hooks: readonly Result[];
  readonly after_request_hooks: readonly Result[];
}
export interface Result {
  readonly id: string;
  readonly verdict: boolean;
  readonly deny: boolean;
  readonly transformed: boolean;
  readonly async: boolean;
  readonly stream_delay?: number;
  readonly feedback: unknown;
  readonly checks: readonly {
    id: string;
    verdict: boolean;
    error?: { name: string; message: string };
    data: unknown;
  }[];
}

/** What the vendor says: what it was last told, or what the model's name asks for. */
const wordsOf = ({ body }: Received): string => {
  const { model, messages, prompt } = JSON.parse(`${body}`) as Asked;
  if (model.startsWith("say:")) return model.slice("say:".length);
  const content = messages?.at(-1)?.content ?? prompt ?? "";
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
};
interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly prompt?: string;
  readonly messages?: readonly { readonly content: string | readonly { text?: string }[] }[];
  readonly input?: unknown;
}

/** A vendor of chats that repeats what it is told, for several tests. Whoever starts it closes it. */
export async function startEcho(told: (words: string) => void): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (bytes: Buffer) => pieces.push(bytes));
    incoming.on("end", () => {
      const { model, stream, messages } = JSON.parse(`${Buffer.concat(pieces)}`) as Asked;
      const words = String(messages?.at(-1)?.content);
      told(words);
      if (!stream) return json(response, 200, whole(model, words));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(streamed(model, words, 3).join(""));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** What the record of the next request of a client that ends holds of guardrails. */
const ended = (): Promise<Results | undefined> =>
  new Promise((resolve) => {
    const tell = (results: unknown) => {
      unsubscribe(records, tell);
      resolve(results as Results | undefined);
    };
    subscribe(records, tell);
  });

/** A gateway with guardrails before a vendor that repeats what it is told, a few characters at a time. */
export async function startGuarded(
  more: {
    options?: string;
    plugins?: string;
    size?: number;
    slow?: boolean;
    answer?: object | string;
    stalls?: string;
    /** How many of the first streams break off half-way. */
    breaks?: number;
    files?: Readonly<Record<string, string>>;
    /** Saved configs, by name. */
    configs?: Readonly<Record<string, object>>;
    /** Options of the plugin `checks`. */
    checks?: string;
    /** What the calls of the vendor are answered with, in turn; 200 behind them. */
    statuses?: readonly number[];
  } = {},
) {
  const received: Received[] = [];
  /** Calls of the model `held` are answered by the test. */
  const held: ServerResponse[] = [];
  let open: ServerResponse | undefined;
  /** Whether the vendor has still not ended what it says, and is listened to. */
  const stalled = () => open?.writableEnded === false && !open.destroyed;
  const upstream = await startUpstream((request, response) => {
    received.push(request);
    const { model, stream } = JSON.parse(`${request.body}`) as Asked;
    if (model === "held") return void held.push(response);
    const [, named] = /^status-(\d+)$/.exec(model) ?? [];
    const status = Number(named ?? more.statuses?.[received.length - 1] ?? 200);
    if (status !== 200) return json(response, status, { error: { message: "A failure." } });
    if (request.url.endsWith("/embeddings"))
      return json(response, 200, { object: "list", model, data: [{ object: "embedding", index: 0, embedding: [1] }] });
    if (more.stalls !== undefined) {
      open = response;
      response.writeHead(200, { "content-type": "text/event-stream" });
      return response.write(streamed(model, more.stalls, 100).slice(0, 2).join(""));
    }
    if (typeof more.answer === "object") return json(response, 200, more.answer);
    if (more.answer !== undefined)
      return response.writeHead(200, { "content-type": "text/event-stream" }).end(more.answer);
    const words = wordsOf(request);
    const chat = request.url.endsWith("/chat/completions");
    if (!stream) return json(response, 200, chat ? whole(model, words) : completion(model, words));
    response.writeHead(200, { "content-type": "text/event-stream" });
    const frames = (chat ? streamed : streamedCompletion)(model, words, more.size ?? 3);
    if (received.length <= (more.breaks ?? 0))
      response.write(frames.slice(0, frames.length / 2).join(""), () => response.destroy());
    else if (more.slow) void writeApart(response, frames);
    else response.end(frames.join(""));
  });
  const surface = new URL("../../core/index.ts", import.meta.url).href;
  const files = {
    "odd.ts": oddCheck(surface),
    "digits.ts": digitsCheck(surface),
    "fickle.ts": fickleCheck(surface),
    "promised.ts": promisedCheck(surface),
    "record.ts": recordPlugin(surface),
    ...more.files,
  };
  const config = `
plugins:
  auth-keys: { keys: [{ name: team, key: ${key} }] }
  routing: ${JSON.stringify({ configs: more.configs ?? {} })}
  strategy-fallback: {}
  retry: {}
  cache-memory: {}
  cache: {}
  format-openai-chat: {}
  format-openai-completions: {}
  format-openai-embeddings: {}
  format-openai-responses: {}
  format-anthropic-messages: {}
  format-gemini: {}
  proxy: {}
  checks: ${more.checks ?? "{}"}
  odd: { use: ./odd.ts }
  digits: { use: ./digits.ts }
  fickle: { use: ./fickle.ts }
  promised: { use: ./promised.ts }
  record-of-tests: { use: ./record.ts }
  guardrails: ${more.options ?? "{}"}
${more.plugins ?? ""}
providers:
  openai: { apiKey: vendor-key-0123, baseUrl: ${upstream.url}/v1 }
  deepseek: { apiKey: vendor-key-0123, baseUrl: ${upstream.url}/v1 }
`;
  const gateway = await startTestGateway(config, {}, temporaryFolder(files));
  const ask = async (
    config: object,
    body: object,
    path = "/v1/chat/completions",
    headers = {},
    signal?: AbortSignal,
  ): Promise<Said> => {
    const response = await fetch(`${gateway.url}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${key}`,
        "x-gateway-config": JSON.stringify({ provider: "@openai", ...config }),
        ...headers,
      },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: jsonOr(text) as Said["json"] };
  };
  return { gateway, upstream, received, held, ask, ended, stalled };
}

const jsonOr = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

export const chat = (content: unknown, more: object = {}) => ({
  model: "m",
  messages: [{ role: "user", content }],
  ...more,
});

const head = { id: "chatcmpl-vendor", created: 1_700_000_000 };
export const whole = (model: string, content: string) => ({
  ...head,
  object: "chat.completion",
  model,
  choices: [{ index: 0, message: { role: "assistant", content }, logprobs: null, finish_reason: "stop" }],
  usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
});
const completion = (model: string, text: string, finish: string | null = "stop") => ({
  ...head,
  object: "text_completion",
  model,
  choices: [{ index: 0, text, logprobs: null, finish_reason: finish }],
});

function streamed(model: string, words: string, size: number): string[] {
  const frame = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const pieces = inPieces(words, size);
  return [
    frame({ role: "assistant", content: "" }),
    ...pieces.map((content) => frame({ content })),
    frame({}, "stop"),
    "data: [DONE]\n\n",
  ];
}

const streamedCompletion = (model: string, words: string, size: number): string[] =>
  [...inPieces(words, size).map((text) => completion(model, text, null)), completion(model, "", "stop")]
    .map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
    .concat("data: [DONE]\n\n");

const inPieces = (words: string, size: number): string[] => words.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];

/** A frame at a time, each in a packet of its own. */
async function writeApart(response: ServerResponse, frames: readonly string[]): Promise<void> {
  for (const frame of frames) {
    await new Promise<void>((resolve) => response.write(frame, () => setImmediate(() => setImmediate(resolve))));
    if (response.destroyed) return;
  }
  response.end();
}

/** The JSON of the events of a stream. */
export const jsonEvents = (stream: string): unknown[] =>
  [...stream.matchAll(/^data: (\{.*)$/gm)].map(([, data = ""]) => JSON.parse(data));

/** What a client of chat streams has read. */
export const heard = (stream: string): string =>
  stream
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: {"))
    .map((frame) => (JSON.parse(frame.slice(6)) as { choices?: { delta?: { content?: string } }[] }).choices?.[0])
    .map((choice) => choice?.delta?.content ?? "")
    .join("");
