import { one, type Ratio, ratioOf, times } from "../arithmetic/ratio.ts";
import type { PricedClass } from "./classes.ts";

/** What prices are multiplied by (control-plane.md section 1.11); null is not said. */
export type Multiplier = Readonly<Record<string, unknown>>;

const said = (value: unknown): value is number | string => typeof value === "number" || typeof value === "string";

const partOf = (multiplier: Multiplier, name: string): Multiplier =>
  typeof multiplier[name] === "object" && multiplier[name] !== null ? (multiplier[name] as Multiplier) : {};

/** Of one of several multipliers, the number for a class: its own, that of what it is a kind of, the default, 1. */
function numberFor(multiplier: Multiplier, { key, side, multipliers = [] }: PricedClass): Ratio {
  const own = side === "beside" ? partOf(multiplier, "additional_units")[key] : undefined;
  const found = [own, ...multipliers.map((name) => multiplier[name]), multiplier[key], multiplier.default].find(said);
  return found === undefined ? one : ratioOf(found);
}

export const multiplierFor = (multipliers: readonly Multiplier[], priced: PricedClass): Ratio =>
  multipliers.reduce((product, multiplier) => times(product, numberFor(multiplier, priced)), one);

export const imageMultiplier = (multipliers: readonly Multiplier[]): Ratio =>
  multipliers.reduce((product, multiplier) => {
    const found = [partOf(multiplier, "image").default, multiplier.default].find(said);
    return found === undefined ? product : times(product, ratioOf(found));
  }, one);

/** That for what is not told apart by classes. */
export const wholeMultiplier = (multipliers: readonly Multiplier[]): Ratio =>
  multipliers.reduce((all, { default: usual }) => (said(usual) ? times(all, ratioOf(usual)) : all), one);

/** Whether somebody multiplies this class by something of its own. */
export const hasOwnMultiplier = (multipliers: readonly Multiplier[], { key }: PricedClass): boolean =>
  multipliers.some((multiplier) => said(multiplier[key]));
