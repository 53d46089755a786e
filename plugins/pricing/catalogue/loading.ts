import { isAbsolute, join } from "node:path";
import type { Logger } from "../../../core/index.ts";
import type { PriceBook } from "../lookup/price-book.ts";
import type { PricingOptions } from "../options.ts";
import { Catalogue } from "./catalogue.ts";
import { readPriceFiles } from "./price-files.ts";
import { bundledProviders } from "./source.ts";

/** Has the price lists read into a book when a price is first asked for, and not at the start. */
export function priceLoader(
  book: PriceBook,
  { catalogue, files }: Pick<PricingOptions, "catalogue" | "files">,
  folder: string,
  log: Logger,
): () => Promise<void> | undefined {
  let loaded = !catalogue && files === "";
  let loading: Promise<void> | undefined;
  const failed = (what: string) => (error: unknown) => {
    log.error(`${what} could not be read: models that are only there have no price`, { error });
    return undefined;
  };
  const load = async () => {
    const [bundled, lists] = await Promise.all([
      catalogue ? bundledProviders().catch(failed("the catalogue of prices")) : undefined,
      files === ""
        ? undefined
        : readPriceFiles(isAbsolute(files) ? files : join(folder, files), log).catch(
            failed("the folder of price lists"),
          ),
    ]);
    book.fill(bundled && new Catalogue(bundled), lists);
    loaded = true;
  };
  return () => {
    if (loaded) return undefined;
    loading ??= load();
    return loading;
  };
}
