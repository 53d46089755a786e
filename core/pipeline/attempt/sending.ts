import type { Repetition } from "../../hooks.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { ExchangeState } from "../exchange-state.ts";
import type { Road } from "../road.ts";

/** An attempt is sent now. From here on a retry is one, and counts, where that is not what the taps were asked about. */
export function sending({ hooks }: Road, exchange: ExchangeState, record: Attempt): void {
  if (record.sentAt !== undefined) return;
  record.sentAt = exchange.elapsed();
  if (!record.repeats) return;
  for (const { again } of hooks.beforeRequest.taps as readonly Repetition[]) again?.(exchange);
}
