import { expect, it } from "vitest";
import type { Cadence } from "../../core/index.ts";
import type { Limits, Process } from "../../test/support/held-fleet.ts";
import { HeldWorld } from "../../test/support/held-world.ts";

const day = 86_400_000;
const types = ["requests", "tokens", "cost"] as const;
const room = 20;

/** Room for two requests, in a period of one gateway's. */
async function opened(type: Limits["type"], cadence: Cadence | undefined) {
  const limit = type === "requests" ? 2 : 2 * room;
  const world = new HeldWorld([{ type, limit, at: type === "cost" ? "main" : "key", hard: true }]);
  const [counted] = world.budgets;
  if (!counted) throw new Error("no budget");
  await world.redate(counted, world.processes[0] as Process, { cadence });
  const ask = async (at: number) => {
    const before = world.names;
    await world.ask(world.processes[at] as Process, room);
    const asked = [...(world.processes[at] as Process).asked].find(({ exchange }) => exchange.id === `x${before + 1}`);
    if (asked) await world.goOn(asked, "main", false);
    return asked?.exchange.attempts.at(-1)?.sentAt === 1;
  };
  return { world, counted, ask };
}

type Change = readonly [from: Cadence | undefined, to: Cadence | undefined, days?: number];
const changes: readonly Change[] = [
  ["weekly", "monthly"],
  ["monthly", "weekly"],
  [undefined, "monthly"],
  ["monthly", undefined],
  [{ days: 2 }, { days: 20 }],
  ["monthly", "monthly", 3],
];

it.each(types.flatMap((type) => changes.map(([from, to, days]) => [type, from, to, days] as const)))(
  "room of %s that the first requests have is theirs in each gateway, also while a period of %j becomes one of %j",
  async (type, from, to, days) => {
    const { world, counted, ask } = await opened(type, from);
    expect(await ask(0)).toBe(true);
    await world.redate(counted, world.processes[1] as Process, { cadence: to, days });
    expect([await ask(1), await ask(1), await ask(0)]).toEqual([true, false, false]);
    await world.calm();
    expect(await world.seen()).toEqual(world.expected());
    // The period after it is named by its end as well.
    await world.wait(40 * day);
    if (to !== undefined) expect([await ask(1), await ask(0), await ask(1)]).toEqual([true, true, false]);
    await world.calm();
    expect(await world.seen()).toEqual(world.expected());
  },
);

it("a budget that room was made in is no counter that anybody is shown before something was used", async () => {
  const { world, counted, ask } = await opened("requests", "monthly");
  const first = world.processes[0] as Process;
  const shown = async () => (await first.counters.entities("o", counted.of.id)).map((one) => one.currentUsage);
  expect([await ask(0), await shown()]).toEqual([true, []]);
  expect((await world.ledger.ofPolicy("o", counted.of.id)).map(({ document }) => document.total)).toEqual(["0"]);
  await world.calm();
  expect(await shown()).toEqual([1]);
});
