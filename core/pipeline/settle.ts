import type { ExchangeState } from "./exchange-state.ts";
import { ringAll } from "./ring.ts";
import type { Road } from "./road.ts";

/**
 * Reads off the attempts what they used. What is not readable is not known; that is not the client's problem. An answer
 * nobody was asked for has used nothing.
 */
export function readUsage(exchange: ExchangeState): void {
  for (const attempt of exchange.attempts) {
    if (attempt.usage || !attempt.readUsage) continue;
    try {
      const usage = attempt.readUsage();
      if (usage) attempt.usage = usage;
    } catch {
      // Unknown is not zero: the attempt stays without.
    }
  }
  const usage = exchange.attempt?.usage;
  if (usage) exchange.usage = usage;
}

/**
 * After the client has its answer: price, settle, record. A failure here is the log's business only. A promise only where
 * a tap takes time.
 */
export function settle(road: Road, exchange: ExchangeState): void | Promise<void> {
  const failed = (error: unknown) => road.log.error("cost hook failed", { request: exchange.id, error });
  try {
    if (!road.wants.cost(exchange)) return;
    if (road.readsUsage(exchange)) readUsage(exchange);
    const ringing = ringAll(road.hooks.cost, exchange);
    const settled = exchange.attempt?.settled;
    if (settled) return Promise.resolve(ringing).then(settled).catch(failed);
    if (ringing) return ringing.catch(failed);
  } catch (error) {
    failed(error);
  }
}
