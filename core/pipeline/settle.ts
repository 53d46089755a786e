import type { ExchangeState } from "./exchange-state.ts";
import { ringAll } from "./ring.ts";
import type { Road } from "./road.ts";

/** After the client has its answer: price, settle, record. A failure here is the log's business only. */
export async function settle(road: Road, exchange: ExchangeState): Promise<void> {
  if (!road.used.cost) return;
  try {
    await ringAll(road.hooks.cost, exchange);
  } catch (error) {
    road.log.error("cost hook failed", { request: exchange.id, error });
  }
}
