import type { Exchange, Usage } from "../../core/index.ts";
import { picodollarsOfCents } from "./arithmetic/ratio.ts";
import type { Circumstances } from "./prices/circumstances.ts";
import { sheetOf } from "./prices/pricing-object.ts";
import { Tariff } from "./prices/tariff.ts";

/** `{request_token: 0.00025}` as the members of a pricing object. */
export const payAsYouGo = (prices: Readonly<Record<string, number>>, units: Readonly<Record<string, number>> = {}) => {
  const members = (rates: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(rates).map(([key, price]) => [key, { price }]));
  return { pay_as_you_go: { ...members(prices), additional_units: members(units) } };
};

/** Picodollars of a usage at prices in cents; undefined where they are not known. */
export function priced(
  object: unknown,
  usage: Usage,
  multipliers: readonly Readonly<Record<string, unknown>>[] = [],
  circumstances: Circumstances = {},
): bigint | undefined {
  const cents = new Tariff(sheetOf(object), multipliers).cents(usage, circumstances);
  return cents && picodollarsOfCents(cents);
}

/** Cents, as text without an exponent, in picodollars: `0.575`. */
export function centsText(cents: string): bigint {
  const [whole = "0", fraction = ""] = cents.split(".");
  return BigInt(whole + fraction.padEnd(10, "0"));
}

/** An exchange as far as prices go. */
export const exchangeAt = (instant: string, more: Partial<Exchange> = {}): Exchange =>
  ({ receivedAt: Date.parse(instant), attempts: [], ...more }) as unknown as Exchange;
