import { type CountersService, type Exchange, type Foretold, foretell, groupOf } from "../../core/index.ts";
import { type Placed, placed } from "./claims.ts";
import { rateExceeded } from "./refusals.ts";
import { type RateRule, wordingOf } from "./rules.ts";

/** Tells which rates a request would meet and how much of each is used, and throws what it would be refused with. */
export async function foresee(
  exchange: Exchange,
  rules: readonly RateRule[],
  counters: CountersService,
): Promise<void> {
  if (rules.length === 0) return;
  const now = counters.now();
  const places = rules.map((rule) => placed(rule, now));
  const totals = await counters.read(
    groupOf(exchange),
    places.map(({ key }) => key),
  );
  foretell(
    exchange,
    places.map((place, at) => foretold(place, totals[at] ?? 0n, now)),
  );
}

function foretold(place: Placed, current: bigint, now: number): Foretold {
  const { rule } = place;
  const { limit, type, level, subject, policy } = rule;
  const full = type === "requests" ? current + 1n > limit : current >= limit;
  const counter = policy ? ` as ${policy.valueKey}` : "";
  const verdict = full ? "would be refused" : "lets it through";
  return {
    message: `rate limit of ${level} ${subject} (${wordingOf(rule)}): ${current} counted${counter}, ${verdict}`,
    refusal: full ? rateExceeded(place, current, now) : undefined,
  };
}
