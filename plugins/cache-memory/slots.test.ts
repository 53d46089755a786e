import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { none, Slots } from "./slots.ts";

/** What a table of slots does, done with an array in the order of use. */
interface Known {
  readonly hash: number;
  readonly first: number;
}

function all(slots: Slots, hash: number): number[] {
  const found: number[] = [];
  for (let slot = slots.alike(hash); slot !== none; slot = slots.alike(hash, slot)) found.push(slots.firstBlock(slot));
  return found.sort((one, other) => one - other);
}

const slotOf = (slots: Slots, { hash, first }: Known): number => {
  let slot = slots.alike(hash);
  while (slot !== none && slots.firstBlock(slot) !== first) slot = slots.alike(hash, slot);
  return slot;
};

describe("slots", () => {
  const step = fc.record({
    // Few hashes, and some that share a chain.
    hash: fc.constantFrom(0, 1, 1024, 2048, -1, -1025, 7),
    what: fc.constantFrom("add", "add", "add", "use", "remove"),
    which: fc.nat(),
  });

  it("are found by their hash, and known by their age, whatever comes and goes", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const slots = new Slots();
        const known: Known[] = [];
        for (const [at, { hash, what, which }] of steps.entries()) {
          const [one] = known.length > 0 && what !== "add" ? known.splice(which % known.length, 1) : [];
          if (!one) {
            slots.add(hash, at, at * 2, at * 3);
            known.push({ hash, first: at });
          } else if (what === "use") {
            slots.use(slotOf(slots, one));
            known.push(one);
          } else slots.remove(slotOf(slots, one));
          const [oldest] = known;
          expect(slots.oldest === none ? undefined : slots.firstBlock(slots.oldest)).toBe(oldest?.first);
          for (const { hash } of known)
            expect(all(slots, hash)).toEqual(
              known
                .filter((each) => each.hash === hash)
                .map(({ first }) => first)
                .sort((one, other) => one - other),
            );
        }
      }),
      { numRuns: 60 },
    );
  });

  it("become more when they are all taken, and keep what they know", () => {
    const slots = new Slots();
    for (let at = 0; at < 5000; at++) slots.add(at * 31, at, at + 1, at + 0.5);
    for (let at = 0; at < 5000; at++) {
      const slot = slots.alike(at * 31);
      expect([slots.firstBlock(slot), slots.length(slot), slots.expiresAt(slot)]).toEqual([at, at + 1, at + 0.5]);
    }
    const ages: number[] = [];
    for (; slots.oldest !== none; slots.remove(slots.oldest)) ages.push(slots.firstBlock(slots.oldest));
    expect(ages).toEqual(Array.from({ length: 5000 }, (_, at) => at));
  });
});
