import {
  type BrowserWords,
  type ClientSockets,
  clientSockets,
  definePlugin,
  type Exchange,
  headersFrom,
  keptBy,
  refuseMalformed,
  type Talk,
} from "../../core/index.ts";
import { Memory } from "./memory.ts";
import { socketOptions } from "./options.ts";
import { SocketTalk } from "./socket-talk.ts";
import { Turns } from "./turns.ts";

/** How browsers say what they cannot say in headers, by the SDK of the vendor (operations.md section 12). */
const words: BrowserWords = { key: "openai-insecure-api-key.", beta: "openai-beta" };

export default definePlugin({
  name: "responses-socket",
  summary: "The Responses API by websocket, at every provider: each turn is a request like one by POST.",
  options: socketOptions,
  setup({ endpoint, own, providers, formats, log }, options) {
    const isKept = keptBy(providers);
    let clients: Promise<ClientSockets> | undefined;
    const talkOf = (sockets: ClientSockets, { headers, url }: Exchange): Talk => ({
      async carry(upgrade, session) {
        const client = sockets.accept(upgrade);
        if (!client) return "client-gone";
        const turns = new Turns({ own, url, headers, formats, memory: new Memory(options.memoryBytes), ...options });
        return new SocketTalk({ client, session, turns, options, log }).run();
      },
    });
    endpoint({
      type: "responsesSocket",
      method: "GET",
      path: "/v1/responses",
      description: {
        tag: "responses",
        summary: "Opens a websocket on which responses are asked for, one after another (an upgrade, answered 101).",
      },
      talk: {
        headers: (headers, prefix) => headersFrom(headers, prefix, words, isKept),
        async begin(exchange) {
          refuseMalformed(exchange);
          clients ??= clientSockets(options.messageBytes, words);
          return talkOf(await clients, exchange);
        },
      },
    });
  },
});
