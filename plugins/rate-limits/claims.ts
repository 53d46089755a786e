import type { Claim } from "../../core/index.ts";
import type { RateRule } from "./rules.ts";
import { lengthOf, type Window, windowAt } from "./windows.ts";

/** A rule at a moment: which window it is in, and which counter that is. */
export interface Placed {
  readonly rule: RateRule;
  readonly window: Window;
  readonly key: string;
}

export const placed = (rule: RateRule, now: number): Placed => {
  const window = windowAt(rule.unit, now);
  return { rule, window, key: keyAt(rule, window.start) };
};

const keyAt = ({ base }: RateRule, start: number): string => `${base}@${start}`;

/** When the counter of a window may be forgotten: one that slides is looked at from the next window too. */
export const expiryOf = ({ rule, window }: Placed, sliding: boolean): number =>
  sliding ? window.end + lengthOf(rule.unit) : window.end;

export interface Taking {
  readonly now: number;
  readonly sliding: boolean;
  /** Tokens the request is expected to use. */
  readonly expected: bigint;
  /** Until when they are held, and under which id. */
  readonly hold: NonNullable<Claim["hold"]>;
}

/**
 * What is claimed of a rule: one request; of tokens, that there are some left, and room for those that are expected is held
 * meanwhile, so that a burst does not pass an empty counter.
 */
export function claimOf(place: Placed, { now, sliding, expected, hold }: Taking): Claim {
  const { rule, window, key } = place;
  const expiresAt = expiryOf(place, sliding);
  const carry = sliding ? carried(place, now) : undefined;
  return rule.type === "requests"
    ? { key, limit: rule.limit, rule: "within", amount: 1n, expiresAt, ...carry }
    : { key, limit: rule.limit, rule: "below", amount: expected, hold, expiresAt, ...carry };

  function carried({ rule: own }: Placed, at: number): Pick<Claim, "carry"> {
    const length = lengthOf(own.unit);
    return { carry: { key: keyAt(own, window.start - length), share: 1 - (at - window.start) / length } };
  }
}
