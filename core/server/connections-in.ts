import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { answerClientError, answerFault, faultOf } from "./client-error.ts";
import { askIfGone } from "./half-closed.ts";
import { Http2Connections, type Http2Settings, type PrefaceError } from "./http2-connections.ts";
import { isForWebSocket, responseFor, withoutOffer } from "./upgrade.ts";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The connections of clients, and what is being answered on them. */
export class ConnectionsIn {
  /** Who answers from the next request on. */
  handler: Handler;
  /** Connections close when their request is answered. */
  stopping = false;
  /** All that are open. */
  readonly #answering = new Map<Duplex, Answering>();
  /** Those that node has let go of: they are nobody's but ours. */
  readonly #upgraded = new Set<Duplex>();
  readonly #http2: Http2Connections;

  constructor(first: Handler, settings: Http2Settings) {
    this.handler = first;
    this.#http2 = new Http2Connections(settings, (request, response) => {
      const fault = faultOf(request);
      if (fault) answerFault(fault, response);
      else this.handler(request, response);
    });
  }

  readonly arrived: Handler = (request, response) => {
    const { socket } = request;
    const answering = this.#answering.get(socket);
    if (answering?.isBusy) endWith(socket, response);
    answering?.begin(response);
    const fault = faultOf(request);
    if (fault) return answerFault(fault, response);
    if (this.stopping) response.setHeader("connection", "close");
    this.handler(request, response);
  };

  /** Follows what becomes of the connections of a server. */
  watch(server: Server, isSecure: boolean): void {
    // A client that waits to be asked for its body is asked by whoever reads it.
    server.on("checkContinue", this.arrived);
    // What else a client expects may be left unmet, and node would refuse it without a word.
    server.on("checkExpectation", this.arrived);
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(server, request, socket, head),
    );
    const connection = isSecure ? "secureConnection" : "connection";
    server.on(connection, (socket: Socket) => this.#opened(socket));
    if (isSecure) this.#divide(server);
    server.on("clientError", (error: PrefaceError, socket) => this.#failed(error, socket));
    // Node takes an answer for gone that is only handed over, and would cut it off while its last bytes are under way.
    const closeIdleConnections = (): void => {
      for (const { response } of this.#answering.values()) {
        if (!response?.writableEnded || response.closed || response.destroyed) continue;
        return void response.once("close", closeIdleConnections);
      }
      Server.prototype.closeIdleConnections.call(server);
    };
    Object.assign(server, { closeIdleConnections });
  }

  /** Connections that are not idle for node, but have to end when no more requests are taken. */
  stop(): void {
    this.stopping = true;
    this.#http2.stop();
  }

  /** Those that node's own server does not know. */
  destroy(): void {
    for (const socket of this.#upgraded) socket.destroy();
    this.#http2.destroy();
  }

  /** What a client speaks was settled with TLS. */
  #divide(server: Server): void {
    const [http1] = server.listeners("secureConnection") as [(socket: Socket) => void];
    server.off("secureConnection", http1);
    server.prependListener("secureConnection", (socket: TLSSocket) => {
      if (socket.alpnProtocol === "h2") this.#http2.take(socket);
      else http1.call(server, socket);
    });
  }

  #upgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // An answer is under way, and this one would go in between.
    if (this.#answering.get(socket)?.isBusy) return void socket.destroy();
    if (!isForWebSocket(request)) return withoutOffer(server, request, socket, head);
    this.#upgraded.add(socket);
    socket.once("close", () => this.#upgraded.delete(socket));
    this.handler(request, responseFor(request, socket, head));
  }

  #opened(socket: Socket): void {
    if (this.#answering.has(socket) || this.#http2.has(socket)) return;
    // Those above TLS are made to end when the other side does, which is right for as long as there is no handshake.
    socket.allowHalfOpen = true;
    const answering = new Answering();
    this.#answering.set(socket, answering);
    socket.on("end", () => {
      if (answering.response) askIfGone(socket, answering.response);
    });
    socket.on("close", () => this.#answering.delete(socket));
  }

  #failed(error: PrefaceError, socket: Duplex): void {
    // The parser of HTTP/1.1 has no more to say about it.
    if (this.#http2.has(socket)) return;
    if (!this.#answering.get(socket)?.isBusy && this.#http2.takeOver(socket as Socket, error)) return;
    // Whoever does not speak TLS with us could not read an answer.
    if (/^ERR_(?:SSL|TLS)_/.test(error.code ?? "")) socket.destroy();
    // What comes behind the last request there is to be is for nobody; that one is answered (RFC 9112, section 9.6).
    else if (error.code === "HPE_CLOSED_CONNECTION") return;
    // In the middle of an answer there is no place for another one.
    else if (this.#answering.get(socket)?.isBusy) socket.destroy();
    else answerClientError(error, socket);
  }
}

/**
 * What is being answered on a connection. It is let go of at its end: connections that wait for another request would keep
 * all of the last one, its body included.
 */
class Answering {
  /** The last one that began, as long as it is not over. */
  response: ServerResponse | undefined;

  /** Whether an answer is under way. */
  get isBusy(): boolean {
    return this.response !== undefined && !this.response.writableFinished;
  }

  begin(response: ServerResponse): void {
    this.response = response;
    response.on("close", this.#over);
  }

  readonly #over = (): void => {
    if (this.response?.closed) this.response = undefined;
  };
}

/**
 * Node closes only the response whose turn it is: one that waits behind another has to be told. Its turn may have come
 * meanwhile: told twice, it would be counted twice.
 */
function endWith(socket: Socket, response: ServerResponse): void {
  const end = () => {
    if (response.closed || response.destroyed || response.socket || response.writableFinished) return;
    response.destroy();
    response.emit("close");
  };
  socket.once("close", end);
  response.once("close", () => socket.off("close", end));
}
