import { AgedMap } from "../../core/index.ts";

interface Kept<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** What an entry costs beside its value and its name: the map's slot, the record, the buffer's header. */
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
    const kept = this.#kept.get(name);
    if (!kept) return undefined;
    if (kept.expiresAt <= this.#now()) {
      this.delete(name);
      return undefined;
    }
    this.#kept.set(name, kept);
    return kept.value;
  }

  /** Keeps a value of so many bytes; one that could not be kept alone is not kept. */
  set(name: string, value: Value, valueBytes: number, ttlSeconds: number): void {
    this.delete(name);
    const bytes = valueBytes + name.length * 2 + overhead;
    if (bytes > this.#maxBytes || ttlSeconds <= 0) return this.#onGone(name, value);
    this.#kept.set(name, { value, bytes, expiresAt: this.#now() + ttlSeconds * 1000 });
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes) {
      const { oldest } = this.#kept;
      if (oldest === undefined) return;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    const kept = this.#kept.get(name);
    if (!kept) return;
    this.#kept.delete(name);
    this.#bytes -= kept.bytes;
    this.#onGone(name, kept.value);
  }
}

function ignore(): void {}
