import type { Usage } from "../../../core/index.ts";
import { countRatio, plus, type Ratio, times, zero } from "../arithmetic/ratio.ts";
import { asBilled } from "./billed.ts";
import type { Circumstances } from "./circumstances.ts";
import { classes, fileSearch, isNothing, type PricedClass, promptTokens, videoSeconds } from "./classes.ts";
import { evaluated, type Formula, namesIn } from "./formula.ts";
import { hasOwnMultiplier, imageMultiplier, type Multiplier, multiplierFor } from "./multipliers.ts";
import { contextsPriced, isSearchPrice, searchesWith } from "./searches.ts";
import { own, type Rates, type Sheet } from "./sheet.ts";
import { batchFactor, specialRates } from "./special-rates.ts";
import { centsOfPoints, megapixels, uncountedUnits } from "./units.ts";
import { lacksVideos, secondsAt, sizesPriced } from "./videos.ts";

/** A class with its price. */
interface Term {
  readonly priced: PricedClass;
  /** Parts of it that are terms of their own. */
  readonly less: readonly PricedClass[];
  /** Cents, over the denominator all terms have in common. */
  readonly over: bigint;
  readonly rate: Ratio;
}

interface Terms {
  readonly list: readonly Term[];
  readonly under: bigint;
  /** The same with the price of searches, where that depends on how much they bring in. */
  readonly byContext?: ReadonlyMap<string, Terms>;
  /** The same with the price of the seconds of videos, where that depends on their size. */
  readonly bySize?: ReadonlyMap<string, Terms>;
}

/** The prices of prompts of more than so many tokens. */
interface Band {
  readonly above: number;
  readonly rates: Rates;
  readonly terms: Terms;
}

/** The prices of a model at one time, made ready: multipliers are in, and what is missing is filled in. */
export class Tariff {
  readonly #sheet: Sheet;
  readonly #multipliers: readonly Multiplier[];
  readonly #standard: Terms;
  readonly #bands: readonly Band[];
  readonly #others = new Map<string, Terms>();
  /** Units with a price that nobody counts. */
  readonly #uncounted: ReturnType<typeof uncountedUnits>;
  /** Kinds that only their own price is the price of, on sides that have no formula. */
  readonly #apart: readonly PricedClass[];

  constructor(sheet: Sheet, multipliers: readonly Multiplier[] = []) {
    this.#sheet = sheet;
    this.#multipliers = multipliers;
    const { apart, calculate = {} } = sheet;
    this.#apart = classes.filter(({ key, side }) => apart?.has(key) && (side === "beside" || !calculate[side]));
    this.#uncounted = uncountedUnits(sheet.rates);
    this.#standard = termsOf(sheet, sheet.rates, multipliers);
    this.#bands = (sheet.bands ?? []).map(({ above, rates: own }) => {
      const rates = { ...sheet.rates, ...own };
      return { above, rates, terms: termsOf(sheet, rates, multipliers) };
    });
  }

  /** Exact cents of a call that does not say what it used; undefined where they depend on that. */
  flatCents(circumstances: Circumstances): Ratio | undefined {
    const { images, calculate } = this.#sheet;
    const { list } = this.#standard;
    if (images || calculate || this.#bands.length > 0 || list.length === 0) return undefined;
    if (this.#uncounted.length > 0 || Object.hasOwn(this.#sheet.rates, megapixels)) return undefined;
    const isFlat = list.every(({ priced: { key }, over }) => over === 0n || key === "request");
    return isFlat ? this.cents({}, circumstances) : undefined;
  }

  /**
   * Whether something was used that nothing here is the price of, and that is not for nothing: searches, and kinds that no
   * other kind's price stands in for, or models these are not the prices of. What all of it costs is not known then.
   */
  lacks(usage: Usage, circumstances: Circumstances = {}): boolean {
    if (usage.otherModels || usage.uncounted || this.#isDearer(usage, circumstances)) return true;
    if (this.#uncounted.some((uses) => uses(usage, circumstances))) return true;
    if (usage.images && this.#lacksPoints(usage.images, circumstances)) return true;
    if (usage.videos && lacksVideos(usage, pricedIn(this.#termsFor(usage, circumstances)))) return true;
    return this.#lacksSearches(usage, circumstances) || this.#lacksApart(usage, circumstances);
  }

  /** Whether images were drawn whose price is one of their size, which nobody says. */
  #lacksPoints(images: number, circumstances: Circumstances): boolean {
    const isOfSize = !this.#sheet.images && own(this.#sheet.rates, megapixels) !== undefined;
    return isOfSize && this.#pictures(images, circumstances) === undefined;
  }

  #isDearer(usage: Usage, circumstances: Circumstances): boolean {
    return this.#isIn(this.#sheet.dearerTiers, usage, circumstances);
  }

  /** Whether it was served in a tier that costs less than all of this, by nobody knows how much. */
  isCheaper(usage: Usage, circumstances: Circumstances = {}): boolean {
    return this.#isIn(this.#sheet.cheaperTiers, usage, circumstances);
  }

  /** Batches have prices of their own, whatever the tier. */
  #isIn(unpriced: ReadonlySet<string> | undefined, usage: Usage, circumstances: Circumstances): boolean {
    if (!unpriced || circumstances.batch || isNothing(usage)) return false;
    const { tiers } = this.#sheet;
    const name = circumstances.tier?.();
    return name !== undefined && unpriced.has(name) && !(tiers && Object.hasOwn(tiers, name));
  }

  /** A price per call is one of its searches, too; those that cost nothing have a price of 0. */
  #lacksSearches({ searches = 0, fileSearches = 0 }: Usage, circumstances: Circumstances): boolean {
    if (searches <= 0 && fileSearches <= 0) return false;
    const { request, response } = this.#sheet.calculate ?? {};
    const named = [request, response].flatMap(namesIn);
    const { list } = this.#termsFor({ searches, fileSearches }, circumstances);
    const keys = list.map(({ priced: { key } }) => key);
    if (keys.includes("request")) return false;
    const lacksWeb = searches > 0 && !named.includes(searchCount) && !keys.some(isSearchPrice);
    return lacksWeb || (fileSearches > 0 && !named.includes(fileSearchCount) && !keys.includes(fileSearch));
  }

  #lacksApart(usage: Usage, circumstances: Circumstances): boolean {
    const used = this.#apart.filter(({ count }) => count(usage, 1) > 0);
    if (used.length === 0) return false;
    const { list } = this.#termsFor(usage, circumstances);
    return used.some(({ key }) => !list.some(({ priced }) => priced.key === key));
  }

  /** Exact cents; undefined where none of the prices is for what was used: that is not known, and not nothing. */
  cents(used: Usage, circumstances: Circumstances = {}): Ratio | undefined {
    const usage = asBilled(used);
    const terms = this.#termsFor(usage, circumstances);
    const { calculate, batch } = this.#sheet;
    const pictures = usage.images ? this.#pictures(usage.images, circumstances) : undefined;
    const calls = circumstances.calls ?? 1;
    const sum = calculate ? this.#calculated(terms, usage, calls) : summed(terms, usage, calls);
    if (!sum && !pictures) return isNothing(usage) ? zero : undefined;
    const all = sum && pictures ? plus(sum, pictures) : (sum ?? pictures ?? zero);
    return circumstances.batch && !batch ? times(all, batchFactor) : all;
  }

  #termsFor(usage: Usage, circumstances: Circumstances): Terms {
    const terms = this.#usualTerms(usage, circumstances);
    const { byContext, bySize } = terms;
    if (usage.videoSize !== undefined && bySize) return bySize.get(usage.videoSize) ?? terms;
    const context = byContext && usage.searches ? circumstances.searchContext?.() : undefined;
    return (context !== undefined && byContext?.get(context)) || terms;
  }

  #usualTerms(usage: Usage, circumstances: Circumstances): Terms {
    const band = this.#bandOf(usage, circumstances);
    const special = specialRates(this.#sheet, usage, circumstances);
    if (!special) return band?.terms ?? this.#standard;
    const { name, over } = special;
    return this.#other(name, band, over);
  }

  #bandOf(usage: Usage, { calls = 1 }: Circumstances): Band | undefined {
    if (this.#bands.length === 0) return undefined;
    const tokens = promptTokens(usage) / calls;
    return this.#bands.findLast(({ above }) => tokens > above);
  }

  /** Prices that are laid over those that hold otherwise: what they do not say is as it is there. */
  #other(name: string, band: Band | undefined, over: (rates: Rates) => Rates): Terms {
    const key = `${band?.above ?? 0} ${name}`;
    const known =
      this.#others.get(key) ?? termsOf(this.#sheet, over(band?.rates ?? this.#sheet.rates), this.#multipliers);
    this.#others.set(key, known);
    return known;
  }

  #pictures(count: number, circumstances: Circumstances): Ratio | undefined {
    const { images, rates } = this.#sheet;
    const points = own(rates, megapixels);
    if (!images && !points) return undefined;
    const { quality, size } = circumstances.image?.() ?? {};
    const bySize = images && pickedFrom(images, quality, ["standard"]);
    const price = bySize && pickedFrom(bySize, size, ["1024x1024"]);
    const cents = images || !points ? price && times(price, countRatio(count)) : centsOfPoints(points, count, size);
    const all = cents && times(cents, imageMultiplier(this.#multipliers));
    return all && circumstances.batch && this.#sheet.batch ? times(all, batchFactor) : all;
  }

  /** A side with a formula is what that comes to; the other one, and what is beside both, are summed as always. */
  #calculated(terms: Terms, usage: Usage, calls: number): Ratio | undefined {
    const { request, response } = this.#sheet.calculate ?? {};
    const named = new Set([...namesIn(request), ...namesIn(response)].map((name) => name.replace(/^[a-z_]+\./, "")));
    const rest = terms.list.filter(({ priced: { side, key } }) =>
      side === "beside" ? !named.has(key) : !(side === "request" ? request : response),
    );
    const valueNamed = valuesIn(terms, usage, calls);
    const parts = [request, response]
      .filter((formula): formula is Formula => formula !== undefined)
      .map((formula) => evaluated(formula, valueNamed));
    const summedRest = summed({ ...terms, list: rest }, usage, calls);
    return parts.reduce(plus, summedRest ?? zero);
  }
}

function pickedFrom<Value>(
  table: Readonly<Record<string, Value>>,
  name: string | undefined,
  usual: readonly string[],
): Value | undefined {
  for (const one of [name, "default", ...(name === undefined || name === "auto" ? usual : [])])
    if (one !== undefined && Object.hasOwn(table, one)) return table[one];
  return undefined;
}

function termsOf({ apart }: Pick<Sheet, "apart">, rates: Rates, multipliers: readonly Multiplier[]): Terms {
  const kinds = apart ? classes.map((one) => (apart.has(one.key) ? { ...one, instead: [] } : one)) : classes;
  const byContext = contextsPriced(rates).map((context) => {
    const inContext = kinds.map((one) => (one.key === "web_search" ? searchesWith(context) : one));
    return [context, termsFrom(inContext, rates, multipliers)] as const;
  });
  const bySize = sizesPriced(rates).map((size) => {
    const inSize = kinds.map((one) => (one.key === videoSeconds ? secondsAt(size) : one));
    return [size, termsFrom(inSize, rates, multipliers)] as const;
  });
  return {
    ...termsFrom(kinds, rates, multipliers),
    ...(byContext.length > 0 && { byContext: new Map(byContext) }),
    ...(bySize.length > 0 && { bySize: new Map(bySize) }),
  };
}

const pricedIn = ({ list }: Terms): readonly PricedClass[] => list.map(({ priced }) => priced);

function termsFrom(kinds: readonly PricedClass[], rates: Rates, multipliers: readonly Multiplier[]): Terms {
  const isApart = (one: PricedClass) =>
    one.within === undefined || own(rates, one.key) !== undefined || hasOwnMultiplier(multipliers, one);
  const priced = kinds.filter(isApart).flatMap((one) => {
    const parent = one.within === undefined ? [] : (classes.find(({ key }) => key === one.within)?.instead ?? []);
    const keys = [one.key, ...(one.instead ?? []), ...(one.within === undefined ? [] : [one.within]), ...parent];
    const price = keys.map((key) => own(rates, key)).find((found) => found !== undefined);
    return price ? [{ one, rate: times(price, multiplierFor(multipliers, one)) }] : [];
  });
  const under = priced.reduce((all, { rate }) => leastMultiple(all, rate.under), 1n);
  const list = priced.map(({ one, rate }) => ({
    priced: one,
    less: priced.filter((part) => part.one.within === one.key).map((part) => part.one),
    over: (rate.over * under) / rate.under,
    rate,
  }));
  return { list, under };
}

/** The loop of the hot path: one multiplication of whole numbers for each class that was used. */
function summed({ list, under }: Terms, usage: Usage, calls: number): Ratio | undefined {
  let over = 0n;
  let rest: Ratio | undefined;
  let any = false;
  for (const { priced, less, over: price, rate } of list) {
    let count = priced.count(usage, calls);
    for (const part of less) count -= part.count(usage, calls);
    if (count <= 0) continue;
    any = true;
    if (Number.isInteger(count)) over += BigInt(count) * price;
    else rest = plus(rest ?? zero, times(countRatio(count), rate));
  }
  if (!any) return undefined;
  return rest ? plus({ over, under }, rest) : { over, under };
}

/** What formulas call the numbers of searches. */
const searchCount = "additional_units.web_search";
const fileSearchCount = `additional_units.${fileSearch}`;

/** Names of counts, and the classes they count. */
const counts: Readonly<Record<string, string>> = {
  input_tokens: "request_token",
  output_tokens: "response_token",
  cache_read_tokens: "cache_read_input_token",
  cache_write_tokens: "cache_write_input_token",
};

/** What names in formulas stand for: counts of classes, `rates.KEY` and `additional_units.KEY`. */
const valuesIn =
  ({ list }: Terms, usage: Usage, calls: number) =>
  (name: string): Ratio | undefined => {
    const [prefix = "", key = ""] = name.split(".");
    if (prefix === "rates") return list.find(({ priced }) => priced.key === key)?.rate;
    const wanted = prefix === "additional_units" ? key : Object.hasOwn(counts, name) ? counts[name] : undefined;
    const counted = classes.find((one) => one.key === wanted);
    return counted && countRatio(counted.count(usage, calls));
  };

function leastMultiple(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b !== 0n) [a, b] = [b, a % b];
  return (one / a) * other;
}
