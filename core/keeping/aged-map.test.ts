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
        const [oldest] = plain;
        expect(aged.oldest).toBe(oldest?.[0]);
        if (does === "evict") {
          expect(aged.shift()).toEqual(oldest);
          if (oldest) plain.delete(oldest[0]);
        } else {
          const before = plain.get(key);
          const wasThere = plain.delete(key);
          if (does === "delete") expect(aged.delete(key)).toBe(wasThere);
          else {
            expect(aged.set(key, at)).toBe(before);
            plain.set(key, at);
          }
        }
        expect([...aged.values()]).toEqual([...plain.values()]);
        expect([aged.size, aged.get(key)]).toEqual([plain.size, plain.get(key)]);
      }
    }),
  );
});
