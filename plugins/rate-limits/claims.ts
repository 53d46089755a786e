import { type Claim, type CountersService, mostCounted, slot } from "../../core/index.ts";
import type { RateRule } from "./rules.ts";
import { lengthOf, type Window, windowAt } from "./windows.ts";

/** A rule at a moment: which window it is in, and which counter that is. */
export interface Placed {
  readonly rule: RateRule;
  readonly window: Window;
  readonly key: string;
}

/** Where a rule was last: a window, and the name of its counter, are the same for all requests in it. */
const lastPlace = slot<RateRule, Placed>("window a rule was last in");

export function placed(rule: RateRule, now: number): Placed {
  const last = lastPlace.get(rule);
  if (last && now >= last.window.start && now < last.window.end) return last;
  const window = windowAt(rule.unit, now);
  const place = { rule, window, key: keyAt(rule, window.start) };
  lastPlace.set(rule, place);
  return place;
}

const keyAt = ({ base }: RateRule, start: number): string => `${base}@${start}`;

/** The counter of the window before, a share of which counts where windows slide. */
const keyBefore = ({ rule, window }: Placed): string => keyAt(rule, window.start - lengthOf(rule.unit));

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
  const { rule, key } = place;
  const expiresAt = expiryOf(place, sliding);
  const carry = sliding ? carried(place, now) : undefined;
  return rule.type === "requests"
    ? { key, limit: rule.limit, rule: "within", amount: 1n, expiresAt, ...carry }
    : { key, limit: rule.limit, rule: "below", amount: expected, hold, expiresAt, ...carry };
}

/** Looks at what counts for a rule at a moment, and takes nothing: it is granted whatever there is. */
export const lookAt = (place: Placed, now: number, sliding: boolean): Claim => ({
  key: place.key,
  limit: mostCounted,
  rule: "within",
  amount: 0n,
  expiresAt: expiryOf(place, sliding),
  ...(sliding && carried(place, now)),
});

const carried = (place: Placed, now: number): Pick<Claim, "carry"> => ({
  carry: { key: keyBefore(place), share: 1 - (now - place.window.start) / lengthOf(place.rule.unit) },
});

/** When a window that slides has room again for one more, as far as is known: the end of its fixed one where nothing is. */
export async function roomAgainAt(place: Placed, group: string, counters: CountersService): Promise<number> {
  const { rule, window } = place;
  // There never is.
  if (rule.limit <= 0n) return window.end;
  const [current = 0n, before = 0n] = await counters.read(group, [place.key, keyBefore(place)]);
  const length = lengthOf(rule.unit);
  /** From when on less than so much of a window's count is in the one after it; shares are taken to a millionth. */
  const from = (start: number, count: bigint, room: bigint) =>
    Math.ceil(start + length * (1 - Number(room > 0n ? room : 0n) / Number(count)) + length / 1_000_000);
  if (current < rule.limit) return before > 0n ? from(window.start, before, rule.limit - current) : window.end;
  return from(window.end, current, rule.limit);
}
