import { readdir, readFile, stat } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import { type Ask, askForList, type Logger, maskedUrl, serviceToken } from "../../../core/index.ts";
import { uncountedKeys } from "../prices/units.ts";
import { type Models, modelsOf, type Vendors, type WrongEntry } from "./price-files.ts";

/** Where price lists of the operator's come from. */
export interface PriceSource {
  /** As it is told of in the log. */
  readonly name: string;
  /** Rejects where it cannot be read. The same lists as before are the same object. */
  read(): Promise<Vendors>;
  /** Whether it gave less than it should have: it is asked again soon. */
  readonly incomplete?: boolean;
}

/** What an address gave last, for asking it whether there is anything new. Outlives a reload. */
interface Fetched {
  readonly etag: string | undefined;
  readonly vendors: Vendors;
}
export type FetchedLists = Map<string, Fetched>;
export const FetchedPrices = serviceToken<FetchedLists>("pricing: lists that were fetched");

/** There is nothing at an address. */
export class NoSuchList extends Error {}

const isAddress = (source: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(source);

export const isPriceSource = (source: string): boolean =>
  isAddress(source) ? /^https:/i.test(source) && URL.canParse(source) : source !== "";

export interface SourceParts {
  /** What relative paths begin at. */
  readonly folder: string;
  readonly ask: Ask;
  readonly log: Pick<Logger, "warn">;
  readonly fetched: FetchedLists;
}

export const priceSource = (source: string, parts: SourceParts): PriceSource =>
  isAddress(source) ? remote(source, parts) : local(source, parts);

/** A list for one vendor, or a folder of them. */
function local(source: string, { folder, log }: SourceParts): PriceSource {
  const path = isAbsolute(source) ? source : join(folder, source);
  return {
    name: source,
    async read() {
      if (!(await stat(path)).isDirectory()) return new Map([[vendorOf(path), await listIn(path, log)]]);
      const vendors = new Map<string, Models>();
      for (const name of await readdir(path)) {
        if (!name.endsWith(".json")) continue;
        const file = join(path, name);
        // One that is no price list is no reason to do without the others.
        const models = await listIn(file, log).catch((error: unknown) =>
          log.warn("a price list is left out", { file, error }),
        );
        if (models) vendors.set(vendorOf(name), models);
      }
      return vendors;
    },
  };
}

const listIn = async (file: string, log: SourceParts["log"]): Promise<Models> =>
  listOf(await readFile(file, "utf8"), file, log);

/** One wrong price is no reason to do without the others of its list. */
function listOf(text: string, source: string, log: SourceParts["log"]): Models {
  const wrong: WrongEntry[] = [];
  const models = modelsOf(JSON.parse(text), (entry) => wrong.push(entry));
  const [first] = wrong;
  if (first) {
    const { model, error } = first;
    log.warn("models of a price list are left out: their prices are none", {
      source,
      models: wrong.length,
      model,
      error,
    });
  }
  tellUncounted(models, source, log);
  return models;
}

/** What is priced and counted nowhere is no secret: it may be most of what a model costs. */
function tellUncounted(models: Models, source: string, log: SourceParts["log"]): void {
  const found = [...models].flatMap(([model, sheets]) => {
    const prices = [...new Set(sheets.flatMap(({ sheet }) => uncountedKeys(sheet)))];
    return prices.length > 0 ? [{ model, prices }] : [];
  });
  const [first] = found;
  if (first)
    log.warn(
      "prices of a price list are not counted here: what of a call they are for is not in its cost, or makes it unknown",
      {
        source,
        models: found.length,
        model: first.model,
        prices: first.prices,
      },
    );
}

/** `openai.json` is for `openai`, and so is what is served as `…/pricing/openai`. */
const vendorOf = (path: string): string => basename(path).replace(/\.json$/, "");

/** A list for one vendor, asked for again only where it has changed. */
function remote(url: string, { ask, fetched, log }: SourceParts): PriceSource {
  const name = maskedUrl(url.replace(/\?.*$/s, ""));
  return {
    name,
    async read() {
      const known = fetched.get(url);
      const { status, headers, text } = await askForList(
        ask,
        url,
        known?.etag === undefined ? {} : { "if-none-match": known.etag },
      );
      if (status === 304 && known) return known.vendors;
      if (status === 404) throw new NoSuchList("the address answered 404");
      if (status !== 200) throw new Error(`the address answered ${status}`);
      const { etag } = headers;
      const vendors = new Map([[vendorOf(new URL(url).pathname), listOf(text, name, log)]]);
      fetched.set(url, { etag: typeof etag === "string" ? etag : undefined, vendors });
      return vendors;
    },
  };
}
