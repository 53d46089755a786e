import type { Ratio } from "../arithmetic/ratio.ts";
import { tokenKeys } from "./classes.ts";
import type { Formulas } from "./formula.ts";
import { videosLeft } from "./videos.ts";

/** Cents by price key (`request_token`, `web_search`), each for one token or one unit. */
export type Rates = Readonly<Record<string, Ratio>>;

/** The price of a key; names of what all objects have are none. */
export const own = (rates: Rates, key: string): Ratio | undefined =>
  Object.hasOwn(rates, key) ? rates[key] : undefined;

/** Cents of an image, by quality and size. */
export type ImageRates = Readonly<Record<string, Rates>>;

/** What a model costs at one time. */
export interface Sheet {
  readonly rates: Rates;
  readonly images?: ImageRates;
  /** Rates that hold for all of a call whose prompt has more tokens than this; ascending. */
  readonly bands?: readonly { readonly above: number; readonly rates: Rates }[];
  /** Rates of a provider's batch jobs. */
  readonly batch?: Rates;
  /** Rates by the service tier of a call. */
  readonly tiers?: Readonly<Record<string, Rates>>;
  /** What prices of tokens are multiplied by in service tiers that have no rates. */
  readonly tierFactors?: Readonly<Record<string, Ratio>>;
  /** Service tiers that cost more, by nobody knows how much. */
  readonly dearerTiers?: ReadonlySet<string>;
  /** Those that cost less, or are not paid by the token: the prices here are no least of it. */
  readonly cheaperTiers?: ReadonlySet<string>;
  /** What prices of tokens are multiplied by besides, by where the answer says it was computed. */
  readonly geoFactors?: Readonly<Record<string, Ratio>>;
  readonly calculate?: Formulas;
  /** Kinds that no other kind's price stands in for: where one of them has none, what it costs is not known. */
  readonly apart?: ReadonlySet<string>;
  /** What training a model of one's own costs: shown, and priced nowhere. */
  readonly finetune?: Rates;
}

/** Prices over time: of those in force, the last one counts. */
export interface DatedSheet {
  /** Unix milliseconds. */
  readonly since?: number;
  /** Seconds of the day, UTC; over midnight where it ends before it begins. */
  readonly daily?: { readonly from: number; readonly until: number };
  readonly sheet: Sheet;
}

const isInForce = ({ since, daily }: DatedSheet, time: number): boolean => {
  if (since !== undefined && time < since) return false;
  if (!daily) return true;
  const second = (time / 1000) % 86_400;
  const { from, until } = daily;
  return until < from ? second >= from || second < until : second >= from && second < until;
};

/** Which of some dated sheets counts at a time (Unix milliseconds); -1 is none yet. */
export const inForceAt = (sheets: readonly DatedSheet[], time: number): number =>
  sheets.findLastIndex((sheet) => isInForce(sheet, time));

/** Prices laid over others: key by key, and what the upper ones say holds for long prompts, too. */
export function laidOver(upper: Sheet, lower: Sheet): Sheet {
  const { batch, tiers, calculate } = { ...lower, ...upper };
  const apart = upper.apart ?? lower.apart;
  // Prices of tokens that say nothing of tiers are those of all tiers, and of all places.
  const priced = overlaps(upper.rates, tokensOf(lower.rates)) ? upper : { ...lower, ...upper };
  const { tierFactors, dearerTiers, cheaperTiers, geoFactors } = priced;
  const images = upper.images && lower.images ? imagesOver(upper.images, lower.images) : (upper.images ?? lower.images);
  const bands = upper.bands ?? lower.bands?.map(({ above, rates }) => ({ above, rates: { ...rates, ...upper.rates } }));
  return {
    rates: { ...videosLeft(upper.rates, lower.rates), ...upper.rates },
    ...(images && { images }),
    ...(bands && { bands }),
    // A batch is half the price of what is asked here, where only the lower prices say otherwise of what it replaces.
    ...(batch && (upper.batch || !overlaps(upper.rates, batch)) && { batch }),
    ...(tiers && (upper.tiers || !Object.values(tiers).some((one) => overlaps(upper.rates, one))) && { tiers }),
    ...(tierFactors && { tierFactors }),
    ...(dearerTiers && { dearerTiers }),
    ...(cheaperTiers && { cheaperTiers }),
    ...(geoFactors && { geoFactors }),
    ...(calculate && { calculate }),
    ...(apart && { apart }),
  };
}

/** By quality and size; what the upper ones say of any quality, or of any size of one, leaves nothing to the lower ones. */
function imagesOver(upper: ImageRates, lower: ImageRates): ImageRates {
  if (Object.hasOwn(upper, "default")) return upper;
  const laid = Object.entries(upper).map(([quality, sizes]) => {
    const below = lower[quality] ?? lower.default;
    return [quality, Object.hasOwn(sizes, "default") ? sizes : { ...below, ...sizes }] as const;
  });
  return { ...lower, ...Object.fromEntries(laid) };
}

const tokensOf = (rates: Rates): Rates =>
  Object.fromEntries(Object.entries(rates).filter(([key]) => tokenKeys.has(key)));

const overlaps = (rates: Rates, others: Rates): boolean => Object.keys(others).some((key) => key in rates);
