import { describe, expect, it } from "vitest";
import { Bounded } from "./bounded.ts";
import { MemoryCache } from "./memory-cache.ts";
import { MemoryVectors } from "./memory-vectors.ts";
import { describeStores } from "./testing.ts";

describe("memory keeps", () => {
  describeStores(() => {
    let time = 1_000_000;
    const now = () => time;
    return {
      cache: new MemoryCache({ maxBytes: 100_000, maxEntryBytes: 1000, now }),
      vectors: new MemoryVectors({ maxBytes: 1_000_000, now }),
      pass: (seconds) => {
        time += seconds * 1000;
      },
    };
  });
});

const now = () => 0;
const entryNamed = (key: string) => ({ tenant: "", key });
const entry = (key: number) => ({ tenant: "t", key: `${key}` });

describe("what memory keeps is bounded", () => {
  it("by bytes, the least recently used first out", () => {
    const cache = new MemoryCache({ maxBytes: 9_000, maxEntryBytes: 1000, now });
    for (let key = 0; key < 7; key++) cache.set(entry(key), Buffer.alloc(1000, key), 60);
    // 0 is used, so that 1 has not been for the longest time.
    expect(cache.get(entry(0))).toBeDefined();
    cache.set(entry(7), Buffer.alloc(1000), 60);
    const there = [0, 1, 2, 3, 4, 5, 6, 7].filter((key) => cache.get(entry(key)) !== undefined);
    expect(there).toEqual([0, 2, 3, 4, 5, 6, 7]);
  });

  it("and kept apart where their names have one hash", () => {
    // FNV-1a says the same of both.
    const [one, other] = [entryNamed("costarring"), entryNamed("liquid")];
    const cache = new MemoryCache({ maxBytes: 10_000, maxEntryBytes: 1000, now });
    cache.set(one, Buffer.from("one"), 60);
    expect(cache.get(other)).toBeUndefined();
    cache.set(other, Buffer.from("other"), 60);
    cache.delete(one);
    expect(cache.get(one)).toBeUndefined();
    expect(String(cache.get(other))).toBe("other");
  });

  it("whatever its names are", () => {
    const names = ["", "\ud800", "\udfff", "\ufffd", "é", "long".repeat(2000), `long${"long".repeat(1999)}!`];
    const cache = new MemoryCache({ maxBytes: 1_000_000, maxEntryBytes: 1000, now });
    for (const name of names) cache.set(entryNamed(name), Buffer.from(`of ${names.indexOf(name)}`), 60);
    expect(names.map((name) => String(cache.get(entryNamed(name))))).toEqual(names.map((_, at) => `of ${at}`));
  });

  it("whatever happens to it", () => {
    const gone: string[] = [];
    const kept = new Bounded<number>(5000, now, (name) => gone.push(name));
    for (let n = 0; n < 1000; n++) {
      kept.set(`${n % 37}`, n, (n * 7919) % 900, 60);
      if (n % 5 === 0) kept.delete(`${n % 11}`);
      expect(kept.bytes).toBeLessThanOrEqual(5000);
    }
    for (let n = 0; n < 37; n++) kept.delete(`${n}`);
    expect(kept).toMatchObject({ bytes: 0, size: 0 });
    expect(gone).toHaveLength(1000);
  });

  it("even where a single value would be too much", () => {
    const kept = new Bounded<string>(1000, now);
    kept.set("a", "small", 10, 60);
    kept.set("b", "large", 1001, 60);
    expect(kept.get("a")).toBe("small");
    expect(kept.get("b")).toBeUndefined();
  });

  it("counting names and records, so that many small entries do not add up", () => {
    const cache = new MemoryCache({ maxBytes: 100_000, maxEntryBytes: 1000, now });
    for (let key = 0; key < 10_000; key++) cache.set(entry(key), Buffer.alloc(0), 60);
    let there = 0;
    for (let key = 0; key < 10_000; key++) if (cache.get(entry(key))) there++;
    expect(there).toBeLessThan(400);
  });

  it("for vectors as well, across spaces", () => {
    const vectors = new MemoryVectors({ maxBytes: 20_000, now });
    const values = Float32Array.from({ length: 256 }, () => 1);
    const found = (key: number) => vectors.nearest(entry(key), values, { least: 0, most: 10 }).length;
    for (let key = 0; key < 100; key++) vectors.add(entry(key), { id: "v", values }, 60);
    const counts = Array.from({ length: 100 }, (_, key) => found(key));
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(16);
    expect(counts.at(-1)).toBe(1);
    expect(counts[0]).toBe(0);
  });
});
