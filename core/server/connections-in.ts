import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { answerClientError } from "./client-error.ts";
import { askIfGone } from "./half-closed.ts";
import { isForWebSocket, responseFor, withoutOffer } from "./upgrade.ts";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The connections of clients, and what is being answered on them. */
export class ConnectionsIn {
  /** Who answers from the next request on. */
  handler: Handler;
  /** Connections close when their request is answered. */
  stopping = false;
  /** The last response of a connection: what a connection is busy with, as long as it is not finished. */
  readonly #responses = new Map<Duplex, ServerResponse>();
  /** Those that node has let go of: they are nobody's but ours. */
  readonly #upgraded = new Set<Duplex>();
  readonly #seen = new WeakSet<Socket>();

  constructor(first: Handler) {
    this.handler = first;
  }

  readonly arrived: Handler = (request, response) => {
    const { socket } = request;
    const before = this.#responses.get(socket);
    if (before && !before.writableFinished) endWith(socket, response);
    this.#responses.set(socket, response);
    if (this.stopping) response.setHeader("connection", "close");
    this.handler(request, response);
  };

  /** Follows what becomes of the connections of a server. */
  watch(server: Server, isSecure: boolean): void {
    // A client that waits to be asked for its body is asked by whoever reads it.
    server.on("checkContinue", this.arrived);
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(server, request, socket, head),
    );
    server.on(isSecure ? "secureConnection" : "connection", (socket: Socket) => this.#opened(socket));
    server.on("clientError", (error: Error & { code?: string }, socket) => this.#failed(error, socket));
    // Node takes an answer for gone that is only handed over, and would cut it off while its last bytes are under way.
    const closeIdleConnections = (): void => {
      for (const response of this.#responses.values()) {
        if (!response.writableEnded || response.closed || response.destroyed) continue;
        return void response.once("close", closeIdleConnections);
      }
      Server.prototype.closeIdleConnections.call(server);
    };
    Object.assign(server, { closeIdleConnections });
  }

  destroyUpgraded(): void {
    for (const socket of this.#upgraded) socket.destroy();
  }

  #upgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const before = this.#responses.get(socket);
    // An answer is under way, and this one would go in between.
    if (before && !before.writableFinished) return void socket.destroy();
    this.#responses.delete(socket);
    if (!isForWebSocket(request)) return withoutOffer(server, request, socket, head);
    this.#upgraded.add(socket);
    socket.once("close", () => this.#upgraded.delete(socket));
    this.handler(request, responseFor(request, socket, head));
  }

  #opened(socket: Socket): void {
    if (this.#seen.has(socket)) return;
    this.#seen.add(socket);
    socket.on("end", () => {
      const response = this.#responses.get(socket);
      if (response) askIfGone(socket, response);
    });
    socket.on("close", () => this.#responses.delete(socket));
  }

  #failed(error: Error & { code?: string }, socket: Duplex): void {
    const response = this.#responses.get(socket);
    // Whoever does not speak TLS with us could not read an answer.
    if (/^ERR_(?:SSL|TLS)_/.test(error.code ?? "")) socket.destroy();
    // In the middle of an answer there is no place for another one.
    else if (response && !response.writableFinished) socket.destroy();
    else answerClientError(error, socket);
  }
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
