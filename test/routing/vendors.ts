import type { IncomingMessage, ServerResponse } from "node:http";
import { type Received, startUpstream } from "../support/upstream.ts";
import type { Time } from "./time.ts";

/** How a vendor behaves when it is called. */
export type Behaviour =
  | { readonly kind: "well" | "reset" | "silent" | "cut" | "unfinished" | "stalled" }
  | {
      readonly kind: "refuses";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly code?: string;
    };

/** One call, as a vendor saw it. */
export interface Call {
  /** Its first step below the root: a slug, or a host that a config names. */
  readonly place: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
  /** Milliseconds it was left without an answer until the gateway gave up. */
  silence?: number;
}

const sse = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;

const chunk = (delta: object, finish_reason: string | null = null) =>
  sse({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
  });

/** What a vendor says, in one piece or streamed; it says which call this was. */
export const wholeOf = (call: number): string =>
  JSON.stringify({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: `call ${call}` }, finish_reason: "stop" }],
  });

export const piecesOf = (call: number): readonly string[] => [
  chunk({ role: "assistant", content: `call ${call}` }),
  chunk({ content: " and more" }),
  chunk({}, "stop"),
  "data: [DONE]\n\n",
];

export interface Vendors {
  readonly url: string;
  readonly calls: Call[];
  /** How calls are answered from now on, one after the other and over again. */
  follow(script: readonly Behaviour[]): void;
  /** Resolves when nobody is left waiting for one of them any more. */
  rest(): Promise<unknown>;
  connections(): Promise<number>;
}

export async function startVendors(time: Time): Promise<Vendors> {
  const calls: Call[] = [];
  const silences: Promise<void>[] = [];
  let script: readonly Behaviour[] = [];
  const upstream = await startUpstream((received, response, incoming) => {
    const call = callOf(received);
    const behaviour = script[calls.length % script.length] ?? { kind: "well" as const };
    calls.push(call);
    behave(behaviour, { call, number: calls.length, response, incoming, time, silences });
  });
  return {
    url: upstream.url,
    calls,
    follow(next) {
      script = next;
      calls.length = 0;
    },
    rest: () => Promise.all(silences.splice(0)),
    connections: () => upstream.connections(),
  };
}

function callOf({ url, headers, body }: Received): Call {
  const [, place = "", ...path] = url.split("/");
  return { place, path: path.join("/"), headers, body: JSON.parse(`${body}`) };
}

interface Answering {
  readonly call: Call;
  readonly number: number;
  readonly response: ServerResponse;
  readonly incoming: IncomingMessage;
  readonly time: Time;
  readonly silences: Promise<void>[];
}

function behave(behaviour: Behaviour, answering: Answering): void {
  const { call, number, response, incoming } = answering;
  const { stream } = call.body;
  const type = stream === true ? "text/event-stream" : "application/json";
  const begun = () => {
    response.writeHead(200, { "content-type": type });
    response.write(stream === true ? piecesOf(number)[0] : wholeOf(number).slice(0, 50));
    return response;
  };
  switch (behaviour.kind) {
    case "well":
      response.writeHead(200, { "content-type": type, "x-vendor": `call ${number}` });
      return void response.end(stream === true ? piecesOf(number).join("") : wholeOf(number));
    case "refuses": {
      const { status, headers, code = "e" } = behaviour;
      response.writeHead(status, { "content-type": "application/json", ...headers, "x-vendor": `call ${number}` });
      return void response.end(JSON.stringify({ error: { message: `No ${number}.`, type: "t", param: null, code } }));
    }
    case "reset":
      return void incoming.socket.resetAndDestroy();
    case "cut":
      return void begun().write("", () => setImmediate(() => incoming.socket.destroy()));
    case "unfinished":
      return void begun().end();
    case "stalled":
      begun();
      return keepSilent(answering);
    case "silent":
      return keepSilent(answering);
  }
}

function keepSilent({ call, response, time, silences }: Answering): void {
  let gone = false;
  response.on("close", () => {
    gone = true;
  });
  const silence = time
    .passUntil(() => gone)
    .then((milliseconds) => {
      call.silence = milliseconds;
    });
  silences.push(silence);
}
