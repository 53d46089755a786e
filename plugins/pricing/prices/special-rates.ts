import type { Usage } from "../../../core/index.ts";
import { type Ratio, times } from "../arithmetic/ratio.ts";
import type { Circumstances } from "./circumstances.ts";
import { tokenKeys } from "./classes.ts";
import type { Rates, Sheet } from "./sheet.ts";

/** What has no price for batches is half there. */
export const batchFactor: Ratio = { over: 1n, under: 2n };

/** Rates that hold in place of the usual ones, by a name that tells them from others. */
export interface SpecialRates {
  readonly name: string;
  readonly over: (rates: Rates) => Rates;
}

/** Those of a batch or a service tier that has its own, and of where the call was computed; undefined where none has. */
export function specialRates(sheet: Sheet, usage: Usage, circumstances: Circumstances): SpecialRates | undefined {
  const special = ofKind(sheet, circumstances);
  const { inferenceGeo } = usage;
  const factor = factorIn(sheet.geoFactors, inferenceGeo);
  if (!factor) return special;
  const { name, over } = special ?? usual;
  return { name: `${name} in ${inferenceGeo}`, over: (rates) => tokensTimes(over(rates), factor) };
}

const usual: SpecialRates = { name: "usual", over: (rates) => rates };

function ofKind({ batch: batchRates, tiers, tierFactors }: Sheet, circumstances: Circumstances) {
  const { batch } = circumstances;
  if (batch && batchRates) return { name: "batch", over: (rates: Rates) => ({ ...halved(rates), ...batchRates }) };
  const tier = tiers || (tierFactors && !batch) ? circumstances.tier?.() : undefined;
  const name = `tier ${tier}`;
  const own = tier !== undefined && tiers && Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
  if (own) return { name, over: (rates: Rates) => ({ ...rates, ...own }) };
  const factor = batch ? undefined : factorIn(tierFactors, tier);
  return factor && { name, over: (rates: Rates) => tokensTimes(rates, factor) };
}

const halved = (rates: Rates): Rates =>
  Object.fromEntries(Object.entries(rates).map(([key, rate]) => [key, times(rate, batchFactor)]));

const tokensTimes = (rates: Rates, factor: Ratio): Rates =>
  Object.fromEntries(
    Object.entries(rates).map(([key, rate]) => [key, tokenKeys.has(key) ? times(rate, factor) : rate]),
  );

const factorIn = (factors: Readonly<Record<string, Ratio>> | undefined, name: string | undefined): Ratio | undefined =>
  factors && name !== undefined && Object.hasOwn(factors, name) ? factors[name] : undefined;
