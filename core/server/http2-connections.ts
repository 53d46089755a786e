import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { timerFor } from "../time/longest-timer.ts";
import { asIncomingMessage, asServerResponse } from "./http2-messages.ts";

/** What a client says first (RFC 9113 section 3.4). */
const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** Requests that may be under way on a connection. */
const mostAtOnce = 256;
/** Bytes of a body that a client may send before it is told that they were read, and of all bodies of a connection. */
const window = 1024 * 1024;
const windowOfAll = 8 * window;
/** Megabytes that a connection may hold of what its client has not read. */
const mostHeld = 64;

export interface Http2Settings {
  readonly headerBytes: number;
  /** Milliseconds a connection stays open on which nothing is asked, and one that a client does not close; 0 is for ever. */
  readonly keepAliveTimeout: number;
}

/** What node's parser of HTTP/1.1 says of the first bytes of HTTP/2. */
export interface PrefaceError extends Error {
  readonly code?: string;
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

/**
 * Clients that speak HTTP/2 and nothing else, on the port of those that speak HTTP/1.1: some SDKs do by themselves. Who speaks
 * both is answered in HTTP/1.1, which takes half of the time, and whose connections go to all workers (decision 0072).
 */
export class Http2Connections {
  readonly #server: Http2Server;
  readonly #settings: Http2Settings;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new WeakSet<object>();
  #stopping = false;

  constructor(settings: Http2Settings, arrived: (request: IncomingMessage, response: ServerResponse) => void) {
    this.#settings = settings;
    this.#server = createServer({
      maxSessionMemory: mostHeld,
      settings: {
        maxConcurrentStreams: mostAtOnce,
        initialWindowSize: window,
        maxHeaderListSize: settings.headerBytes,
      },
    });
    const answer = (request: Http2ServerRequest, response: Http2ServerResponse) =>
      arrived(asIncomingMessage(request), asServerResponse(response));
    for (const event of ["request", "checkContinue", "checkExpectation"]) this.#server.on(event, answer);
    this.#server.on("session", (session) => this.#began(session));
  }

  /** Whether a connection is one of these. */
  has(socket: object): boolean {
    return this.#sockets.has(socket);
  }

  /** Goes on with a connection on which nothing was read. */
  take(socket: Socket): void {
    this.#sockets.add(socket);
    // Who ends one direction has nothing more to hear either.
    socket.allowHalfOpen = false;
    socket.once("finish", () => this.#awaitEnd(socket));
    this.#server.emit("connection", socket);
  }

  /** The same in the clear, once the parser of HTTP/1.1 has met the first bytes. Whether that is what it met. */
  takeOver(socket: Socket, { code, bytesParsed = 0, rawPacket }: PrefaceError): boolean {
    if (code !== "HPE_PAUSED_H2_UPGRADE" || !rawPacket) return false;
    // Over TLS it is agreed on, or not spoken (RFC 9113 section 3.2): node would say so in words of its own.
    if (socket instanceof TLSSocket) return false;
    const rest = rawPacket.subarray(bytesParsed);
    // There were requests in HTTP/1.1 before.
    if (socket.bytesRead !== preface.length + rest.length) return false;
    // What is left for "close" puts the parser away.
    for (const event of ofParser) socket.removeAllListeners(event);
    // A stream that flows gives to nobody what is put back; that of HTTP/2 looks for it in the next tick.
    socket.pause();
    socket.unshift(Buffer.concat([preface, rest]));
    this.take(socket);
    return true;
  }

  /** No more requests are taken; connections end when theirs are answered. */
  stop(): void {
    this.#stopping = true;
    for (const session of this.#sessions) session.close();
  }

  destroy(): void {
    for (const session of this.#sessions) session.destroy();
  }

  #began(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.once("close", () => this.#sessions.delete(session));
    session.setLocalWindowSize(windowOfAll);
    this.#endWhenIdle(session);
    if (this.#stopping) session.close();
  }

  /** Node waits for ever for the other side to close what has ended on this one. */
  #awaitEnd(socket: Socket): void {
    const { keepAliveTimeout } = this.#settings;
    if (socket.destroyed || keepAliveTimeout === 0) return;
    const timer = setTimeout(() => socket.destroy(), timerFor(keepAliveTimeout));
    socket.once("close", () => clearTimeout(timer));
  }

  #endWhenIdle(session: ServerHttp2Session): void {
    const { keepAliveTimeout } = this.#settings;
    let open = 0;
    /** Whether the clock ran out while something was under way: node does not start it again where that is only reset. */
    let isLate = false;
    session.on("stream", (stream) => {
      open++;
      stream.once("close", () => {
        open--;
        if (open > 0 || !isLate) return;
        isLate = false;
        if (!session.destroyed) session.setTimeout(keepAliveTimeout);
      });
    });
    session.setTimeout(keepAliveTimeout);
    session.on("timeout", () => {
      if (open === 0) session.close();
      else isLate = true;
    });
  }
}

/** What node listens for on a connection of HTTP/1.1. */
const ofParser = ["data", "end", "error", "timeout", "drain", "pause", "resume"];
