import type { CacheEntry, CacheService } from "../../core/index.ts";
import { Blocks, blockBytes, type Place } from "./blocks.ts";
import { Bounded } from "./bounded.ts";

export interface MemoryLimits {
  /** Bytes of all entries together. */
  readonly maxBytes: number;
  /** Bytes of one entry. */
  readonly maxEntryBytes: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Bytes in the memory of this process; what was not used for the longest time makes room. */
export class MemoryCache implements CacheService {
  readonly shared = false;
  readonly available = true;
  readonly #blocks = new Blocks();
  readonly #entries: Bounded<Place>;
  readonly #maxEntryBytes: number;

  constructor({ maxBytes, maxEntryBytes, now }: MemoryLimits) {
    this.#entries = new Bounded(maxBytes, now, (_, place) => this.#blocks.free(place));
    this.#maxEntryBytes = maxEntryBytes;
  }

  get(entry: CacheEntry): Buffer | undefined {
    const place = this.#entries.get(nameOf(entry));
    return place && this.#blocks.read(place);
  }

  set(entry: CacheEntry, value: Buffer, ttlSeconds: number): void {
    const name = nameOf(entry);
    // What is too large still ends what stood there before.
    if (value.length > this.#maxEntryBytes) return this.#entries.delete(name);
    const blocks = Math.ceil(value.length / blockBytes);
    this.#entries.set(name, this.#blocks.write(value), blocks * blockBytes, ttlSeconds);
  }

  claim(entry: CacheEntry, value: Buffer, ttlSeconds: number): Buffer {
    const known = this.get(entry);
    if (known) return known;
    this.set(entry, value, ttlSeconds);
    return value;
  }

  delete(entry: CacheEntry): void {
    this.#entries.delete(nameOf(entry));
  }
}

/** Of tenant and key, so that no two pairs have the same. */
export const nameOf = ({ tenant, key }: CacheEntry): string => `${tenant.length}:${tenant}:${key}`;
