import { createServer, type IncomingMessage, Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { gatewayErrorBody } from "../../errors/error-body.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { TlsSettings } from "../../model/tls.ts";
import type { Logger } from "../../plugin.ts";
import { askIfGone } from "./half-closed.ts";
import { secureServer } from "./secure-server.ts";
import { isForWebSocket, responseFor, withoutOffer } from "./upgrade.ts";

export interface ListenerSettings {
  readonly host: string;
  readonly port: number;
  /** Plain HTTP without it. */
  readonly tls?: TlsSettings | undefined;
  readonly headerBytes: number;
  /** Milliseconds an idle client connection stays open. */
  readonly keepAliveTimeout: number;
  /** Milliseconds for the headers of a request to arrive. */
  readonly headersTimeout: number;
  readonly log: Pick<Logger, "debug">;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The one listening socket of a process. Who answers can be exchanged while connections stay open. */
export interface Listener {
  readonly port: number;
  /** From the next request on, `handler` answers. */
  use(handler: Handler): void;
  /** From the next connection on, another certificate is shown and asked for; a listener of plain HTTP does neither. */
  renew(tls: TlsSettings): void;
  /** Stops accepting; connections close when their request is answered. */
  stopAccepting(): void;
  /** Ends every connection that is still open. */
  destroy(): void;
  readonly closed: Promise<void>;
}

export async function listen(settings: ListenerSettings, first: Handler): Promise<Listener> {
  let handler = first;
  let stopping = false;
  /** The last response of a connection: what a connection is busy with, as long as it is not finished. */
  const responses = new Map<Duplex, ServerResponse>();
  const arrived: Handler = (request, response) => {
    const { socket } = request;
    const before = responses.get(socket);
    if (before && !before.writableFinished) endWith(socket, response);
    responses.set(socket, response);
    if (stopping) response.setHeader("connection", "close");
    handler(request, response);
  };
  const { tls } = settings;
  const options = {
    maxHeaderSize: settings.headerBytes,
    keepAliveTimeout: settings.keepAliveTimeout,
    headersTimeout: settings.headersTimeout,
    connectionsCheckingInterval: Math.min(settings.headersTimeout, 30_000),
    // Bodies have a clock of their own, which knows when a body is wanted at all.
    requestTimeout: 0,
    noDelay: true,
  };
  const handshakeTimeout = settings.headersTimeout;
  const secure = tls && secureServer({ ...options, handshakeTimeout }, tls, arrived, settings.log);
  const server = secure?.server ?? createServer(options, arrived);
  // A client that waits to be asked for its body is asked by whoever reads it.
  server.on("checkContinue", arrived);
  // A client may say all it has to say and then only listen: node knows how, if told so by this name.
  if (!secure) Object.assign(server, { httpAllowHalfOpen: true });
  /** Connections that node has let go of: they are nobody's but ours. */
  const upgraded = new Set<Duplex>();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const before = responses.get(socket);
    // An answer is under way, and this one would go in between.
    if (before && !before.writableFinished) return void socket.destroy();
    responses.delete(socket);
    if (!isForWebSocket(request)) return withoutOffer(server, request, socket, head);
    upgraded.add(socket);
    socket.once("close", () => upgraded.delete(socket));
    handler(request, responseFor(request, socket, head));
  });
  const seen = new WeakSet<Socket>();
  server.on(secure ? "secureConnection" : "connection", (socket: Socket) => {
    if (seen.has(socket)) return;
    seen.add(socket);
    socket.on("end", () => {
      const response = responses.get(socket);
      if (response) askIfGone(socket, response);
    });
    socket.on("close", () => responses.delete(socket));
  });
  server.on("clientError", (error: Error & { code?: string }, socket) => {
    const response = responses.get(socket);
    // Whoever does not speak TLS with us could not read an answer.
    if (/^ERR_(?:SSL|TLS)_/.test(error.code ?? "")) return void socket.destroy();
    // In the middle of an answer there is no place for another one.
    if (response && !response.writableFinished) socket.destroy();
    else answerClientError(error, socket);
  });
  // Node takes an answer for gone that is only handed over, and would cut it off while its last bytes are under way.
  const closeIdleConnections = () => {
    for (const response of responses.values()) {
      if (!response.writableEnded || response.closed || response.destroyed) continue;
      return void response.once("close", closeIdleConnections);
    }
    Server.prototype.closeIdleConnections.call(server);
  };
  Object.assign(server, { closeIdleConnections });
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, settings.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    use(next) {
      handler = next;
    },
    renew(next) {
      secure?.renew(next);
    },
    stopAccepting() {
      stopping = true;
      // Closes idle connections, too.
      server.close();
    },
    destroy() {
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
      secure?.destroy();
    },
    closed,
  };
}

/** Node closes only the response whose turn it is: one that waits behind another has to be told. */
function endWith(socket: Socket, response: ServerResponse): void {
  const end = () => {
    if (response.closed || response.destroyed) return;
    response.destroy();
    response.emit("close");
  };
  socket.once("close", end);
  response.once("close", () => socket.off("close", end));
}

const clientErrors: Readonly<Record<string, GatewayError>> = {
  HPE_HEADER_OVERFLOW: new GatewayError(
    "headers_too_large",
    "The request headers are too large (server.limits.headerBytes).",
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new GatewayError("body_timeout", "The request did not arrive in time."),
};
/** Milliseconds a client has to read such an answer and to close: ending both directions at once could take it away. */
const lingering = 1_000;

const malformed = new GatewayError("invalid_request", "The request is not valid HTTP.");

/** What did not even parse is answered too, and then the connection ends. */
function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const known = clientErrors[error.code ?? ""] ?? malformed;
  const body = JSON.stringify(gatewayErrorBody(known));
  const timer = setTimeout(() => socket.destroy(), lingering);
  socket.once("close", () => clearTimeout(timer));
  socket.end(
    `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
