import fc from "fast-check";
import { describe, it } from "vitest";
import { arbitraryTurns, arbitraryWishes, lead, speakers } from "./turns.ts";

/** As many as one likes by hand: SLUICE_CONVERSATIONS=5000. */
const numRuns = Number(process.env.SLUICE_CONVERSATIONS ?? 60);

describe.each(speakers)("a client of $format.name, answered by a vendor of any format in each turn", (client) => {
  it("has every vendor sent what it takes, and all that was said", () => {
    fc.assert(
      fc.property(arbitraryTurns, arbitraryWishes, (turns, wishes) => lead(client, turns, wishes)),
      { numRuns },
    );
  });
});
