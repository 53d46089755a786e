import type { UpstreamHandle } from "../../core/provider-kit/index.ts";
import { simulatorTransport } from "./transport.ts";
import { isRecord, type Wire } from "./wire.ts";

/** What was heard of a call so far. */
export interface Heard {
  readonly status: number | undefined;
  readonly headers: Wire;
  /** The texts of the data, one for every time there was some. */
  readonly frames: readonly string[];
  /** The same as it came. */
  readonly pieces: readonly Buffer[];
  readonly ending: "end" | Error | undefined;
  /** All events, by name. */
  readonly events: readonly string[];
}

export interface Call {
  readonly heard: Heard;
  readonly handle: UpstreamHandle;
  /** Settles when the call has ended. */
  readonly over: Promise<Heard>;
}

export const formats = [
  "openai-chat",
  "openai-responses",
  "anthropic-messages",
  "gemini",
  "cohere-chat",
  "bedrock-converse",
  "openai-completions",
  "openai-embeddings",
  "cohere-rerank",
  "openai-images",
  "openai-moderations",
  "anthropic-count-tokens",
  "openai-input-tokens",
  "gemini-count-tokens",
  "bedrock-count-tokens",
];

export const simulator = (options: Partial<Parameters<typeof simulatorTransport>[0]> = {}) =>
  simulatorTransport({ formats, pacing: { firstToken: 0, chunk: 0 }, ...options });

/** Sends a request and writes down what comes. */
export function send(
  transport: ReturnType<typeof simulatorTransport>,
  path: string,
  body: unknown,
  { method = "POST", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Call {
  const frames: string[] = [];
  const pieces: Buffer[] = [];
  const events: string[] = [];
  const heard = {
    status: undefined as number | undefined,
    headers: {} as Wire,
    frames,
    pieces,
    ending: undefined as Heard["ending"],
    events,
  };
  const { promise, resolve } = deferred<Heard>();
  const finish = (ending: "end" | Error) => {
    events.push(ending === "end" ? "end" : "error");
    heard.ending = ending;
    resolve(heard);
  };
  const bytes = body === undefined ? undefined : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const handle = transport.send(
    { method, origin: "https://simulator.invalid", path, headers, body: bytes, untrustedHost: false },
    {
      connected: () => events.push("connected"),
      headers: (status, headers) => {
        events.push("headers");
        Object.assign(heard, { status, headers });
      },
      data: (data) => {
        events.push("data");
        frames.push(data.toString());
        pieces.push(Buffer.from(data));
      },
      end: () => finish("end"),
      error: finish,
    },
  );
  return { heard, handle, over: promise };
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** The JSON of a whole answer. */
export async function ask(path: string, body: unknown, transport = simulator()): Promise<Wire> {
  const { frames } = await send(transport, path, body).over;
  const wire: unknown = JSON.parse(frames.join(""));
  if (!isRecord(wire)) throw new Error("The answer is not an object.");
  return wire;
}

/** The events of a stream. */
export async function askStream(path: string, body: object, transport = simulator()) {
  const { frames } = await send(transport, path, { ...body, stream: true }).over;
  return frames.map((frame) => {
    const [, event, data = ""] = /^(?:event: (.*)\n)?data: (.*)\n\n$/.exec(frame) ?? [];
    return { ...(event !== undefined && { event }), data };
  });
}
