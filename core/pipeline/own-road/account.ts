import { GatewayError } from "../../errors/gateway-error.ts";
import type { Attempt } from "../../model/attempt.ts";
import { completed } from "../attempt/attempt.ts";
import { outcomeOf } from "../reply/outcome.ts";
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
  const route = await selectRoute(road, exchange);
  const step = nextOf(route);
  leave(route);
  if (step.done) throw new GatewayError("provider_missing", "The route named no target.");
  const { pending } = step.value.provider;
  const target = pending ? await completed(step.value, pending) : step.value;
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
