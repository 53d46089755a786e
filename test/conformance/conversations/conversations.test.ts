import fc from "fast-check";
import { describe, it } from "vitest";
import { arbitraryTurns, arbitraryWishes, lead, speakers } from "./turns.ts";

/** The same ones each time, and others, as many as one likes, by hand: SLUICE_CONVERSATIONS=5000. */
const { SLUICE_CONVERSATIONS: wanted } = process.env;
const runs = wanted === undefined ? { numRuns: 60, seed: 7 } : { numRuns: Number(wanted) };

describe.each(speakers)("a client of $format.name, answered by a vendor of any format in each turn", (client) => {
  it("has every vendor sent what it takes, and all that was said", () => {
    fc.assert(
      fc.property(arbitraryTurns, arbitraryWishes, (turns, wishes) => lead(client, turns, wishes)),
      runs,
    );
  });
});
