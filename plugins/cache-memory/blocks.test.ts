import fc from "fast-check";
import { expect, it } from "vitest";
import { Blocks, blockBytes, type Place } from "./blocks.ts";

const lengths = fc.oneof(
  fc.constantFrom(0, 1, blockBytes - 1, blockBytes, blockBytes + 1, 3 * blockBytes),
  fc.nat(5 * blockBytes),
);
const step = fc.record({ head: lengths, length: lengths, free: fc.boolean(), which: fc.nat() });

it("gives back what was written, whatever else comes and goes", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const blocks = new Blocks();
      const kept: { readonly place: Place; readonly bytes: Buffer }[] = [];
      for (const [at, { head, length, free, which }] of steps.entries()) {
        if (free && kept.length > 0) {
          const [gone] = kept.splice(which % kept.length, 1);
          if (gone) blocks.free(gone.place);
        } else {
          const parts = [Buffer.alloc(head, `${at}:`), Buffer.alloc(length, `${at},`)] as const;
          kept.push({ place: blocks.write(...parts), bytes: Buffer.concat(parts) });
        }
        for (const { place, bytes } of kept) expect(blocks.read(place).equals(bytes)).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

it("takes no more from the system than there was at once", () => {
  const blocks = new Blocks();
  const bytes = Buffer.alloc(3_500_000, "bytes");
  for (let time = 0; time < 20; time++) blocks.free(blocks.write(Buffer.alloc(7), bytes));
  expect(blocks.bytes).toBe(4 * 1024 * 1024);
});
