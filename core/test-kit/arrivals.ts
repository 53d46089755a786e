/** Fake clocks of a test do not hold this one. */
const { setTimeout, clearTimeout } = globalThis;

/** How long to wait for what should have come. */
const patienceMs = 10_000;

interface Waiting<Item> {
  take(item: Item): void;
  end(reason: string): void;
}

/** What has come so far, and a way to wait for what has not: no test has to sleep. */
export class Arrivals<Item> {
  readonly #what: string;
  readonly #waiting = new Set<Waiting<Item>>();
  #all: Item[] = [];

  /** `what` is what an item is, for messages. */
  constructor(what: string) {
    this.#what = what;
  }

  get all(): readonly Item[] {
    return this.#all;
  }

  add(item: Item): void {
    this.#all.push(item);
    for (const waiting of this.#waiting) waiting.take(item);
  }

  forget(): void {
    this.#all = [];
  }

  /** The first one that matches, now or when it comes. Rejects when it takes too long, and when nothing can come any more. */
  first(matches: (item: Item, at: number) => boolean, patience = patienceMs): Promise<Item> {
    const known = this.#all.find(matches);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const over = () => {
        clearTimeout(clock);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting<Item> = {
        take: (item) => {
          if (!matches(item, this.#all.length - 1)) return;
          over();
          resolve(item);
        },
        end: (reason) => {
          over();
          reject(new Error(`The ${this.#what} that was waited for did not come ${reason}; ${this.#all.length} did.`));
        },
      };
      const clock = setTimeout(() => waiting.end(`within ${patience} ms`), patience);
      this.#waiting.add(waiting);
    });
  }

  end(): void {
    for (const waiting of this.#waiting) waiting.end("before everything was closed");
  }
}
