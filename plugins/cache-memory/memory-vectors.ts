import {
  type CacheEntry,
  type NearestOptions,
  nearestOf,
  unitVector,
  type VectorEntry,
  type VectorMatch,
  type VectorService,
} from "../../core/index.ts";
import { Bounded } from "./bounded.ts";
import { nameOf } from "./memory-cache.ts";

export interface VectorLimits {
  /** Bytes of all vectors together. */
  readonly maxBytes: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

interface KeptVector {
  readonly space: string;
  readonly id: string;
  /** Of length 1. */
  readonly values: Float32Array;
}

/** Bytes that a vector takes beside its numbers (the buffer they are in, its place in its space), and its space beside it. */
const beside = { vector: 256, space: 512 };

/** Vectors in the memory of this process, compared one by one; what was not found for the longest time makes room. */
export class MemoryVectors implements VectorService {
  readonly available = true;
  readonly #vectors: Bounded<KeptVector>;
  /** The ids of each space. */
  readonly #spaces = new Map<string, Map<string, KeptVector>>();

  constructor({ maxBytes, now }: VectorLimits) {
    this.#vectors = new Bounded(maxBytes, now, (_, vector) => this.#forget(vector));
  }

  add(space: CacheEntry, { id, values }: VectorEntry, ttlSeconds: number): void {
    const unit = unitVector(values);
    const name = nameOf(space);
    const known = this.#spaces.get(name);
    const first = known?.values().next().value;
    if (!unit || (first && first.values.length !== unit.length)) return;
    const vector = { space: name, id, values: unit };
    const full = `${name.length}:${name}:${id}`;
    this.#vectors.delete(full);
    const vectors = this.#spaces.get(name) ?? new Map<string, KeptVector>();
    this.#spaces.set(name, vectors);
    vectors.set(id, vector);
    const bytes = unit.byteLength + id.length * 2 + beside.vector + (first ? 0 : beside.space + name.length * 2);
    this.#vectors.set(full, vector, bytes, ttlSeconds);
  }

  nearest(space: CacheEntry, values: Float32Array, options: NearestOptions): VectorMatch[] {
    const wanted = unitVector(values);
    const name = nameOf(space);
    const vectors = this.#spaces.get(name);
    if (!wanted || !vectors) return [];
    // Those that have expired are as alike as ever: enough are asked for that they do not take anybody's place.
    return nearestOf(wanted, vectors.values(), { least: options.least, most: vectors.size })
      .filter(({ id }) => this.#vectors.get(`${name.length}:${name}:${id}`) !== undefined)
      .slice(0, options.most);
  }

  delete(space: CacheEntry, id: string): void {
    const name = nameOf(space);
    this.#vectors.delete(`${name.length}:${name}:${id}`);
  }

  #forget({ space, id }: KeptVector): void {
    const vectors = this.#spaces.get(space);
    vectors?.delete(id);
    if (vectors?.size === 0) this.#spaces.delete(space);
  }
}
