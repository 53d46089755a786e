import type { WebSocket, WebSocketServer } from "ws";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Exchange } from "../model/exchange.ts";
import type { ClientUpgrade } from "../model/socket.ts";
import { saysTrue } from "../pipeline/request/says-true.ts";
import { type BrowserWords, echoing } from "./subprotocols.ts";

/** The library, loaded with the first socket: whoever has none does not pay for it. */
let library: Promise<typeof import("ws")> | undefined;
export const webSockets = (): Promise<typeof import("ws")> => {
  library ??= import("ws");
  return library;
};

/** A handshake that no socket can come of is refused like any request, before anybody is called for it. */
export function refuseMalformed(exchange: Exchange): void {
  const { headers } = exchange;
  if (saysTrue(exchange, "nitro-mode"))
    throw new GatewayError("invalid_request", "There is no nitro mode for websockets.", { param: "nitro-mode" });
  const version = headers["sec-websocket-version"];
  if (/^[+/0-9A-Za-z]{22}==$/.test(headers["sec-websocket-key"] ?? "") && (version === "13" || version === "8")) return;
  throw new GatewayError("invalid_request", "This is no handshake for a websocket of version 13 (RFC 6455).");
}

/** Takes clients in. Whoever sends a frame of more than so many bytes is closed with 1009. */
export async function clientSockets(messageBytes: number, words: BrowserWords): Promise<ClientSockets> {
  const { WebSocketServer } = await webSockets();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: messageBytes,
    perMessageDeflate: false,
    handleProtocols: echoing(words),
  });
  return { accept: (upgrade) => accepted(server, upgrade) };
}

export interface ClientSockets {
  /** The client's socket; undefined where it has gone meanwhile. It is answered at once, or not at all. */
  accept(upgrade: ClientUpgrade): WebSocket | undefined;
}

function accepted(server: WebSocketServer, { request, socket, head, headers }: ClientUpgrade): WebSocket | undefined {
  let client: WebSocket | undefined;
  server.once("headers", (lines) => {
    for (const [name, value] of Object.entries(headers))
      for (const one of [value].flat()) lines.push(`${name}: ${one}`);
  });
  server.handleUpgrade(request, socket, head, (accepted) => {
    client = accepted;
  });
  if (!client) server.removeAllListeners("headers");
  return client;
}
