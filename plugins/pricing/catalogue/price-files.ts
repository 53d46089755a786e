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

/** Reads a price list. Throws where it is none; leaves out entries that are none. */
export function modelsOf(list: unknown): Models {
  if (!isRecord(list)) throw new TypeError("a price list is an object of models: {MODEL: {pricing_config: {…}}}");
  return new Map(
    Object.entries(list).flatMap(([model, entry]) => {
      const sheet = sheetOf(isRecord(entry) ? entry.pricing_config : undefined);
      return Object.keys(sheet.rates).length > 0 || sheet.images || sheet.calculate ? [[model, [{ sheet }]]] : [];
    }),
  );
}
