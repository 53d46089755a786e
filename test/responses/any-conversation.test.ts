import fc from "fast-check";
import { expect, it } from "vitest";
import { chance } from "../support/chance.ts";
import { Deployment } from "./deployment.ts";
import { run, step } from "./steps.ts";

it("keeps responses as the simplest model of them says, whatever is done with them", async () => {
  const deployment = await Deployment.start();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: "max" }), async (all) => {
      const world = deployment.world();
      for (const one of all) await run(world, one);
    }),
    { ...chance(50), endOnFailure: true },
  );
  // What was looked at was there: each of these happens in one of two worlds or oftener.
  for (const what of [
    "answered by chats",
    "answered by claude",
    "answered by native",
    "moved on",
    "refused",
    "pages read",
  ])
    expect(deployment.stats[what], what).toBeGreaterThan(0);
});
