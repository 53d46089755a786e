import { GatewayError } from "../../errors/gateway-error.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { Target } from "../../model/route.ts";
import { completed } from "../attempt/attempt.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { outcomeOf } from "../reply/outcome.ts";
import type { Road } from "../road.ts";
import { settle } from "../settle.ts";
import { selectRoute } from "../travel.ts";
import { leave, nextOf } from "../walk/walk.ts";
import { ownExchange, type Places } from "./own-exchange.ts";
import type { Accounted, DoneWork } from "./own-road.ts";

/** Settles what a provider did in its own time: an attempt for each model, priced as part of a batch. */
export async function account(places: Places, work: DoneWork): Promise<Accounted> {
  const { road } = places;
  const { known } = work;
  const exchange = ownExchange(places, known?.method ?? "POST", work, known?.endpoint);
  exchange.role = "account";
  exchange.authenticatedAt = exchange.elapsed();
  const target = known ? await targetOf(known, road, exchange) : await chosen(road, exchange);
  for (const { model, usage, cost } of work.parts) {
    const record: Attempt = {
      target: model === undefined ? target : { ...target, model },
      startedAt: exchange.elapsed(),
      endedAt: exchange.elapsed(),
      outcome: outcomeOf(200),
      usage,
      batch: true,
      ...(cost && { cost }),
    };
    exchange.attempts.push(record);
    exchange.attempt = record;
  }
  exchange.status = 200;
  exchange.ending = "complete";
  exchange.endedAt = exchange.elapsed();
  await settle(road, exchange);
  const { cost } = exchange;
  return { provider: target.provider.name, ...(cost && { cost }) };
}

/** Whom the call asked, whatever theirs would; by which config those go, limits may ask. Where they would go nowhere by now, that is none. */
async function targetOf(
  { target }: NonNullable<DoneWork["known"]>,
  road: Road,
  exchange: ExchangeState,
): Promise<Target> {
  try {
    leave(await selectRoute(road, exchange));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
  return target;
}

/** The first target that requests of theirs would go to. */
async function chosen(road: Road, exchange: ExchangeState): Promise<Target> {
  const route = await selectRoute(road, exchange);
  const step = nextOf(route);
  leave(route);
  if (step.done) throw new GatewayError("provider_missing", "The route named no target.");
  const { pending } = step.value.provider;
  return pending ? completed(step.value, pending) : step.value;
}
