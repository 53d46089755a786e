import type { CacheEntry, CacheService } from "../../core/index.ts";
import { Blocks, blockBytes } from "./blocks.ts";
import { none, Slots } from "./slots.ts";

export interface MemoryLimits {
  /** Bytes of all entries together. */
  readonly maxBytes: number;
  /** Bytes of one entry. */
  readonly maxEntryBytes: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What an entry costs beside its blocks: its slot, where half of them may be free. */
const overhead = 128;

/** Bytes in the memory of this process, each entry with its name before it; what was not used for the longest time makes room. */
export class MemoryCache implements CacheService {
  readonly shared = false;
  readonly available = true;
  readonly #limits: MemoryLimits;
  readonly #blocks = new Blocks();
  readonly #slots = new Slots();
  #bytes = 0;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  /** Bytes of all entries together. */
  get bytes(): number {
    return this.#bytes;
  }

  get(entry: CacheEntry): Buffer | undefined {
    const hash = hashOf(entry);
    if (this.#slots.alike(hash) === none) return undefined;
    const name = nameBytesOf(entry);
    const slot = this.#find(hash, name);
    if (slot === none) return undefined;
    if (this.#slots.expiresAt(slot) <= this.#limits.now()) {
      this.#remove(slot);
      return undefined;
    }
    this.#slots.use(slot);
    return this.#blocks.read(this.#placeOf(slot)).subarray(name.length);
  }

  set(entry: CacheEntry, value: Buffer, ttlSeconds: number): void {
    const { maxBytes, maxEntryBytes, now } = this.#limits;
    const hash = hashOf(entry);
    const name = nameBytesOf(entry);
    this.#forget(hash, name);
    const length = name.length + value.length;
    const bytes = bytesOf(length);
    // What is too large still ends what stood there before.
    if (value.length > maxEntryBytes || bytes > maxBytes || ttlSeconds <= 0) return;
    const { first } = this.#blocks.write(name, value);
    this.#slots.add(hash, first, length, now() + ttlSeconds * 1000);
    this.#bytes += bytes;
    while (this.#bytes > maxBytes) this.#remove(this.#slots.oldest);
  }

  claim(entry: CacheEntry, value: Buffer, ttlSeconds: number): Buffer | undefined {
    const known = this.get(entry);
    if (known) return known;
    this.set(entry, value, ttlSeconds);
    return this.get(entry);
  }

  delete(entry: CacheEntry): void {
    this.#forget(hashOf(entry), nameBytesOf(entry));
  }

  #forget(hash: number, name: Buffer): void {
    const slot = this.#find(hash, name);
    if (slot !== none) this.#remove(slot);
  }

  /** The slot of a name, or none. */
  #find(hash: number, name: Buffer): number {
    let slot = this.#slots.alike(hash);
    while (slot !== none && !this.#blocks.begins(this.#placeOf(slot), name)) slot = this.#slots.alike(hash, slot);
    return slot;
  }

  #remove(slot: number): void {
    this.#bytes -= bytesOf(this.#slots.length(slot));
    this.#blocks.free(this.#placeOf(slot));
    this.#slots.remove(slot);
  }

  #placeOf(slot: number) {
    return { first: this.#slots.firstBlock(slot), length: this.#slots.length(slot) };
  }
}

const bytesOf = (length: number): number => Math.ceil(length / blockBytes) * blockBytes + overhead;

/** Of tenant and key, so that no name of a pair begins with that of another. */
export const nameOf = ({ tenant, key }: CacheEntry): string => `${tenant.length}:${key.length}:${tenant}${key}`;

/** Every text has bytes of its own: halves of surrogate pairs, which UTF-8 has one replacement for, are kept as they are. */
function nameBytesOf(entry: CacheEntry): Buffer {
  const name = nameOf(entry);
  return Buffer.from(name, name.isWellFormed() ? "utf8" : "utf16le");
}

/** FNV-1a; what callers write is in keys as a digest only, at their end, so nobody can choose where they meet. */
function hashOf({ tenant, key }: CacheEntry): number {
  return hashedEnd(key, hashedEnd(tenant, 0x811c9dc5 | 0));
}

/** Characters at the end of a text that tell it from most others: 64 bits of a digest, or of an id. */
const telling = 16;

function hashedEnd(text: string, from: number): number {
  let hash = from;
  for (let at = Math.max(0, text.length - telling); at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
