import type { Attempt, Exchange } from "../model/exchange.ts";
import type { Cost, Usage } from "../model/usage.ts";
import { serviceToken } from "../plugin.ts";

/** What calls cost (policies.md section 9). Nothing here waits: what it needs is at hand, or it is not known. */
export interface PricesService {
  /** What a call of this usage costs at this target; without `amount` where it has no price. */
  costOf(call: PricedCall, usage: Usage): Cost;
}

/** A call as far as its price goes. */
export interface PricedCall {
  readonly exchange: Exchange;
  readonly attempt: Pick<Attempt, "target" | "asked">;
  /** Part of a provider's batch job. */
  readonly batch?: boolean;
}

export const Prices = serviceToken<PricesService>("prices");
