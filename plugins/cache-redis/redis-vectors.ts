import {
  type CacheEntry,
  type Logger,
  type NearestOptions,
  nearestOf,
  type RedisService,
  unitVector,
  type VectorEntry,
  type VectorMatch,
  type VectorService,
} from "../../core/index.ts";
import { keyOf } from "./keys.ts";

export interface RedisVectorsOptions {
  readonly redis: RedisService;
  readonly log: Logger;
  /** Vectors of one space. */
  readonly maxVectors: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * A space is a hash of ids and records beside a sorted set of ids by the time they expire at. Those whose time is up go
 * whenever one is added, and beyond the bound those that would expire next. Where Redis has evicted one of the two keys,
 * what the other still says is of no use, and the space begins anew.
 */
const addScript = `
local values, times = KEYS[1], KEYS[2]
local id, record, expires, now, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local function drop(ids)
  for _, one in ipairs(ids) do redis.call('HDEL', values, one); redis.call('ZREM', times, one) end
end
if redis.call('HLEN', values) ~= redis.call('ZCARD', times) then redis.call('DEL', values, times) end
drop(redis.call('ZRANGEBYSCORE', times, '-inf', now))
local known = redis.call('ZRANGE', times, 0, 0)[1]
if known and redis.call('HSTRLEN', values, known) ~= #record then return 0 end
redis.call('HSET', values, id, record)
redis.call('ZADD', times, expires, id)
local excess = redis.call('ZCARD', times) - most
if excess > 0 then drop(redis.call('ZRANGE', times, 0, excess - 1)) end
local last = redis.call('ZRANGE', times, -1, -1, 'WITHSCORES')[2]
if last then
  redis.call('PEXPIREAT', values, last)
  redis.call('PEXPIREAT', times, last)
end
return 1`;

/** In one step, so that nobody who adds one meanwhile finds the two keys at odds. */
const deleteScript = `
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1`;

/** Vectors in Redis, fetched a space at a time and compared here. */
export class RedisVectors implements VectorService {
  readonly #redis: RedisService;
  readonly #log: Logger;
  readonly #maxVectors: number;
  readonly #now: () => number;

  constructor({ redis, log, maxVectors, now }: RedisVectorsOptions) {
    this.#redis = redis;
    this.#log = log;
    this.#maxVectors = maxVectors;
    this.#now = now;
  }

  get available(): boolean {
    return this.#redis.available;
  }

  async add(space: CacheEntry, { id, values }: VectorEntry, ttlSeconds: number): Promise<void> {
    const unit = unitVector(values);
    if (!unit || ttlSeconds <= 0) return;
    const now = this.#now();
    const expiresAt = Math.floor(now + ttlSeconds * 1000);
    const args = [id, recordOf(unit, expiresAt), expiresAt, now, this.#maxVectors];
    await this.#tried(this.#redis.script(addScript, this.#keysOf(space), args));
  }

  async nearest(space: CacheEntry, values: Float32Array, options: NearestOptions): Promise<VectorMatch[]> {
    const wanted = unitVector(values);
    if (!wanted) return [];
    const [key = ""] = this.#keysOf(space);
    const found = await this.#tried(this.#redis.command("HGETALL", key));
    return Array.isArray(found) ? nearestOf(wanted, vectorsIn(found, this.#now()), options) : [];
  }

  async delete(space: CacheEntry, id: string): Promise<void> {
    await this.#tried(this.#redis.script(deleteScript, this.#keysOf(space), [id]));
  }

  #keysOf(space: CacheEntry): string[] {
    const key = keyOf(this.#redis.keyPrefix, "vectors", space);
    return [key, `${key}:times`];
  }

  async #tried(sent: Promise<unknown>): Promise<unknown> {
    try {
      return await sent;
    } catch (error) {
      this.#log.debug("the vectors could not be used", { error });
      return undefined;
    }
  }
}

/** Bytes before the numbers of a record: when it expires, as a double. */
const head = 8;

function recordOf(values: Float32Array, expiresAt: number): Buffer {
  const record = Buffer.alloc(head + values.byteLength);
  record.writeDoubleLE(expiresAt, 0);
  record.set(bytesOf(values), head);
  return record;
}

/** As the machine has them: a space of a thousand numbers a vector is copied, not read number by number. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Ids and records take turns in the answer. What is no record is passed by. */
function* vectorsIn(found: readonly unknown[], now: number): Generator<VectorEntry> {
  for (let at = 0; at + 1 < found.length; at += 2) {
    const record = found[at + 1];
    if (!Buffer.isBuffer(record) || record.length <= head || record.length % 4 !== 0) continue;
    if (record.readDoubleLE(0) <= now) continue;
    const values = new Float32Array((record.length - head) / 4);
    bytesOf(values).set(record.subarray(head));
    yield { id: String(found[at]), values };
  }
}
