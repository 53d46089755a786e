import { AgedMap, type BoundProvider, type Exchange, type StoredPricing } from "../../../core/index.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { PriceFiles } from "../catalogue/price-files.ts";
import { freeByName } from "../catalogue/source.ts";
import type { PricingOptions } from "../options.ts";
import { sheetOf } from "../prices/pricing-object.ts";
import type { DatedSheet } from "../prices/sheet.ts";
import { uncountedKeys } from "../prices/units.ts";
import { type Layer, LayeredPrices } from "./layers.ts";
import { OwnTable } from "./own-tables.ts";

/** Whose model is asked for. */
export interface Asked {
  readonly provider: Pick<BoundProvider, "slug" | "name" | "pricing" | "modelBehind">;
  readonly model: string;
  readonly principal?: Exchange["principal"] | undefined;
}

/** What was found, and what was known of the model then: what stands behind its name may be learnt later. */
interface Kept {
  readonly pricing: StoredPricing | undefined;
  readonly behind: string;
  readonly prices: LayeredPrices;
}

/**
 * Finds the prices of a model in the order of policies.md section 9.2: those of the integration it is called through, the
 * operator's for the workspace and for all, the price lists of files, the catalogue; then what is said of all models of
 * the provider. What is found is kept ready.
 */
export class PriceBook {
  readonly #options: PricingOptions;
  readonly #general: OwnTable;
  readonly #workspaces: ReadonlyMap<string, OwnTable>;
  #kept = new AgedMap<string, Kept>();
  readonly #failed: (model: string, error: unknown) => void;
  #catalogue: Catalogue | undefined;
  #files: PriceFiles | undefined;

  /** `failed` is told of prices of integrations that cannot be read: they count for nothing. */
  constructor(
    options: PricingOptions,
    failed: (model: string, error: unknown) => void,
    isVendor: (name: string) => boolean,
  ) {
    this.#options = options;
    this.#failed = failed;
    this.#general = new OwnTable(options, isVendor);
    const tables = Object.entries(options.workspaces);
    this.#workspaces = new Map(tables.map(([id, table]) => [id, new OwnTable(table, isVendor)]));
  }

  /** Brings price lists. What was not found without them is looked for anew. */
  fill(catalogue: Catalogue | undefined, files?: PriceFiles | undefined): void {
    this.#catalogue = catalogue;
    this.#files = files;
    this.#kept = new AgedMap();
  }

  prices({ provider, model, principal }: Asked): LayeredPrices {
    const pricing = provider.pricing?.(model);
    const own = this.#workspaces.size > 0 ? this.#workspaces.get(principal?.workspace ?? "") : undefined;
    // Stored providers of two workspaces may have the same slug.
    const whose = provider.pricing || own ? `${principal?.organisation} ${principal?.workspace}` : "";
    const key = `${provider.name} ${provider.slug} ${whose} ${model}`;
    const kept = this.#kept.get(key);
    const behind = pricing?.own ? model : (provider.modelBehind?.(model) ?? model);
    if (kept && kept.pricing === pricing && kept.behind === behind) return kept.prices;
    const prices = this.#found({ provider, model, behind }, pricing, own);
    this.#kept.set(key, { pricing, behind, prices });
    if (this.#kept.size > this.#options.remembered) this.#kept.shift();
    return prices;
  }

  /** Names of all models of a vendor that have prices of their own. */
  modelsOf(name: string): readonly string[] {
    const listed = [this.#files?.models(name), this.#catalogue?.models(name)].flatMap((one) => [
      ...(one?.keys() ?? []),
    ]);
    return [...new Set([...this.#general.modelsOf(name), ...listed])].filter((model) => model !== "default");
  }

  #found(
    { provider, model, behind }: Pick<Asked, "provider" | "model"> & Pick<Kept, "behind">,
    pricing: StoredPricing | undefined,
    own: OwnTable | undefined,
  ): LayeredPrices {
    const exact = pricing?.own === true;
    const tables = [own, this.#general].filter((table): table is OwnTable => table !== undefined);
    const named = (table: OwnTable) => table.prices(provider, model) ?? table.prices(provider, behind);
    const layers: (Layer | undefined)[] = [
      layer("model", this.#sheetsOf(model, pricing)),
      ...tables.map((table) => layer("config", named(table))),
      layer("catalogue", this.#files?.prices(provider.name, behind)),
      layer("catalogue", this.#catalogue?.prices(provider.name, behind, exact)),
      layer("catalogue", freeByName(provider.name, behind)),
    ];
    const known = layers.filter((one) => one !== undefined);
    // What is said of all models of a provider is for those nobody else knows.
    const last = exact
      ? []
      : [
          ...tables.map((table) => layer("config", table.fallback(provider))),
          layer("catalogue", this.#files?.fallback(provider.name)),
        ].filter((one) => one !== undefined);
    const multipliers = [pricing?.multiplier, tables.map((table) => table.multiplier(provider)).find(Boolean)];
    return new LayeredPrices(
      known.length > 0 ? known : last,
      multipliers.filter((one) => one !== undefined),
    );
  }

  #sheetsOf(model: string, pricing: StoredPricing | undefined): readonly DatedSheet[] | undefined {
    if (!pricing?.prices) return undefined;
    try {
      const sheet = sheetOf(pricing.prices);
      const prices = uncountedKeys(sheet);
      if (prices.length > 0) this.#failed(model, new RangeError(`not counted here: ${prices.join(", ")}`));
      return [{ sheet }];
    } catch (error) {
      this.#failed(model, error);
      return undefined;
    }
  }
}

const layer = (source: Layer["source"], sheets: readonly DatedSheet[] | undefined): Layer | undefined =>
  sheets && sheets.length > 0 ? { source, sheets } : undefined;
