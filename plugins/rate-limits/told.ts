import type { Placed } from "./claims.ts";

/** How much is left of a rule, and of which one there is least. */
export interface Tightest {
  readonly place: Placed;
  readonly left: bigint;
  /** Of the whole limit, from 0 to 1. */
  readonly share: number;
}

export function tightestOf(places: readonly Placed[], totals: readonly bigint[]): Tightest | undefined {
  let tightest: Tightest | undefined;
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as Placed;
    const { limit } = place.rule;
    const over = limit - (totals[at] ?? 0n);
    const left = over > 0n ? over : 0n;
    const share = limit > 0n ? Number(left) / Number(limit) : 0;
    if (!tightest || share < tightest.share) tightest = { place, left, share };
  }
  return tightest;
}

/** The usual headers about it, by name without prefix (policies.md section 10.3); the reset is in seconds. */
export const headersOf = (
  { place, left }: Tightest,
  now: number,
  resetsAt = place.window.end,
): Record<string, string> => ({
  "ratelimit-limit": String(place.rule.limit),
  "ratelimit-remaining": String(left),
  "ratelimit-reset": String(Math.max(1, Math.ceil((resetsAt - now) / 1000))),
});
