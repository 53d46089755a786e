import type { Outcome } from "../model/route.ts";

/** How an answer looks to a route. */
export const outcomeOf = (
  status: number,
  headers: Outcome["headers"] = {},
  more: Partial<Pick<Outcome, "code" | "reason" | "exception" | "given">> = {},
): Outcome => ({ status, ok: status >= 200 && status < 300, headers, exception: false, ...more });
