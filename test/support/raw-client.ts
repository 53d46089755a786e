import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A client that says exactly what it is told to, however wrong. */
export interface RawClient {
  readonly socket: Socket;
  send(text: string | Buffer): void;
  /** Everything that came so far. */
  readonly received: string;
  /** Resolves with everything so far once it contains the text or matches; rejects when the connection ends before. */
  until(wanted: string | RegExp): Promise<string>;
  /** Resolves with everything that came, when the other side has ended the connection. */
  readonly ended: Promise<string>;
  /** Goes away without a word: the connection is reset. */
  reset(): void;
}

export async function connectTo(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
  await once(socket, "connect");
  const pieces: Buffer[] = [];
  const received = () => Buffer.concat(pieces).toString();
  let over = false;
  socket.on("data", (bytes) => pieces.push(bytes));
  const ended = new Promise<string>((resolve) => {
    const end = () => {
      over = true;
      resolve(received());
    };
    socket.on("end", end);
    socket.on("close", end);
    // A connection may be cut: whoever asks for its end learns what came before.
    socket.on("error", () => undefined);
  });
  return {
    socket,
    send: (text) => void socket.write(text),
    get received() {
      return received();
    },
    until(wanted) {
      const found = () => (typeof wanted === "string" ? received().includes(wanted) : wanted.test(received()));
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!found()) return;
          socket.off("data", look);
          resolve(received());
        };
        socket.on("data", look);
        void ended.then((all) => reject(new Error(`ended without ${wanted}, after: ${all}`)));
        look();
        if (over && !found()) reject(new Error(`ended without ${wanted}, after: ${received()}`));
      });
    },
    ended,
    reset: () => void socket.resetAndDestroy(),
  };
}

export const question = (model: string, more: object = {}): string =>
  JSON.stringify({ model, messages: [{ role: "user", content: "Hello there" }], max_tokens: 99, ...more });

/** A request as it goes over the wire. Header names are written as given; a length is added unless there is one. */
export function rawRequest(body: string, headers: Record<string, string> = {}, path = "/v1/chat/completions"): string {
  const all = { host: "localhost", "content-type": "application/json", ...headers };
  const length = "transfer-encoding" in headers ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...length, ...all }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
