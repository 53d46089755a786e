import { begunBy } from "../endpoint-of.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { TalkEndpoint } from "../model/socket.ts";
import { refusedByNow } from "./attempt/refused-by-now.ts";
import type { ExchangeState } from "./exchange-state.ts";
import { responseHeaders } from "./reply/response-headers.ts";
import type { ClientConnection, Road } from "./road.ts";

/** 101 Switching Protocols. */
const switching = 101;

/** Lets a client talk to the gateway itself, until its socket is closed. */
export async function talked(
  road: Road,
  exchange: ExchangeState,
  endpoint: TalkEndpoint,
  client: ClientConnection,
): Promise<void> {
  const talk = await begunBy(endpoint, exchange, road.settings);
  if (!client.takeOver) throw new GatewayError("internal", "A talk has no client that asked for one.");
  exchange.cancellation.check();
  exchange.status = switching;
  const headers = responseHeaders(exchange, road.settings.headerPrefixes, {});
  try {
    exchange.ending = await talk.carry(client.takeOver(headers), {
      onLeaving: (listener) => road.leaving.add(listener),
      refused: () => refusedByNow(road, exchange),
    });
  } catch (error) {
    road.log.error("a socket broke off", { request: exchange.id, error });
    exchange.ending = "error";
    client.destroy();
  }
}
