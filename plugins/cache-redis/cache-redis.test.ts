import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { CacheEntry } from "../../core/index.ts";
import { keepingLogger } from "../../test/support/gateway.ts";
import { describeWithRedis, type RedisServer, startRedisServer } from "../../test/support/redis-server.ts";
import { describeStores } from "../cache-memory/testing.ts";
import { connectTo } from "../redis/testing.ts";
import { keyOf } from "./keys.ts";
import { RedisCache } from "./redis-cache.ts";
import { RedisVectors } from "./redis-vectors.ts";

describeWithRedis("Redis keeps", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.stop());

  async function open(maxVectors = 100, maxEntryBytes = 1000) {
    const { redis } = await connectTo(server.url, 2000);
    await expect.poll(() => redis.available, { interval: 5 }).toBe(true);
    await redis.command("FLUSHALL");
    const log = keepingLogger();
    let passed = 0;
    const now = () => Date.now() + passed;
    /** Redis has a clock of its own: what is left of every key's time is shortened instead. */
    const pass = async (seconds: number) => {
      passed += seconds * 1000;
      for (const key of (await redis.command("KEYS", "*")) as Buffer[])
        await redis.command("PEXPIRE", key, Number(await redis.command("PTTL", key)) - seconds * 1000);
    };
    const cache = new RedisCache({ redis, log, maxEntryBytes });
    const vectors = new RedisVectors({ redis, log, maxVectors, now });
    return { redis, log, cache, vectors, pass };
  }

  describeStores(() => open());

  const space = { tenant: "t", key: "space" };
  const at = (n: number) => Float32Array.of(1, n / 1000);
  const idsIn = async (vectors: RedisVectors) =>
    (await vectors.nearest(space, at(0), { least: -1, most: 100 })).map(({ id }) => id);

  it("long entries in less room than they have, and short ones as they are", async () => {
    const { cache, redis } = await open(1, 100_000);
    const [long, short] = [Buffer.from("the same words ".repeat(2000)), Buffer.from("the same words ".repeat(500))];
    const [a, b, c] = ["a", "b", "c"].map((key) => ({ tenant: "t", key })) as [CacheEntry, CacheEntry, CacheEntry];
    await cache.set(a, long, 60);
    await cache.set(b, short, 60);
    const room = (entry: CacheEntry) => redis.command("STRLEN", keyOf("test:", "cache", entry));
    expect(Number(await room(a))).toBeLessThan(1000);
    expect(await room(b)).toBe(short.length);
    expect([await cache.get(a), await cache.get(b)]).toEqual([long, short]);
    expect(await cache.claim(c, long, 60)).toEqual(long);
    expect(await cache.claim(a, short, 60)).toEqual(long);
  });

  it("a bounded number of vectors in a space, those that would expire next first out", async () => {
    const { vectors, redis } = await open(3);
    for (let n = 0; n < 6; n++) await vectors.add(space, { id: `${n}`, values: at(n) }, 600 + n);
    expect(await idsIn(vectors)).toEqual(["3", "4", "5"]);
    expect(await redis.command("HLEN", keyOf("test:", "vectors", space))).toBe(3);
  });

  it("nothing without an end", async () => {
    const { cache, vectors, redis } = await open();
    await cache.set({ tenant: "t", key: "a" }, Buffer.from("a"), 60);
    await cache.claim({ tenant: "t", key: "b" }, Buffer.from("b"), 60);
    await vectors.add(space, { id: "v", values: at(0) }, 600);
    await vectors.add(space, { id: "w", values: at(1) }, 60);
    const keys = (await redis.command("KEYS", "*")) as Buffer[];
    expect(keys).toHaveLength(4);
    for (const key of keys) {
      const left = Number(await redis.command("PTTL", key));
      expect(left).toBeGreaterThan(50_000);
      expect(left).toBeLessThanOrEqual(600_000);
    }
  });

  it("vectors whose time is up only until the next one comes", async () => {
    const { vectors, redis, pass } = await open();
    await vectors.add(space, { id: "old", values: at(0) }, 60);
    await vectors.add(space, { id: "long", values: at(1) }, 6000);
    await pass(61);
    await vectors.add(space, { id: "new", values: at(2) }, 60);
    expect(await redis.command("HLEN", keyOf("test:", "vectors", space))).toBe(2);
  });

  it.each([["the vectors"], ["their times"]])("a space anew of which %s were evicted", async (lost) => {
    const { vectors, redis } = await open();
    const key = keyOf("test:", "vectors", space);
    await vectors.add(space, { id: "a", values: at(0) }, 600);
    await vectors.add(space, { id: "b", values: at(1) }, 600);
    await redis.command("DEL", lost === "the vectors" ? key : `${key}:times`);
    await vectors.add(space, { id: "c", values: at(2) }, 60);
    expect(await idsIn(vectors)).toEqual(["c"]);
    expect([await redis.command("HLEN", key), await redis.command("ZCARD", `${key}:times`)]).toEqual([1, 1]);
  });

  it("keys that say nothing of who the tenant is", () => {
    expect(keyOf("p:", "cache", { tenant: "Acme {Inc}", key: "answer:0" })).toMatch(
      /^p:cache:\{[\da-f]{64}\}:answer:0$/,
    );
  });

  it("who was first where it takes nothing new, and says so where nobody was", async () => {
    const { cache, redis } = await open();
    const [known, unknown] = [{ tenant: "t", key: "a" } as const, { tenant: "t", key: "b" } as const];
    await cache.claim(known, Buffer.from("first"), 60);
    await redis.command("CONFIG", "SET", "maxmemory", "1");
    expect(String(await cache.claim(known, Buffer.from("second"), 60))).toBe("first");
    expect(await cache.claim(unknown, Buffer.from("second"), 60)).toBeUndefined();
    await redis.command("CONFIG", "SET", "maxmemory", "0");
  });

  it("what others put under its keys without falling over it", async () => {
    const { cache, vectors, redis, log } = await open();
    const entry = { tenant: "t", key: "a" };
    await redis.command("LPUSH", keyOf("test:", "cache", entry), "no bytes");
    expect(await cache.get(entry)).toBeUndefined();
    await cache.set(entry, Buffer.from("now"), 60);
    expect(String(await cache.get(entry))).toBe("now");
    const key = keyOf("test:", "vectors", space);
    await redis.command("HSET", key, "odd", "bytes", "empty", "");
    expect(await vectors.nearest(space, at(0), { least: -1, most: 9 })).toEqual([]);
    await redis.command("SET", key, "text");
    await vectors.add(space, { id: "v", values: at(0) }, 60);
    expect(await vectors.nearest(space, at(0), { least: -1, most: 9 })).toEqual([]);
    expect(log.lines.map(({ level }) => level)).not.toContain("warn");
  });
});

describeWithRedis("a cache whose Redis is away", () => {
  it("is empty, and never fails", async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    const { redis } = await connectTo(server.url);
    await expect.poll(() => redis.available, { interval: 5 }).toBe(true);
    const log = keepingLogger();
    const cache = new RedisCache({ redis, log, maxEntryBytes: 1000 });
    const vectors = new RedisVectors({ redis, log, maxVectors: 10, now: Date.now });
    const entry = { tenant: "t", key: "a" };
    const value = Buffer.from("text");
    const values = Float32Array.of(1, 2);
    for (const trouble of [server.freeze, server.stop]) {
      await trouble();
      await cache.set(entry, value, 60);
      expect(await cache.get(entry)).toBeUndefined();
      expect(await cache.claim(entry, value, 60)).toBeUndefined();
      await cache.delete(entry);
      await vectors.add(entry, { id: "a", values }, 60);
      expect(await vectors.nearest(entry, values, { least: 0, most: 1 })).toEqual([]);
      await vectors.delete(entry, "a");
      expect([cache.available, vectors.available]).toEqual([false, false]);
    }
  });
});

describe("keys in Redis", () => {
  it("differ where tenant, kind or key do", () => {
    const keys = [
      keyOf("p:", "cache", { tenant: "a", key: "k" }),
      keyOf("p:", "vectors", { tenant: "a", key: "k" }),
      keyOf("p:", "cache", { tenant: "b", key: "k" }),
      keyOf("q:", "cache", { tenant: "a", key: "k" }),
    ];
    expect(new Set(keys).size).toBe(4);
  });
});
