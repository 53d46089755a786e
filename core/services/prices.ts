import type { Attempt } from "../model/attempt.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Cost, Usage } from "../model/usage.ts";
import { serviceToken } from "../service-token.ts";

/** What calls cost (policies.md section 9). Nothing here waits: what it needs is at hand, or it is not known. */
export interface PricesService {
  /** What a call of this usage costs at this target; without `amount` where it has no price. */
  costOf(call: PricedCall, usage: Usage): Cost;
  /** What a call costs whatever it used; undefined where that depends on it, absent where no price is of that kind. */
  flat?(exchange: Exchange, attempt: PricedCall["attempt"]): Cost | undefined;
  /** What a call costs that somebody else made of a vendor, by its name; absent where nobody knows vendors' prices. */
  costElsewhere?(exchange: Exchange, vendor: string, model: string, usage: Usage): Cost;
  /** Resolves when all prices are at hand; undefined, or absent, where they are. */
  ready?(): Promise<void> | undefined;
}

/** A call as far as its price goes. */
export interface PricedCall {
  readonly exchange: Exchange;
  readonly attempt: Pick<Attempt, "target" | "asked">;
  /** Part of a provider's batch job. */
  readonly batch?: boolean;
  /** How many calls the usage is of; one unless said otherwise. Prices by length of prompt go by their average. */
  readonly calls?: number;
}

export const Prices = serviceToken<PricesService>("prices");
