import type { WebSocket, WebSocketServer } from "ws";
import {
  type ClientUpgrade,
  definePlugin,
  type Exchange,
  GatewayError,
  type OpenSocket,
  type SocketSession,
  saysTrue,
} from "../../core/index.ts";
import { Watcher } from "./events/watcher.ts";
import { type RealtimeOptions, realtimeOptions } from "./options.ts";
import { openUpstream, webSockets } from "./relay/open-upstream.ts";
import { Relay } from "./relay/relay.ts";
import { echoed, headersFrom } from "./subprotocols.ts";

export default definePlugin({
  name: "realtime",
  summary: "Carries realtime websockets between clients and providers, and records what they come to.",
  options: realtimeOptions,
  setup({ endpoint, providers }, options) {
    const isKept = (slug: string) => providers.configured(slug) !== undefined || !providers.knows(slug);
    let server: WebSocketServer | undefined;
    endpoint({
      type: "realtime",
      method: "GET",
      path: "/v1/realtime",
      socket: {
        headers: (headers, prefix) => headersFrom(headers, prefix, isKept),
        async open(call, exchange) {
          refuseMalformed(exchange);
          const { WebSocketServer } = await webSockets();
          server ??= new WebSocketServer({
            noServer: true,
            clientTracking: false,
            maxPayload: options.messageBytes,
            perMessageDeflate: false,
            handleProtocols: echoed,
          });
          return opened(server, await openUpstream(call, options), options);
        },
      },
    });
  },
});

/** A handshake that no socket can come of is refused like any request, before anybody is called for it. */
function refuseMalformed(exchange: Exchange): void {
  const { headers } = exchange;
  if (saysTrue(exchange, "nitro-mode"))
    throw new GatewayError("invalid_request", "There is no nitro mode for websockets.", { param: "nitro-mode" });
  const version = headers["sec-websocket-version"];
  if (/^[+/0-9A-Za-z]{22}==$/.test(headers["sec-websocket-key"] ?? "") && (version === "13" || version === "8")) return;
  throw new GatewayError("invalid_request", "This is no handshake for a websocket of version 13 (RFC 6455).");
}

function opened(server: WebSocketServer, upstream: WebSocket, options: RealtimeOptions): OpenSocket {
  return {
    abandon: () => upstream.terminate(),
    async carry(upgrade, session) {
      const client = accepted(server, upgrade);
      if (!client) {
        upstream.terminate();
        return "client-gone";
      }
      return new Relay({ client, upstream, session, watcher: watcherFor(session), options }).run();
    },
  };
}

const watcherFor = (session: SocketSession): Watcher | undefined =>
  session.watched ? new Watcher(session) : undefined;

/** The client's socket; undefined where it has gone meanwhile. It is answered at once, or not at all. */
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
