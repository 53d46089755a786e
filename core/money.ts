/**
 * US dollars as whole picodollars (10^-12): exact, and fine enough for ten decimal places of a cent (policies.md section
 * 9.1). What a request cost is rounded to it once; from there on amounts are only added.
 */
export type Picodollars = bigint;

const decimals = 12;
const one = 10n ** BigInt(decimals);

/** An amount of dollars as decimal text without an exponent: `0.00575`. Throws on anything else, and on what is finer. */
export function picodollarsOf(dollars: string): Picodollars {
  const [, sign, whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(dollars) ?? [];
  if (sign === undefined || /[1-9]/.test(fraction.slice(decimals)))
    throw new RangeError(`"${dollars}" is no amount of dollars with up to ${decimals} decimal places`);
  const size = BigInt(whole) * one + BigInt(fraction.slice(0, decimals).padEnd(decimals, "0"));
  return sign ? -size : size;
}

/** The same as text, without zeros that say nothing: `0.00575`, `12`. */
export function dollarsText(amount: Picodollars): string {
  const size = amount < 0n ? -amount : amount;
  const fraction = (size % one).toString().padStart(decimals, "0").replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${size / one}${fraction && `.${fraction}`}`;
}

/** A limit given as a number of dollars (JSON has no other): its shortest decimal text is what was meant. */
export const picodollarsOfNumber = (dollars: number): Picodollars => {
  const [whole = "0", fraction = ""] = plain(dollars).split(".");
  return picodollarsOf(`${whole}.${fraction.slice(0, decimals).padEnd(1, "0")}`);
};

/** Without the exponent that very small and very large numbers are printed with. */
const plain = (value: number): string => {
  const text = String(value);
  if (!text.includes("e")) return text;
  return value < 1 ? value.toFixed(decimals) : BigInt(value).toString();
};
