import type { PricingOptions } from "../options.ts";
import type { Multiplier } from "../prices/multipliers.ts";
import { datedSheets } from "../prices/own-table.ts";
import type { DatedSheet } from "../prices/sheet.ts";

type Tables = Pick<PricingOptions, "models" | "adjustments">;

/** A provider, as tables name it: by what it is called here, and whose it is. */
export interface Named {
  readonly slug: string;
  readonly name: string;
}

/** What an operator has written down: for everybody, or for a workspace. */
export class OwnTable {
  readonly #models: ReadonlyMap<string, readonly DatedSheet[]>;
  readonly #adjustments: ReadonlyMap<string, Multiplier>;

  constructor({ models, adjustments }: Tables) {
    this.#models = new Map(Object.entries(models).map(([name, prices]) => [name, datedSheets(prices)]));
    this.#adjustments = new Map(Object.entries(adjustments));
  }

  /** Prices of a model that is named. */
  prices({ slug, name }: Named, model: string): readonly DatedSheet[] | undefined {
    const keys = [`@${slug}/${model}`, `${name}/${model}`, model];
    for (const key of keys) {
      const found = this.#models.get(key);
      if (found) return found;
    }
    return undefined;
  }

  /** Models of a vendor that are named with it. */
  modelsOf(name: string): string[] {
    const prefix = `${name}/`;
    return [...this.#models.keys()]
      .filter((key) => key.startsWith(prefix) && key !== `${prefix}*`)
      .map((key) => key.slice(prefix.length));
  }

  /** Prices of all models of a provider that nobody names. */
  fallback({ slug, name }: Named): readonly DatedSheet[] | undefined {
    return this.#models.get(`@${slug}/*`) ?? this.#models.get(`${name}/*`);
  }

  /** The nearest one counts alone. */
  multiplier({ slug, name }: Named): Multiplier | undefined {
    return this.#adjustments.get(`@${slug}`) ?? this.#adjustments.get(name) ?? this.#adjustments.get("*");
  }
}
