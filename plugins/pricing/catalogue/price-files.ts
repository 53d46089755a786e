import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, type Logger } from "../../../core/index.ts";
import { sheetOf } from "../prices/pricing-object.ts";
import type { DatedSheet } from "../prices/sheet.ts";

type Models = ReadonlyMap<string, readonly DatedSheet[]>;

/** The entry that is for models a list does not name. */
const fallback = "default";

/** Price lists of an operator's own, one file for each vendor (operations.md section 3.11). */
export class PriceFiles {
  readonly #vendors: ReadonlyMap<string, Models>;

  constructor(vendors: ReadonlyMap<string, Models>) {
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

/** Reads all lists of a folder. One that is no price list is told of and left out; so is an entry that is none. */
export async function readPriceFiles(folder: string, log: Pick<Logger, "warn">): Promise<PriceFiles> {
  const vendors = new Map<string, Models>();
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".json")) continue;
    const file = join(folder, name);
    try {
      vendors.set(name.slice(0, -".json".length), modelsOf(JSON.parse(await readFile(file, "utf8"))));
    } catch (error) {
      log.warn("a price list is left out", { file, error });
    }
  }
  return new PriceFiles(vendors);
}

function modelsOf(list: unknown): Models {
  if (!isRecord(list)) throw new TypeError("a price list is an object of models: {MODEL: {pricing_config: {…}}}");
  return new Map(
    Object.entries(list).flatMap(([model, entry]) => {
      const sheet = sheetOf(isRecord(entry) ? entry.pricing_config : undefined);
      return Object.keys(sheet.rates).length > 0 || sheet.images || sheet.calculate ? [[model, [{ sheet }]]] : [];
    }),
  );
}
