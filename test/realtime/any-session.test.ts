import fc from "fast-check";
import { expect, it } from "vitest";
import { eventually } from "../support/calm.ts";
import { chance } from "../support/chance.ts";
import { checkBudgets, checkLines, checkRecords } from "./checks.ts";
import { type Step, steps } from "./steps.ts";
import { Walk } from "./walk.ts";
import { World } from "./world.ts";

async function walked(world: World, all: readonly Step[]): Promise<void> {
  await world.open();
  const walk = new Walk(world);
  for (const step of all) await walk.take(step);
  await walk.home();
  await eventually(() => expect(world.vendor.open.size).toBe(0));
  await world.rest();
  for (const session of walk.sessions) await checkRecords(world, session);
  checkLines(world, walk);
  await checkBudgets(world, walk);
}

it("carries whatever is said, ends each session once on both sides, and counts and records all of it once", async () => {
  const world = await World.start();
  try {
    await fc.assert(
      fc.asyncProperty(steps, (all) => walked(world, all)),
      // A shorter walk would be no easier to read: each step depends on all that were before.
      { ...chance(10, 1), endOnFailure: true },
    );
  } finally {
    await world.stop();
  }
}, 600_000);
