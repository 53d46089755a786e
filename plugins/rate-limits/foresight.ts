import { type Exchange, type Foretold, foretell, groupOf, type SureCounters } from "../../core/index.ts";
import { lookAt, type Placed, placed, roomAgainAt } from "./claims.ts";
import { rateExceeded } from "./refusals.ts";
import { type RateRule, wordingOf } from "./rules.ts";

/** Tells which rates a request would meet and how much of each is used, and throws what it would be refused with. */
export async function foresee(
  exchange: Exchange,
  rules: readonly RateRule[],
  counters: SureCounters,
  sliding: boolean,
): Promise<void> {
  if (rules.length === 0) return;
  const now = counters.now();
  const group = groupOf(exchange);
  const places = rules.map((rule) => placed(rule, now));
  const looked = places.map((place) => lookAt(place, now, sliding));
  const { claimed, by } = await counters.claim(group, looked, rules);
  const told = places.map(async (place, at) => {
    const resetsAt = sliding ? await roomAgainAt(place, group, by) : place.window.end;
    return foretold(place, claimed.totals[at] ?? 0n, now, resetsAt);
  });
  foretell(exchange, await Promise.all(told));
}

function foretold(place: Placed, current: bigint, now: number, resetsAt: number): Foretold {
  const { rule } = place;
  const { limit, type, level, subject, policy } = rule;
  const full = type === "requests" ? current + 1n > limit : current >= limit;
  const counter = policy ? ` as ${policy.valueKey}` : "";
  const verdict = full ? "would be refused" : "lets it through";
  return {
    message: `rate limit of ${level} ${subject} (${wordingOf(rule)}): ${current} counted${counter}, ${verdict}`,
    refusal: full ? rateExceeded(place, current, now, resetsAt) : undefined,
  };
}
