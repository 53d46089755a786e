import fc from "fast-check";
import { expect, it } from "vitest";
import { AgedMap } from "./aged-map.ts";

const step = fc.record({ key: fc.integer({ min: 0, max: 5 }), does: fc.constantFrom("set", "delete", "evict") });

it("is a Map whose entries become the youngest when they are set again", () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const aged = new AgedMap<number, number>();
      const plain = new Map<number, number>();
      for (const [at, { key, does }] of steps.entries()) {
        const [oldest] = plain.keys();
        expect(aged.oldest).toBe(oldest);
        const gone = does === "evict" ? oldest : key;
        if (gone !== undefined) expect(does === "set" || aged.delete(gone)).toBe(plain.delete(gone) || does === "set");
        if (does === "set") {
          aged.set(key, at);
          plain.set(key, at);
        }
        expect([...aged.values()]).toEqual([...plain.values()]);
        expect([aged.size, aged.get(key)]).toEqual([plain.size, plain.get(key)]);
      }
    }),
  );
});
