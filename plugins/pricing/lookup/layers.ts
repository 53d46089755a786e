import type { Ratio } from "../arithmetic/ratio.ts";
import { type Multiplier, wholeMultiplier } from "../prices/multipliers.ts";
import { type DatedSheet, inForceAt, laidOver, type Sheet } from "../prices/sheet.ts";
import { Tariff } from "../prices/tariff.ts";

/** Where prices are from, as it stands in records. */
export type PriceSource = "model" | "config" | "catalogue";

export interface Layer {
  readonly source: PriceSource;
  readonly sheets: readonly DatedSheet[];
}

export interface Priced {
  readonly tariff: Tariff;
  readonly sheet: Sheet;
  readonly source: PriceSource;
}

/** All that is said of a model's prices, the upper words over the lower ones, and made ready for each time once. */
export class LayeredPrices {
  readonly #layers: readonly Layer[];
  readonly #multipliers: readonly Multiplier[];
  readonly #ready = new Map<string, Priced | undefined>();
  /** Whatever the time. */
  readonly #always: boolean;

  constructor(layers: readonly Layer[], multipliers: readonly Multiplier[]) {
    this.#layers = layers;
    this.#multipliers = multipliers;
    this.#always = layers.every(({ sheets }) => sheets.length === 1 && isTimeless(sheets[0]));
  }

  /** What a whole amount is multiplied by. */
  get multiplier(): Ratio {
    return wholeMultiplier(this.#multipliers);
  }

  /** Prices in force at a time (Unix milliseconds); undefined where there are none. */
  at(time: number): Priced | undefined {
    const choice = this.#always ? "" : this.#layers.map(({ sheets }) => inForceAt(sheets, time)).join();
    const known = this.#ready.get(choice);
    if (known || this.#ready.has(choice)) return known;
    const priced = this.#pricedAt(time);
    this.#ready.set(choice, priced);
    return priced;
  }

  #pricedAt(time: number): Priced | undefined {
    const inForce = this.#layers.flatMap(({ source, sheets }) => {
      const sheet = sheets[inForceAt(sheets, time)]?.sheet;
      return sheet ? [{ source, sheet }] : [];
    });
    const [first] = inForce;
    if (!first) return undefined;
    const sheet = inForce.map((one) => one.sheet).reduceRight((lower, upper) => laidOver(upper, lower));
    return { tariff: new Tariff(sheet, this.#multipliers), sheet, source: first.source };
  }
}

const isTimeless = (sheet: DatedSheet | undefined): boolean =>
  sheet !== undefined && sheet.since === undefined && sheet.daily === undefined;
