import { GatewayError } from "../errors/gateway-error.ts";
import type { Exchange } from "../model/exchange.ts";

/**
 * Whether a branch has lost its race, or its client: whoever started it is counted without it, so that nobody would settle
 * what it holds from now on.
 */
export const isGivenUp = (exchange: Pick<Exchange, "trunk" | "signal">): boolean =>
  exchange.trunk !== undefined && exchange.signal.aborted;

/** Calls `then` when a branch that was let through loses its race, or its client: what it holds is nobody's then. */
export function whenGivenUp(exchange: Pick<Exchange, "trunk" | "signal">, then: () => void): void {
  // Most requests are no branches, and a signal is not made before somebody asks for it.
  if (exchange.trunk !== undefined) exchange.signal.addEventListener("abort", then, { once: true });
}

/** Calls `then` when a branch that was let through comes to nothing, and others go on: nothing more is to come of it. */
export function whenFailed(exchange: Pick<Exchange, "trunk" | "whenFailed">, then: () => void): void {
  if (exchange.trunk === undefined) return;
  exchange.whenFailed ??= [];
  exchange.whenFailed.push(then);
}

/** What such a branch ends with: nothing is made for it. */
export function refuseGivenUp(): never {
  throw new GatewayError("client_gone", "Nobody waits for this target any more.");
}
