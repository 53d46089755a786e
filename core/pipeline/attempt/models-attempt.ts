import type { Attempt } from "../../model/attempt.ts";
import type { BoundProvider } from "../../model/provider.ts";
import type { Target } from "../../model/route.ts";
import type { ExchangeState } from "../exchange-state.ts";
import type { Result } from "../reply/result.ts";
import type { Road } from "../road.ts";
import { askTaps } from "./ask-taps.ts";
import { refused, written } from "./procedure-attempt.ts";
import { ownUrl } from "./raw-attempt.ts";
import { VendorRefusal, vendorFor } from "./vendor.ts";

/** An attempt at a vendor's list of models that comes in pages: the client is given all of them. */
export async function modelsAttempt(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  record: Attempt,
  listModels: NonNullable<BoundProvider["listModels"]>,
): Promise<Result> {
  const given = await askTaps(road, exchange, target, record);
  if (given) return given;
  const query = Object.fromEntries(new URL(ownUrl(exchange), "http://gateway").searchParams);
  const { corrects } = exchange.endpoint;
  try {
    const wire = await listModels(query, vendorFor(road, exchange, target, record));
    return written(target, corrects?.(wire, target.provider.name, exchange) ?? wire);
  } catch (error) {
    if (error instanceof VendorRefusal) return refused(road, target, error);
    throw error;
  }
}
