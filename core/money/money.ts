/**
 * US dollars as whole picodollars (10^-12): exact, and fine enough for ten decimal places of a cent (policies.md section
 * 9.1). What a request cost is rounded to it once; from there on amounts are only added.
 */
export type Picodollars = bigint;

const decimals = 12;
const one = 10n ** BigInt(decimals);

/** What was last written as a text: it is what is read next, wherever a price is made and then counted. */
let written: { readonly text: string; readonly amount: Picodollars } = { text: "0", amount: 0n };

/** An amount of dollars as decimal text without an exponent: `0.00575`. Throws on anything else, and on what is finer. */
export function picodollarsOf(dollars: string): Picodollars {
  if (dollars === written.text) return written.amount;
  const [, sign, whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(dollars) ?? [];
  if (sign === undefined || /[1-9]/.test(fraction.slice(decimals)))
    throw new RangeError(`"${dollars}" is no amount of dollars with up to ${decimals} decimal places`);
  const size = BigInt(whole) * one + BigInt(fraction.slice(0, decimals).padEnd(decimals, "0"));
  return sign ? -size : size;
}

/** The same as text, without zeros that say nothing: `0.00575`, `12`. */
export function dollarsText(amount: Picodollars): string {
  if (amount === written.amount) return written.text;
  const size = amount < 0n ? -amount : amount;
  const fraction = (size % one).toString().padStart(decimals, "0").replace(/0+$/, "");
  const text = `${amount < 0n ? "-" : ""}${size / one}${fraction && `.${fraction}`}`;
  written = { text, amount };
  return text;
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
