import fc from "fast-check";
import { expect, it } from "vitest";
import { chance } from "../support/chance.ts";
import { checkBatch, checkFiles } from "./checks.ts";
import { Fleet, type Watched } from "./fleet.ts";
import type { Fault, Process } from "./process.ts";

const faults: readonly Fault[] = ["freeze before", "freeze after", "kill before", "kill after", "refuse", "lose"];

const kinds = [
  ...(["freeze before", "freeze after", "kill before", "kill after", "refuse", "lose"] as const),
  ...(["freeze", "thaw", "kill", "leave", "start", "start", "jump"] as const),
  ...(["records away", "blobs away", "back", "calls away"] as const),
  ...(["cancel", "remove", "archive", "restore", "quiet", "trouble"] as const),
];
type Kind = (typeof kinds)[number] | "wait";

const what = fc.record({ which: fc.nat({ max: 5 }), amount: fc.nat({ max: 29 }) });
type What = typeof what extends fc.Arbitrary<infer Value> ? Value : never;
type Step = What & { readonly kind: Kind };

/** Each walk chooses what may happen in it: what it takes two of comes together more often than where all may. */
const walk = fc
  .tuple(
    fc.subarray(kinds, { minLength: 2 }),
    fc.array(fc.tuple(fc.nat({ max: 99 }), what), { maxLength: 40, size: "max" }),
  )
  .map(([chosen, steps]) => {
    const all: readonly Kind[] = ["wait", "wait", "thaw", ...chosen];
    return steps.map(([at, more]): Step => ({ kind: all[at % all.length] ?? "wait", ...more }));
  });

const begins = fc.record({
  seed: fc.integer(),
  processes: fc.integer({ min: 1, max: 3 }),
  batches: fc.array(fc.tuple(fc.constantFrom("immediate" as const, "24h" as const), fc.integer({ min: 1, max: 7 })), {
    minLength: 1,
    maxLength: 2,
  }),
});
type Begin = typeof begins extends fc.Arbitrary<infer Value> ? Value : never;

const waits = [1_000, 5_000, 20_000, 65_000, 130_000] as const;

const optionsOf = ({ draws }: Fleet) => ({
  groupLines: 1 + draws.below(4),
  groupInterval: draws.of(0, 5_000),
  retries: draws.below(4),
  atOnce: 1 + draws.below(2),
});

type Takes = (fleet: Fleet, its: Process, one: Watched, step: What) => unknown;
const inTime =
  (fault: Fault): Takes =>
  (_fleet, { troubles }, _one, { which, amount }) =>
    troubles.push({ fault, left: amount, place: (["records", "blobs", "calls"] as const)[which] });
const steps: Record<Kind, Takes> = {
  ...(Object.fromEntries(faults.map((fault) => [fault, inTime(fault)])) as Record<Fault, Takes>),
  wait: ({ time }, _its, _one, { amount }) => time.pass(waits[amount % waits.length] ?? 1_000),
  jump: ({ time }, _its, _one, { amount }) => time.jump(waits[amount % waits.length] ?? 1_000),
  freeze: (_fleet, its) => its.freeze(),
  thaw: (_fleet, its) => its.thaw(),
  kill: (_fleet, its) => Object.assign(its, { isDead: true }),
  leave: (_fleet, its) => its.leave(),
  start: (fleet) => fleet.processes.filter(({ isThere }) => isThere).length < 3 && fleet.start(optionsOf(fleet)),
  "records away": ({ down }) => down.add("records"),
  "blobs away": ({ down }) => down.add("blobs"),
  "calls away": ({ down }) => down.add("calls"),
  back: ({ down }) => down.clear(),
  cancel: (fleet, _its, one) => fleet.cancel(one),
  remove: (fleet, _its, one) => fleet.remove(one),
  archive: (_fleet, _its, one) => Object.assign(one, { isArchived: true, wasArchived: true }),
  restore: (_fleet, _its, one) => Object.assign(one, { isArchived: false }),
  quiet: (fleet) => Object.assign(fleet, { trouble: 0 }),
  trouble: (fleet) => Object.assign(fleet, { trouble: 1 }),
};

async function walked({ seed, processes, batches }: Begin, all: readonly Step[]): Promise<Fleet> {
  const fleet = new Fleet(seed);
  fleet.trouble = fleet.draws.of(0, 0.3, 1);
  for (const [window, lines] of batches) await fleet.made(window, lines);
  for (let at = 0; at < processes; at++) fleet.start(optionsOf(fleet));
  for (const { kind, which, amount } of all) {
    const its = fleet.processes[which % fleet.processes.length] as Process;
    const one = fleet.batches[amount % fleet.batches.length] as Watched;
    await steps[kind](fleet, its, one, { which, amount });
    await fleet.time.quiet();
  }
  await fleet.heal(optionsOf(fleet));
  return fleet;
}

it("is done whole, and no line of it twice, whatever happens to whom", async () => {
  await fc.assert(
    fc.asyncProperty(begins, walk, async (begin, all) => {
      const fleet = await walked(begin, all);
      expect(fleet.complaints).toEqual([]);
      for (const one of fleet.batches) await checkBatch(fleet, one);
      await checkFiles(fleet);
      expect(await fleet.stop()).toBe(true);
    }),
    chance(300, 1),
  );
});
