import type { Exchange } from "../model/exchange.ts";
import type { GatewayRequest } from "../model/request.ts";
import { serviceToken } from "../service-token.ts";
import type { Claim, Claimed, CountersService } from "./counters.ts";

/** The rates a request meets, for whoever is asked before them and has something to claim of the same counters. */
export interface RatesService {
  /**
   * What they would claim next, at once: undefined where that is nothing, or is not known without waiting. Who takes it along
   * calls one of the two where the store has granted all of it; where it has not, rates claim by themselves when they are asked.
   */
  along(phase: "admission" | "target", exchange: Exchange, request?: GatewayRequest): AlongClaims | undefined;
}

export interface AlongClaims {
  /** In the group of the request. */
  readonly claims: readonly Claim[];
  /** The request goes on, and has taken them: they are not claimed again. */
  granted(claimed: Extract<Claimed, { granted: true }>, by: CountersService): void;
  /** It does not, or not yet. Never rejects with a `CountersError`. */
  giveBack(claimedAt: number, by: CountersService): Promise<void>;
}

/** Rates of requests and tokens, so that a shared store is asked once for them and for budgets. */
export const Rates = serviceToken<RatesService>("rates");
