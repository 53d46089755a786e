import { beforeEach, describe, expect, it } from "vitest";
import type { CacheService, VectorService } from "../../core/index.ts";

/** Stores of one test, empty, and a clock to turn. */
export interface TestStores {
  /** Entries of at most 1000 bytes. */
  readonly cache: CacheService;
  readonly vectors: VectorService;
  /** Lets time go by, for everything that expires. */
  pass(seconds: number): void | Promise<void>;
}

const a = { tenant: "a", key: "one" };
const bytes = (text: string) => Buffer.from(text);

/** What every store of bytes does (`CacheService`, `VectorService`), whatever it keeps them in. */
export function describeStores(open: () => TestStores | Promise<TestStores>): void {
  let stores: TestStores;
  beforeEach(async () => {
    stores = await open();
  });

  describe("bytes", () => {
    it("come back as they were", async () => {
      const value = Buffer.from([0, 1, 10, 13, 128, 255]);
      await stores.cache.set(a, value, 60);
      expect(await stores.cache.get(a)).toEqual(value);
      expect(await stores.cache.get({ ...a, key: "other" })).toBeUndefined();
      await stores.cache.set(a, bytes(""), 60);
      expect(await stores.cache.get(a)).toEqual(bytes(""));
    });

    it("are not those of whoever gave them, to change later", async () => {
      const value = bytes("as given");
      await stores.cache.set(a, value, 60);
      value.fill(0);
      expect(await stores.cache.get(a)).toEqual(bytes("as given"));
    });

    it.each([
      [
        { tenant: "a", key: "b:c" },
        { tenant: "a:b", key: "c" },
      ],
      [
        { tenant: "1:a", key: "b" },
        { tenant: "1", key: "a:b" },
      ],
      [
        { tenant: "a", key: "k" },
        { tenant: "b", key: "k" },
      ],
      [
        { tenant: "", key: "k" },
        { tenant: "k", key: "" },
      ],
      [
        { tenant: "a}", key: "{k" },
        { tenant: "a", key: "}{k" },
      ],
      [
        { tenant: "a", key: "K" },
        { tenant: "a", key: "k" },
      ],
    ])("of %j are not those of %j", async (one, other) => {
      await stores.cache.set(one, bytes("one"), 60);
      expect(await stores.cache.get(other)).toBeUndefined();
      await stores.cache.set(other, bytes("other"), 60);
      await stores.cache.delete(other);
      expect(await stores.cache.get(one)).toEqual(bytes("one"));
    });

    it("are replaced, with their time", async () => {
      await stores.cache.set(a, bytes("old"), 600);
      await stores.cache.set(a, bytes("new"), 60);
      expect(await stores.cache.get(a)).toEqual(bytes("new"));
      await stores.pass(61);
      expect(await stores.cache.get(a)).toBeUndefined();
    });

    it("are there until their time is up", async () => {
      await stores.cache.set(a, bytes("text"), 60);
      await stores.pass(55);
      expect(await stores.cache.get(a)).toEqual(bytes("text"));
      await stores.pass(6);
      expect(await stores.cache.get(a)).toBeUndefined();
    });

    it("are gone when deleted, as often as that is", async () => {
      await stores.cache.set(a, bytes("text"), 60);
      await stores.cache.delete(a);
      await stores.cache.delete(a);
      expect(await stores.cache.get(a)).toBeUndefined();
    });

    it("that are too many are not kept, and end what they replace", async () => {
      await stores.cache.set(a, Buffer.alloc(1000), 60);
      expect(await stores.cache.get(a)).toHaveLength(1000);
      await stores.cache.set(a, Buffer.alloc(1001), 60);
      expect(await stores.cache.get(a)).toBeUndefined();
      expect(await stores.cache.claim(a, Buffer.alloc(1001), 60)).toBeUndefined();
      expect(await stores.cache.get(a)).toBeUndefined();
    });

    it("without time to live are not kept", async () => {
      await stores.cache.set(a, bytes("text"), 0);
      expect(await stores.cache.get(a)).toBeUndefined();
    });

    it("are claimed by the first, until their time is up", async () => {
      const claims = ["first", "second", "third"].map((text) => stores.cache.claim(a, bytes(text), 60));
      expect((await Promise.all(claims)).map(String)).toEqual(["first", "first", "first"]);
      await stores.pass(61);
      expect(String(await stores.cache.claim(a, bytes("next"), 60))).toBe("next");
    });
  });

  describe("vectors", () => {
    const space = { tenant: "a", key: "space" };
    const at = (degrees: number, length = 1) => {
      const angle = (degrees * Math.PI) / 180;
      return Float32Array.of(Math.cos(angle) * length, Math.sin(angle) * length);
    };
    const ids = async (values: Float32Array, least = -1, most = 10, where = space) =>
      (await stores.vectors.nearest(where, values, { least, most })).map(({ id }) => id);

    it("are found by their direction, best first", async () => {
      for (const [id, degrees] of [
        ["north", 90],
        ["east", 0],
        ["south", -90],
        ["near", 20],
      ] as const)
        await stores.vectors.add(space, { id, values: at(degrees, 7) }, 60);
      expect(await ids(at(5))).toEqual(["east", "near", "north", "south"]);
      expect(await ids(at(5), 0.9)).toEqual(["east", "near"]);
      expect(await ids(at(5), -1, 1)).toEqual(["east"]);
      const [best] = await stores.vectors.nearest(space, at(60, 3), { least: 0, most: 1 });
      expect(best).toMatchObject({ id: "north", cosine: expect.closeTo(Math.cos(Math.PI / 6), 5) });
    });

    it("that are the same are fully alike", async () => {
      const values = Float32Array.from({ length: 1536 }, (_, index) => Math.sin(index));
      await stores.vectors.add(space, { id: "same", values }, 60);
      const [best] = await stores.vectors.nearest(space, values, { least: 0.999, most: 1 });
      expect(best?.cosine).toBeCloseTo(1, 5);
      expect(best?.cosine).toBeLessThanOrEqual(1);
    });

    it("of another space or tenant are not found", async () => {
      await stores.vectors.add(space, { id: "x", values: at(0) }, 60);
      expect(await ids(at(0), -1, 10, { ...space, key: "other" })).toEqual([]);
      expect(await ids(at(0), -1, 10, { ...space, tenant: "b" })).toEqual([]);
    });

    it("are replaced, deleted, and gone when their time is up", async () => {
      await stores.vectors.add(space, { id: "x", values: at(0) }, 60);
      await stores.vectors.add(space, { id: "x", values: at(90) }, 60);
      await stores.vectors.add(space, { id: "y", values: at(90) }, 600);
      expect(await ids(at(0), 0.5)).toEqual([]);
      await stores.pass(61);
      expect(await ids(at(90), 0.5)).toEqual(["y"]);
      await stores.vectors.delete(space, "y");
      await stores.vectors.delete(space, "y");
      expect(await ids(at(90), 0.5)).toEqual([]);
    });

    it("without direction, or of another length, are not kept", async () => {
      await stores.vectors.add(space, { id: "x", values: at(0) }, 60);
      for (const values of [[0, 0], [Number.NaN, 1], [Number.POSITIVE_INFINITY, 1], [1, 0, 0], []])
        await stores.vectors.add(space, { id: `${values}`, values: Float32Array.from(values) }, 60);
      expect(await ids(at(0))).toEqual(["x"]);
      expect(await ids(Float32Array.of(1, 0, 0))).toEqual([]);
      expect(await ids(Float32Array.of(0, 0))).toEqual([]);
    });
  });
}
