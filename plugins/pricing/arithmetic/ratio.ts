/** An exact number: a whole one over a whole one above zero. Prices, multipliers and amounts are these, never floats. */
export interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

export const zero: Ratio = { over: 0n, under: 1n };
export const one: Ratio = { over: 1n, under: 1n };

/** Digits before and after the point at most. JSON has no number that needs more. */
const most = 400;

/**
 * A number as it was meant: its shortest decimal text, exponent included. Text is taken as it stands. Throws a RangeError
 * on what is no number, below zero, or out of all proportion.
 */
export function ratioOf(value: number | string): Ratio {
  const text = String(value).trim();
  const [, whole = "", fraction = "", exponent = "0"] = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i.exec(text) ?? [];
  const shift = Number(exponent) - fraction.length;
  if (whole === "" || whole.length + Math.abs(shift) > most)
    throw new RangeError(`"${text}" is no price: a number of 0 or more, such as 2.50`);
  const digits = BigInt(whole + fraction);
  return shift < 0
    ? { over: digits, under: 10n ** BigInt(-shift) }
    : { over: digits * 10n ** BigInt(shift), under: 1n };
}

/** A count of something. Most are whole, seconds of sound need not be. */
export const countRatio = (count: number): Ratio =>
  Number.isInteger(count) ? { over: BigInt(count), under: 1n } : ratioOf(count);

export const plus = (one: Ratio, other: Ratio): Ratio =>
  one.under === other.under
    ? { over: one.over + other.over, under: one.under }
    : { over: one.over * other.under + other.over * one.under, under: one.under * other.under };

export const times = (one: Ratio, other: Ratio): Ratio => ({
  over: one.over * other.over,
  under: one.under * other.under,
});

export const dividedBy = ({ over, under }: Ratio, parts: number): Ratio => ({ over, under: under * BigInt(parts) });

const picodollarsPerCent = 10n ** 10n;

/** Cents as whole picodollars, half a one upwards: the one rounding an amount meets. */
export function picodollarsOfCents({ over, under }: Ratio): bigint {
  return (2n * over * picodollarsPerCent + under) / (2n * under);
}

/** The nearest number JSON can show: of a price that was given as a decimal, the very one. */
export function shownNumber({ over, under }: Ratio): number {
  const places = 30;
  const scaled = (2n * over * 10n ** BigInt(places) + under) / (2n * under);
  const digits = scaled.toString().padStart(places + 1, "0");
  return Number(`${digits.slice(0, -places)}.${digits.slice(-places)}`);
}
