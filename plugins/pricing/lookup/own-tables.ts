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

  readonly #isVendor: (name: string) => boolean;

  /** `isVendor` tells whose a key is that has a slash in it: a vendor's, or nobody's in particular. */
  constructor({ models, adjustments }: Tables, isVendor: (name: string) => boolean) {
    this.#isVendor = isVendor;
    this.#models = new Map(Object.entries(models).map(([name, prices]) => [name, datedSheets(prices)]));
    this.#adjustments = new Map(Object.entries(adjustments));
  }

  /**
   * Prices of a model that is named. A key that begins with a vendor and a slash is of that vendor's models, and no word about
   * a model that others sell under a name like it: OpenAI's `openai/gpt-x` is not OpenRouter's, which is `openrouter/openai/gpt-x`.
   */
  prices({ slug, name }: Named, model: string): readonly DatedSheet[] | undefined {
    const named = this.#models.get(`@${slug}/${model}`) ?? this.#models.get(`${name}/${model}`);
    return named ?? (this.#isOfAnother(name, model) ? undefined : this.#models.get(model));
  }

  /** Whether a model's name, as a key, would be of the models of another vendor. */
  #isOfAnother(name: string, model: string): boolean {
    const slash = model.indexOf("/");
    const vendor = model.slice(0, Math.max(slash, 0));
    return vendor !== "" && vendor !== name && this.#isVendor(vendor);
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
