import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chance } from "../support/chance.ts";
import { steps as anySteps, type Step } from "./asked.ts";
import { expectBudgets } from "./counted.ts";
import { expectVerdicts } from "./guarded.ts";
import { insert } from "./inserted.ts";
import { expectRates, leftOf } from "./rated.ts";
import { expectLines, expectTold, expectTrueRows } from "./records.ts";
import { expectApart, expectSearches, speak } from "./searching.ts";
import { expectMetrics, expectSpent } from "./shown-metrics.ts";
import { take } from "./taking.ts";
import { often, startWorld } from "./world.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2082-09-02T10:00Z") }));
afterEach(() => void vi.useRealTimers());

/** Some come in the same millisecond, and most one after the other. */
const pass = (step: number) => void vi.setSystemTime(Date.now() + ([0, 1, 1, 7, 1000][step % 5] ?? 0));

async function walk(steps: readonly Step[], seed: number): Promise<void> {
  const world = await startWorld();
  try {
    const begun = await leftOf(world);
    const told = [...begun.told];
    for (const [at, step] of steps.entries()) {
      told.push(...(await take(world, step, world.walkers[step.walker] as (typeof world.walkers)[number])));
      pass(at);
    }
    await world.rest();
    await expect
      .poll(async () => new Set((await world.rows()).map(({ trace_id }) => trace_id)).size, often)
      .toBe(told.length);
    await world.rest();
    const rows = await world.rows();
    const lines = world.lines().filter(({ who }) => who?.startsWith("walker"));
    const seen = { rows, lines, calls: [...world.vendor.calls] };
    expectTrueRows(seen);
    expectLines(seen);
    expectTold(told, seen);
    expectMetrics(await world.metrics(), seen);
    await expectBudgets(world, seen);
    const remarked = await expectVerdicts(world, rows);
    const traces = told.map(({ trace }) => trace);
    const opinions = [...remarked, ...(await speak(world, traces, seed))];
    const all = await insert(world, traces, seed);
    await expectSearches(world, all, opinions, seed);
    await expectApart(world, all);
    // What went elsewhere was not asked here.
    expectSpent(await world.metrics(), rows);
    await expectBudgets(world, seen);
    // It asks once more, which is recorded, too.
    expectRates(world, begun.left, (await leftOf(world)).left, told, seen);
  } finally {
    await world.stop();
  }
}

it("whatever is asked, records, metrics, budgets, the log of requests, headers and searches say the same of it", async () => {
  const { numRuns, seed } = chance(1, 1);
  await fc.assert(
    fc.asyncProperty(fc.array(anySteps, { minLength: 20, maxLength: 40, size: "max" }), fc.integer(), walk),
    { numRuns, seed, endOnFailure: true },
  );
}, 600_000);
