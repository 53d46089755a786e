import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Arrived } from "./inspect.ts";

/** What the mock does with one request. `request` is whole; the answer is the caller's to write. */
export type Part = (request: Arrived, response: ServerResponse) => void;

/** A call the mock was given. */
export interface Call {
  readonly request: Arrived;
  /** Resolves when its connection has ended before the answer was complete. */
  readonly left: Promise<void>;
}

/** A vendor on a loopback socket. It plays one part at a time; without one it refuses. */
export interface MockVendor {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Takes a part and forgets the calls of the one before. */
  play(part: Part): void;
  readonly calls: readonly Call[];
  /** The first call of this part, now or when it comes. */
  readonly called: Promise<Call>;
  close(): void;
}

export async function startVendor(): Promise<MockVendor> {
  let part: Part = refuse;
  let calls: Call[] = [];
  let first = deferred<Call>();
  const server = createServer((incoming, response) => {
    const left = goneEarly(response);
    void bodyOf(incoming).then((body) => {
      const { method = "", url = "", headers } = incoming;
      const call = { request: { method, url, headers, body }, left };
      calls.push(call);
      first.resolve(call);
      part(call.request, response);
    }, ignored);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play(next) {
      part = next;
      calls = [];
      first = deferred();
    },
    get calls() {
      return calls;
    },
    get called() {
      return first.promise;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Answers with JSON. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

const refuse: Part = (_, response) => answerJson(response, 500, { error: { message: "Nobody is expected here." } });

const goneEarly = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    response.once("close", () => {
      if (!response.writableFinished) resolve();
    });
  });

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** A request that breaks off is one nobody asked. */
function ignored(): void {}

function deferred<Value>(): { readonly promise: Promise<Value>; readonly resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = ignored;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
