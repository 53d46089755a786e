import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A connection on which a client asked for a websocket. */
export interface Upgrade {
  readonly socket: Duplex;
  /** What came after the request. */
  readonly head: Buffer;
  /** Stops looking whether the client is still there: whoever reads from now on sees it. */
  readonly unwatch: () => void;
}

/** The requests for a websocket that came with their connection. */
export const upgrades = new WeakMap<IncomingMessage, Upgrade>();

export const isForWebSocket = ({ headers, method }: IncomingMessage): boolean =>
  method === "GET" && headers.upgrade?.toLowerCase() === "websocket";

/**
 * A response for a client that asked for a websocket: to refuse it with, as any other request is refused. Node has let go
 * of the connection, so it ends with the response.
 */
export function responseFor(request: IncomingMessage, socket: Duplex, head: Buffer): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once("finish", () => (socket as Socket).destroySoon());
  socket.on("error", ignore);
  upgrades.set(request, { socket, head, unwatch: watchEnd(socket) });
  return response;
}

/** A client that stops sending before it has a socket wants none any more. What it has sent stays where it is. */
function watchEnd(socket: Duplex): () => void {
  const look = () => {
    // Asking for nothing brings the end to light, where there is nothing before it.
    if (socket.readableLength === 0) socket.read(0);
  };
  const ended = () => socket.destroy();
  socket.on("readable", look);
  socket.once("end", ended);
  return () => {
    socket.off("readable", look);
    socket.off("end", ended);
  };
}

/** What has to be said of a broken connection its "close" says. */
function ignore(): void {}

/**
 * Takes a request that offers to go on in another protocol (`h2c`) for what it is besides. Node asks on all of them once
 * somebody listens for any, and has let go of the connection: the request goes in anew, without the offer.
 */
export function withoutOffer(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const value = rawHeaders[at + 1] ?? "";
    const kept = kinds[name.toLowerCase()]?.(value) ?? value;
    if (kept !== "") text += `${name}: ${kept}\r\n`;
  }
  if (head.length > 0) socket.unshift(head);
  socket.unshift(Buffer.from(`${text}\r\n`, "latin1"));
  server.emit("connection", socket);
}

/** What is left of the headers that make the offer. */
const kinds: Readonly<Record<string, (value: string) => string>> = {
  upgrade: () => "",
  "http2-settings": () => "",
  connection: (value) =>
    value
      .split(",")
      .map((option) => option.trim())
      .filter((option) => !/^(?:upgrade|http2-settings)$/i.test(option))
      .join(", "),
};
