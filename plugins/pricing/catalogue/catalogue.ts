import type { ModelInfo, Provider } from "@pydantic/genai-prices";
import type { DatedSheet } from "../prices/sheet.ts";
import { isMeant, longestName, withHyphens } from "./matching.ts";
import { datedSheetsOf } from "./source.ts";
import { catalogueNames, catalogueNamesOf } from "./vendors.ts";

/** The prices that come with the gateway, by provider and model. */
export class Catalogue {
  readonly #vendors: ReadonlyMap<string, Provider>;
  readonly #converted = new WeakMap<ModelInfo, readonly DatedSheet[]>();

  constructor(vendors: readonly Provider[]) {
    this.#vendors = new Map(vendors.map((vendor) => [vendor.id, vendor]));
  }

  /** `exact` is for models of one's own: a name that only resembles an entry is no word of it. */
  prices(provider: string, model: string, exact = false): readonly DatedSheet[] | undefined {
    if (model.length > longestName) return undefined;
    for (const name of catalogueNamesOf(provider, model)) {
      const vendor = this.#vendors.get(name.vendor);
      const found = vendor && this.#find(vendor, name.model.toLowerCase().trim(), exact);
      const sheets = found && this.#sheetsOf(vendor, found);
      if (sheets && sheets.length > 0) return sheets;
    }
    return undefined;
  }

  /** All models of a provider that have prices, by the name they have in the catalogue. */
  models(provider: string): ReadonlyMap<string, readonly DatedSheet[]> {
    const vendor = this.#vendors.get(catalogueNames[provider] ?? "");
    const priced = (vendor?.models ?? []).map((model) => [model.id, this.#sheetsOf(vendor, model)] as const);
    return new Map(priced.filter(([, sheets]) => sheets.length > 0));
  }

  #find(vendor: Provider, name: string, exact: boolean): ModelInfo | undefined {
    if (exact) return vendor.models.find(({ id }) => id.toLowerCase() === name);
    return this.#meant(vendor, name) ?? this.#meant(vendor, withHyphens(name));
  }

  #meant(vendor: Provider, name: string): ModelInfo | undefined {
    const own = vendor.models.find(({ match }) => isMeant(match, name));
    if (own) return own;
    for (const other of vendor.fallback_model_providers ?? []) {
      const next = this.#vendors.get(other);
      const found = next && this.#meant(next, name);
      if (found) return found;
    }
    return undefined;
  }

  /** Converted when first asked for: most models are never called. */
  #sheetsOf(vendor: Provider | undefined, model: ModelInfo): readonly DatedSheet[] {
    let sheets = this.#converted.get(model);
    if (!sheets) {
      sheets = datedSheetsOf(vendor?.id ?? "", model);
      this.#converted.set(model, sheets);
    }
    return sheets;
  }
}
