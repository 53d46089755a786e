import type { CacheEntry, CacheService, Logger, RedisService } from "../../core/index.ts";
import { keyOf } from "./keys.ts";
import { packed, unpacked } from "./packed.ts";

export interface RedisCacheOptions {
  readonly redis: RedisService;
  readonly log: Logger;
  /** Bytes of one entry, before it is packed. */
  readonly maxEntryBytes: number;
}

const claimScript = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return ARGV[1] end
return redis.call('GET', KEYS[1])`;

/** Bytes in Redis, which forgets them by itself when their time is up. */
export class RedisCache implements CacheService {
  readonly shared = true;
  readonly #redis: RedisService;
  readonly #log: Logger;
  readonly #maxEntryBytes: number;

  constructor({ redis, log, maxEntryBytes }: RedisCacheOptions) {
    this.#redis = redis;
    this.#log = log;
    this.#maxEntryBytes = maxEntryBytes;
  }

  get available(): boolean {
    return this.#redis.available;
  }

  async get(entry: CacheEntry): Promise<Buffer | undefined> {
    return this.#valueOf(await this.#tried(this.#redis.command("GET", this.#keyOf(entry))));
  }

  async set(entry: CacheEntry, value: Buffer, ttlSeconds: number): Promise<void> {
    const milliseconds = Math.floor(ttlSeconds * 1000);
    // What is too large still ends what stood there before.
    if (value.length > this.#maxEntryBytes || milliseconds < 1) return this.delete(entry);
    const kept = packed(value);
    // What is as it was leaves at once, so that whatever is asked of the entry next comes behind it.
    const bytes = kept instanceof Promise ? await kept : kept;
    await this.#tried(this.#redis.command("SET", this.#keyOf(entry), bytes, "PX", milliseconds));
  }

  async claim(entry: CacheEntry, value: Buffer, ttlSeconds: number): Promise<Buffer | undefined> {
    const milliseconds = Math.floor(ttlSeconds * 1000);
    if (value.length > this.#maxEntryBytes || milliseconds < 1) return this.get(entry);
    const kept = packed(value);
    const bytes = kept instanceof Promise ? await kept : kept;
    const there = await this.#tried(this.#redis.script(claimScript, [this.#keyOf(entry)], [bytes, milliseconds]));
    // A Redis that takes nothing new still knows who was first.
    return Buffer.isBuffer(there) ? this.#valueOf(there) : this.get(entry);
  }

  async delete(entry: CacheEntry): Promise<void> {
    await this.#tried(this.#redis.command("DEL", this.#keyOf(entry)));
  }

  async #valueOf(found: unknown): Promise<Buffer | undefined> {
    return Buffer.isBuffer(found) ? unpacked(found, this.#maxEntryBytes) : undefined;
  }

  #keyOf(entry: CacheEntry): string {
    return keyOf(this.#redis.keyPrefix, "cache", entry);
  }

  /** The connection tells the log when Redis is away; here that is an empty store. */
  async #tried(sent: Promise<unknown>): Promise<unknown> {
    try {
      return await sent;
    } catch (error) {
      this.#log.debug("the cache could not be used", { error });
      return undefined;
    }
  }
}
