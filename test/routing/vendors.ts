import type { IncomingMessage, ServerResponse } from "node:http";
import { type Received, startUpstream } from "../support/upstream.ts";
import { chatSpeech, type Said, speechAt } from "./clients/speech.ts";
import type { Time } from "./time.ts";

/** How a vendor behaves when it is called. */
export type Behaviour = (
  | { readonly kind: "well" | "reset" | "silent" | "cut" | "unfinished" | "stalled" }
  | {
      readonly kind: "refuses";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly code?: string;
    }
) & {
  /** Milliseconds that pass before. */
  readonly takes?: number;
};

/** How vendors fail that do not refuse. */
export const failings: readonly Behaviour[] = [
  { kind: "reset" },
  { kind: "silent" },
  { kind: "cut" },
  { kind: "unfinished" },
  { kind: "stalled" },
];

/** One call, as a vendor saw it. */
export interface Call {
  /** Its first step below the root: a slug, or a host that a config names. */
  readonly place: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
  /** What it says, whoever is asked. */
  readonly said: Said;
  /** Milliseconds it was left without an answer until the gateway gave up. */
  silence?: number;
}

export const { whole: wholeOf, pieces: piecesOf } = chatSpeech;

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
    if (behaviour.takes) time.pass(behaviour.takes);
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
  const [, place = "", ...steps] = url.split("/");
  const path = steps.join("/");
  const json = JSON.parse(`${body}`);
  return { place, path, headers, body: json, said: speechAt(path).asked(path, json) };
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
  const { streams } = call.said;
  const speech = speechAt(call.path);
  const type = streams ? "text/event-stream" : "application/json";
  const begun = () => {
    response.writeHead(200, { "content-type": type });
    response.write(streams ? speech.pieces(number)[0] : speech.whole(number).slice(0, 50));
    return response;
  };
  switch (behaviour.kind) {
    case "well":
      response.writeHead(200, { "content-type": type, "x-vendor": `call ${number}` });
      return void response.end(streams ? speech.pieces(number).join("") : speech.whole(number));
    case "refuses": {
      const { status, headers, code = "e" } = behaviour;
      response.writeHead(status, { "content-type": "application/json", ...headers, "x-vendor": `call ${number}` });
      return void response.end(JSON.stringify(speech.refusal({ message: `No ${number}.`, code, status })));
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
