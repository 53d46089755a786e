import { isRecord } from "../../../core/index.ts";
import { sheetOf } from "../prices/pricing-object.ts";
import type { DatedSheet } from "../prices/sheet.ts";

export type Models = ReadonlyMap<string, readonly DatedSheet[]>;

/** Price lists by vendor. */
export type Vendors = ReadonlyMap<string, Models>;

/** The entry that is for models a list does not name. */
const fallback = "default";

/** Price lists of an operator's own, one for each vendor (operations.md section 3.11). */
export class PriceFiles {
  readonly #vendors: Vendors;

  constructor(vendors: Vendors) {
    this.#vendors = vendors;
  }

  prices(provider: string, model: string): readonly DatedSheet[] | undefined {
    return model === fallback ? undefined : this.#vendors.get(provider)?.get(model);
  }

  fallback(provider: string): readonly DatedSheet[] | undefined {
    return this.#vendors.get(provider)?.get(fallback);
  }

  models(provider: string): Models {
    return this.#vendors.get(provider) ?? new Map();
  }
}

/** All lists in one: of a model in several of them, the first counts. */
export function merged(lists: readonly Vendors[]): Vendors {
  const all = new Map<string, Models>();
  for (const list of lists)
    for (const [vendor, models] of list) all.set(vendor, new Map([...models, ...(all.get(vendor) ?? [])]));
  return all;
}

/** An entry of a price list that is none, and why. */
export interface WrongEntry {
  readonly model: string;
  readonly error: unknown;
}

/** Reads a price list. Throws where it is none; leaves out entries that are none, and tells `wrong` of those that were to be some. */
export function modelsOf(list: unknown, wrong: (entry: WrongEntry) => void): Models {
  if (!isRecord(list)) throw new TypeError("a price list is an object of models: {MODEL: {pricing_config: {…}}}");
  const models = new Map<string, readonly DatedSheet[]>();
  for (const [model, entry] of Object.entries(list)) {
    try {
      const sheet = sheetOf(isRecord(entry) ? entry.pricing_config : undefined);
      if (Object.keys(sheet.rates).length > 0 || sheet.images || sheet.calculate) models.set(model, [{ sheet }]);
    } catch (error) {
      wrong({ model, error });
    }
  }
  return models;
}
