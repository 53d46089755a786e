import { atMost, type Logger } from "../../../core/index.ts";
import type { PriceBook } from "../lookup/price-book.ts";
import { Catalogue } from "./catalogue.ts";
import { merged, PriceFiles, type Vendors } from "./price-files.ts";
import { bundledProviders } from "./source.ts";
import type { PriceSource } from "./sources.ts";

export interface LoaderInput {
  readonly book: PriceBook;
  /** Whether the prices that come with the gateway count. */
  readonly catalogue: boolean;
  readonly sources: readonly PriceSource[];
  /** What each gave before this generation of the config. */
  readonly before: readonly (Vendors | undefined)[];
  readonly log: Logger;
}

/** A source that has given nothing yet is asked again soon. */
const soon = 5 * 60_000;

/** Milliseconds that requests wait for sources before they are priced without: a tap that waits longer bills nothing. */
const patience = 20_000;

/** Brings prices into a book: when one is first asked for, and those of the operator's sources again from time to time. */
export class PriceLoader {
  readonly #input: LoaderInput;
  readonly #lists: (Vendors | undefined)[];
  #bundled: Catalogue | undefined;
  #loaded: boolean;
  #loading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(input: LoaderInput) {
    this.#input = input;
    this.#lists = input.sources.map((_, at) => input.before[at]);
    this.#loaded = !input.catalogue && input.sources.length === 0;
  }

  /** Resolves when all prices are there; undefined where they are. Begins reading them. */
  readonly ready = (): Promise<void> | undefined => {
    if (this.#loaded) return undefined;
    this.#loading ??= this.#load();
    return this.#loading;
  };

  /** Reads the sources every so often, in milliseconds, from now on. */
  keepFresh(every: number): void {
    if (this.#input.sources.length === 0 || every <= 0) return;
    void this.ready();
    const { sources } = this.#input;
    const lacks = () => this.#lists.includes(undefined) || sources.some(({ incomplete }) => incomplete === true);
    const next = () => (lacks() ? Math.min(every, soon) : every);
    const again = async () => {
      await this.ready();
      if (this.#closed) return;
      this.#timer = setTimeout(() => void this.#refresh().then(again), next());
      this.#timer.unref();
    };
    void again();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #load(): Promise<void> {
    const { catalogue, log } = this.#input;
    const bundled = catalogue
      ? bundledProviders().catch((error: unknown) => {
          log.error("the catalogue of prices could not be read: models that are only there have no price", { error });
          return undefined;
        })
      : undefined;
    const reading = this.#read();
    const [vendors, inTime] = await Promise.all([bundled, atMost(patience, reading)]);
    this.#bundled = vendors && new Catalogue(vendors);
    this.#fill();
    this.#loaded = true;
    if (inTime) return;
    log.warn("sources of prices are slow: what they have counts when it is there");
    void reading.then(() => this.#closed || this.#fill());
  }

  async #refresh(): Promise<void> {
    if ((await this.#read()) && !this.#closed) this.#fill();
  }

  /** Whether anything has changed. A source that fails keeps what it gave before. */
  async #read(): Promise<boolean> {
    const { sources, log } = this.#input;
    const changes = sources.map(async (source, at) => {
      try {
        const list = await source.read();
        const changed = list !== this.#lists[at];
        this.#lists[at] = list;
        return changed;
      } catch (error) {
        const stays = this.#lists[at] ? "its prices stay as they were" : "models that are only there have no price";
        log.warn(`a source of prices could not be read: ${stays}`, { source: source.name, error });
        return false;
      }
    });
    return (await Promise.all(changes)).includes(true);
  }

  #fill(): void {
    const lists = this.#lists.filter((list) => list !== undefined);
    this.#input.book.fill(this.#bundled, lists.length > 0 ? new PriceFiles(merged(lists)) : undefined);
  }
}
