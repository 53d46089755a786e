import type { WebSocket } from "ws";
import {
  type BrowserWords,
  type ClientSockets,
  clientSockets,
  definePlugin,
  headersFrom,
  keptBy,
  type OpenSocket,
  refuseMalformed,
  type SocketSession,
} from "../../core/index.ts";
import { Watcher } from "./events/watcher.ts";
import { type RealtimeOptions, realtimeOptions } from "./options.ts";
import { openUpstream } from "./relay/open-upstream.ts";
import { Relay } from "./relay/relay.ts";

/** How browsers say what they cannot say in headers, by the SDK of the vendor (operations.md section 12). */
const words: BrowserWords = { key: "openai-insecure-api-key.", beta: "openai-beta" };

export default definePlugin({
  name: "realtime",
  summary: "Carries realtime websockets between clients and providers, and records what they come to.",
  options: realtimeOptions,
  setup({ endpoint, providers }, options) {
    const isKept = keptBy(providers);
    let clients: Promise<ClientSockets> | undefined;
    endpoint({
      type: "realtime",
      method: "GET",
      path: "/v1/realtime",
      socket: {
        headers: (headers, prefix) => headersFrom(headers, prefix, words, isKept),
        async open(call, exchange) {
          refuseMalformed(exchange);
          clients ??= clientSockets(options.messageBytes, words);
          return opened(await clients, await openUpstream(call, options), options);
        },
      },
    });
  },
});

function opened(clients: ClientSockets, upstream: WebSocket, options: RealtimeOptions): OpenSocket {
  return {
    abandon: () => upstream.terminate(),
    async carry(upgrade, session) {
      const client = clients.accept(upgrade);
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
