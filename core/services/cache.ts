import { serviceToken } from "../service-token.ts";

/**
 * Bytes with a time to live, kept apart by tenant. What is kept may vanish at any time (room, a restart, a store that is
 * down): callers go on without it. Nothing here throws or rejects; a store in trouble answers as if it were empty.
 */
export interface CacheService {
  /** Whether other processes and machines see the same entries. Where not, keys may be such as only this process makes. */
  readonly shared: boolean;
  /** Whether the store can be used at the moment; a memory always can. */
  readonly available: boolean;
  /** Undefined when there is none, it has expired, or the store is down. Synchronous where nothing has to be asked. */
  get(entry: CacheEntry): Buffer | undefined | Promise<Buffer | undefined>;
  /** Replaces what is there. An entry too large for the store is not kept. The bytes are the store's from here on. */
  set(entry: CacheEntry, value: Buffer, ttlSeconds: number): void | Promise<void>;
  /** Keeps the value unless there is one, in one step; what is there afterwards. Undefined where the store kept neither. */
  claim(entry: CacheEntry, value: Buffer, ttlSeconds: number): Buffer | undefined | Promise<Buffer | undefined>;
  delete(entry: CacheEntry): void | Promise<void>;
}

export interface CacheEntry {
  /** Whose entry it is: entries of different tenants never meet. */
  readonly tenant: string;
  /** What it is, a digest where it is made of what callers write: `answer:<hexadecimal>`. */
  readonly key: string;
}

/** Where answers and other things that may be lost are kept. */
export const Cache = serviceToken<CacheService>("cache");

/** Vectors under the name of a space, found again by likeness. What `CacheService` says of losses holds here too. */
export interface VectorService {
  readonly available: boolean;
  /** Remembers a vector. All vectors of a space have the same length; one of another length is not kept. */
  add(space: CacheEntry, vector: VectorEntry, ttlSeconds: number): void | Promise<void>;
  /** The most alike vectors by cosine, best first, none below `least`. */
  nearest(space: CacheEntry, values: Float32Array, options: NearestOptions): VectorMatch[] | Promise<VectorMatch[]>;
  delete(space: CacheEntry, id: string): void | Promise<void>;
}

export interface VectorEntry {
  readonly id: string;
  readonly values: Float32Array;
}

export interface NearestOptions {
  /** Cosine, from -1 to 1. */
  readonly least: number;
  readonly most: number;
}

export interface VectorMatch {
  readonly id: string;
  readonly cosine: number;
}

/** Where vectors are kept. */
export const Vectors = serviceToken<VectorService>("vectors");
