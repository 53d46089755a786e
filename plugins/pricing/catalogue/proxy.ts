import { maskedUrl } from "../../../core/index.ts";
import { merged, type Vendors } from "./price-files.ts";
import { NoSuchList, type PriceSource, priceSource, type SourceParts } from "./sources.ts";
import { catalogueNames } from "./vendors.ts";

export interface ProxyOptions {
  /** An https:// address. */
  readonly url: string;
  /** Vendors it is asked about besides those the catalogue knows. */
  readonly vendors: readonly string[];
}

/** Lists that are asked for at a time. */
const atOnce = 4;

/** One address for the lists of all vendors: `{url}/pricing/{vendor}` (operations.md section 3.11). */
export class PriceProxy implements PriceSource {
  readonly name: string;
  readonly #parts: SourceParts;
  readonly #urls: readonly string[];
  readonly #lists: readonly PriceSource[];
  incomplete = false;
  /** What was read last, and what it came to. */
  #read: readonly (Vendors | undefined)[] = [];
  #all: Vendors | undefined;

  constructor({ url, vendors }: ProxyOptions, parts: SourceParts) {
    this.name = maskedUrl(url);
    this.#parts = parts;
    const names = new Set([...Object.keys(catalogueNames), ...vendors]);
    this.#urls = Array.from(names, (vendor) => `${url.replace(/\/+$/, "")}/pricing/${encodeURIComponent(vendor)}`);
    this.#lists = this.#urls.map((one) => priceSource(one, parts));
  }

  /** What it gave before this generation of the config; undefined where that is nothing. */
  get before(): Vendors | undefined {
    const known = this.#urls.map((url) => this.#parts.fetched.get(url)?.vendors).filter((one) => one !== undefined);
    return known.length > 0 ? merged(known) : undefined;
  }

  /** A vendor it does not know has no list; one whose list fails keeps the one before. Rejects where all fail. */
  async read(): Promise<Vendors> {
    const found = await this.#settled();
    const failures = found.map((one) =>
      one.status === "rejected" && !(one.reason instanceof NoSuchList) ? one : undefined,
    );
    const [first] = failures.filter((one) => one !== undefined);
    if (first && failures.every((one) => one !== undefined)) throw first.reason;
    // What has a list from before can wait as long as one that was read.
    this.incomplete = failures.some((one, at) => one && !this.#parts.fetched.has(this.#urls[at] ?? ""));
    if (found.every((one) => one.status === "rejected") && !first)
      this.#parts.log.warn("an address for price lists has none of any vendor", { source: this.name });
    const lists = found.map((one, at) => {
      const source = this.#urls[at] ?? "";
      const failure = failures[at];
      if (failure)
        this.#parts.log.warn("a price list is left as it was", { source: maskedUrl(source), error: failure.reason });
      return one.status === "fulfilled" ? one.value : failure && this.#parts.fetched.get(source)?.vendors;
    });
    const isKnown = this.#all && lists.every((list, at) => list === this.#read[at]);
    if (isKnown && this.#all) return this.#all;
    this.#read = lists;
    this.#all = merged(lists.filter((list) => list !== undefined));
    return this.#all;
  }

  /** Asked few at a time: all of them at one moment is what many a server refuses. */
  async #settled(): Promise<PromiseSettledResult<Vendors>[]> {
    const found: PromiseSettledResult<Vendors>[] = [];
    for (let at = 0; at < this.#lists.length; at += atOnce)
      found.push(...(await Promise.allSettled(this.#lists.slice(at, at + atOnce).map((list) => list.read()))));
    return found;
  }
}
