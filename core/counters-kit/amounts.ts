/** Ten minutes, in milliseconds: how long a step that is done once is remembered. */
export const rememberedFor = 600_000;

/** Amounts and totals lie between this and its negative: room for 10^15 dollars in picodollars. */
export const mostCounted = 10n ** 27n;

/** Throws a RangeError on what lies beyond that. */
export function inRange(amount: bigint): bigint {
  if (amount < mostCounted && amount >= -mostCounted) return amount;
  throw new RangeError(`a counter holds less than 10^27 either way, and was to hold ${amount}`);
}

/** What a counter is raised by in a claim: throws a RangeError on negative amounts and those that are out of range. */
export function claimable(amount: bigint): bigint {
  if (amount >= 0n && amount < mostCounted) return amount;
  throw new RangeError(`a claim is for 0 or more and less than 10^27, not for ${amount}`);
}

/** A limit that all totals are on the same side of as they are of the one given. */
export const boundedLimit = (limit: bigint): bigint =>
  limit > mostCounted ? mostCounted : limit < -mostCounted ? -mostCounted : limit;

const parts = 1_000_000;
const partsExactly = BigInt(parts);

/** A share as whole millionths, from 0 to a million. */
export const millionths = (share: number): number => Math.min(parts, Math.max(0, Math.round(share * parts)));

/** A share of an amount, to a millionth, rounded down. */
export function shareOf(amount: bigint, share: number): bigint {
  const product = amount * BigInt(millionths(share));
  const whole = product / partsExactly;
  return product < 0n && whole * partsExactly !== product ? whole - 1n : whole;
}

/** The last moment a Date knows: later ones, and for ever, are that. */
const lastMoment = 8_640_000_000_000_000;

/** Whole Unix milliseconds that every store can write down. */
export const moment = (at: number): number => (at < lastMoment ? Math.ceil(at) : lastMoment);
