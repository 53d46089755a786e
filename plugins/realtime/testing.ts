import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect as connectTcp } from "node:net";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import { type ClientOptions, WebSocket, WebSocketServer } from "ws";
import { certified } from "../../test/support/certificates.ts";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { startTestGateway } from "../../test/support/gateway.ts";
import { supportPlugin } from "../../test/support/management.ts";

/** A socket with everything that came on it. */
export interface End {
  readonly socket: WebSocket;
  /** The next frame: a text, or bytes. */
  next(): Promise<string | Buffer>;
  /** The same as JSON. */
  event(): Promise<Record<string, unknown>>;
  send(frame: object | string | Buffer): void;
  /** How it was closed. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

export interface VendorEnd extends End {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** Keeps what comes until somebody asks for it. */
function waiting<Value>() {
  const come: Value[] = [];
  const asking: ((value: Value) => void)[] = [];
  return {
    put(value: Value) {
      const ask = asking.shift();
      if (ask) ask(value);
      else come.push(value);
    },
    next: (): Promise<Value> =>
      new Promise((resolve) => {
        if (come.length > 0) resolve(come.shift() as Value);
        else asking.push(resolve);
      }),
  };
}

export function endOf(socket: WebSocket): End {
  const frames = waiting<string | Buffer>();
  socket.on("message", (data: Buffer, isBinary) => frames.put(isBinary ? data : data.toString()));
  socket.on("error", () => undefined);
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  return {
    socket,
    closed,
    next: frames.next,
    event: async () => JSON.parse(String(await frames.next())),
    send: (frame) => socket.send(typeof frame === "object" && !Buffer.isBuffer(frame) ? JSON.stringify(frame) : frame),
  };
}

/** A vendor with sockets. `handle` may treat a handshake in another way than opening it. */
export async function startVendor(handle?: (request: IncomingMessage, socket: Duplex) => boolean, secure = false) {
  const server = secure ? createSecureServer(certified) : createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const ends = waiting<VendorEnd>();
  const asked: IncomingMessage[] = [];
  const open = new Set<Duplex>();
  server.on("upgrade", (request, socket, head) => {
    asked.push(request);
    open.add(socket);
    if (handle?.(request, socket)) return;
    sockets.handleUpgrade(request, socket, head, (accepted) =>
      ends.put({ ...endOf(accepted), url: request.url ?? "", headers: request.headers }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `${secure ? "https" : "http"}://127.0.0.1:${port}/v1`, port, asked, next: ends.next };
}

export type Vendor = Awaited<ReturnType<typeof startVendor>>;

/** A gateway before a vendor with sockets, `oai`, and one without any, `claude`. */
export async function startRealtime(
  vendor: Pick<Vendor, "url">,
  plugins: Record<string, unknown> = {},
  more: { readonly providers?: object; readonly server?: object; readonly variables?: Record<string, string> } = {},
) {
  const folder = folderOfFile();
  const gateway = await startTestGateway(
    JSON.stringify({
      ...(more.server && { server: more.server }),
      plugins: {
        ...("auth-keys" in plugins ? {} : { principal: supportPlugin(folder, "principal") }),
        routing: { configs: { saved: { provider: "@oai" } } },
        "strategy-fallback": {},
        "format-openai-chat": {},
        "format-anthropic-messages": {},
        realtime: {},
        ...plugins,
      },
      providers: {
        oai: { use: "openai", apiKey: "sk-of-the-vendor", baseUrl: vendor.url },
        claude: { use: "anthropic", apiKey: "sk-of-another" },
        ...more.providers,
      },
    }),
    { TRUSTED_CUSTOM_HOSTS: "127.0.0.1", ...more.variables },
    folder,
  );
  return gateway;
}

export const somebody = { "x-test-principal": JSON.stringify({ id: "K1" }) };

export interface Dialled {
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly protocols?: string[];
  readonly options?: ClientOptions;
}

/** A client's socket, which may be refused. */
export const dial = (
  gateway: { readonly url: string },
  { query = "model=@oai/gpt-realtime", headers = somebody, protocols = [], options = {} }: Dialled = {},
): WebSocket =>
  new WebSocket(`${gateway.url.replace("http", "ws")}/v1/realtime?${query}`, protocols, { headers, ...options });

/** A client's socket that opens. Nothing that came with the answer is lost. */
export async function connect(gateway: { readonly url: string }, dialled: Dialled = {}): Promise<End & Answered> {
  const socket = dial(gateway, dialled);
  const end = endOf(socket);
  let headers: IncomingHttpHeaders = {};
  socket.once("upgrade", (answer) => {
    headers = answer.headers;
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  return { ...end, headers };
}

interface Answered {
  readonly headers: IncomingHttpHeaders;
}

/** What a handshake that is refused is answered with. */
export function refusal(
  gateway: { readonly url: string },
  dialled: Dialled = {},
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }> {
  const socket = dial(gateway, dialled);
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.once("open", () => reject(new Error("It was not refused.")));
    socket.once("unexpected-response", (_, answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(pieces).toString() }),
      );
    });
  });
}

/** Both ends of a conversation that is open. */
export async function converse(gateway: { readonly url: string }, vendor: Vendor, dialled: Dialled = {}) {
  const [client, server] = await Promise.all([connect(gateway, dialled), vendor.next()]);
  return { client, server };
}

/** What is answered to a request as it is written here, up to the end of the connection. */
export function raw(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body = "",
): Promise<string> {
  const socket = connectTcp(port, "127.0.0.1");
  const lines = Object.entries({ host: "x", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (piece) => {
      text += piece;
    });
    socket.on("close", () => resolve(text));
  });
}
