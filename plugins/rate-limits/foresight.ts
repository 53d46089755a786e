import {
  type Exchange,
  type Foretold,
  foretell,
  groupOf,
  notKnownHere,
  type SureCounters,
  whyKnownElsewhere,
} from "../../core/index.ts";
import { lookAt, type Placed, placed, roomAgainAt } from "./claims.ts";
import { rateExceeded } from "./refusals.ts";
import { type RateRule, wordingOf } from "./rules.ts";

export interface Looking {
  readonly counters: SureCounters;
  readonly sliding: boolean;
  /** Whether this is the gateway that runs, or a process that only looks at what it shares with it. */
  readonly serving: () => boolean;
}

/** Tells which rates a request would meet and how much of each is used, and throws what it would be refused with. */
export async function foresee(
  exchange: Exchange,
  rules: readonly RateRule[],
  { counters, sliding, serving }: Looking,
): Promise<void> {
  if (rules.length === 0) return;
  const now = counters.now();
  const group = groupOf(exchange);
  const places = rules.map((rule) => placed(rule, now));
  const looked = places.map((place) => lookAt(place, now, sliding));
  const { claimed, by } = await counters.claim(group, looked, rules);
  const { shared, available } = counters.store;
  const elsewhere = serving()
    ? undefined
    : whyKnownElsewhere({ shared, available: available && by === counters.store });
  const told = places.map(async (place, at) => {
    const resetsAt = sliding ? await roomAgainAt(place, group, by) : place.window.end;
    return foretold({ place, current: claimed.totals[at] ?? 0n, elsewhere }, now, resetsAt);
  });
  foretell(exchange, await Promise.all(told));
}

interface Foreseen {
  readonly place: Placed;
  readonly current: bigint;
  /** Why it is not known here what is counted. */
  readonly elsewhere: string | undefined;
}

function foretold({ place, current, elsewhere }: Foreseen, now: number, resetsAt: number): Foretold {
  const { limit, type, level, subject, policy } = place.rule;
  // What lets nobody through refuses whatever is counted.
  const least = elsewhere === undefined ? current : 0n;
  const full = type === "requests" ? least + 1n > limit : least >= limit;
  const counter = policy ? ` as ${policy.valueKey}` : "";
  const verdict = full ? "would be refused" : "lets it through";
  const met = `rate limit of ${level} ${subject} (${wordingOf(place.rule)})`;
  if (elsewhere !== undefined && !full)
    return { message: `${met}: ${notKnownHere(`what is counted${counter}`, elsewhere)}`, known: false };
  const counted = elsewhere === undefined ? `${current} counted` : "whatever is counted";
  return {
    message: `${met}: ${counted}${counter}, ${verdict}`,
    refusal: full ? rateExceeded(place, least, now, resetsAt) : undefined,
  };
}
