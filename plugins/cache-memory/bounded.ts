import { AgedMap } from "../../core/index.ts";

interface Kept<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** What an entry costs beside its value and its name: the map's slot, the records. */
const overhead = 256;

/** Values by name, within a number of bytes. What was not asked for the longest time goes first. */
export class Bounded<Value> {
  /** In the order of last use. */
  readonly #kept = new AgedMap<string, Kept<Value>>();
  readonly #maxBytes: number;
  readonly #now: () => number;
  readonly #onGone: (name: string, value: Value) => void;
  #bytes = 0;

  constructor(maxBytes: number, now: () => number, onGone: (name: string, value: Value) => void = ignore) {
    this.#maxBytes = maxBytes;
    this.#now = now;
    this.#onGone = onGone;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Finding a value counts as using it. */
  get(name: string): Value | undefined {
    const kept = this.#kept.use(name);
    if (!kept) return undefined;
    if (kept.expiresAt > this.#now()) return kept.value;
    this.delete(name);
    return undefined;
  }

  /** Keeps a value of so many bytes; one that could not be kept alone is not kept. */
  set(name: string, value: Value, valueBytes: number, ttlSeconds: number): void {
    const bytes = valueBytes + name.length * 2 + overhead;
    if (bytes > this.#maxBytes || ttlSeconds <= 0) {
      this.delete(name);
      return this.#onGone(name, value);
    }
    const before = this.#kept.set(name, { value, bytes, expiresAt: this.#now() + ttlSeconds * 1000 });
    if (before) this.#gone(name, before);
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#kept.shift();
      if (!oldest) return;
      this.#gone(...oldest);
    }
  }

  delete(name: string): void {
    const kept = this.#kept.get(name);
    if (!kept) return;
    this.#kept.delete(name);
    this.#gone(name, kept);
  }

  #gone(name: string, { value, bytes }: Kept<Value>): void {
    this.#bytes -= bytes;
    this.#onGone(name, value);
  }
}

function ignore(): void {}
