import fc from "fast-check";
import { expect, it } from "vitest";
import { quiet } from "../support/held-fleet.ts";
import { holdFor, type Rate, RateWorld } from "../support/rate-world.ts";

const day = 86_400_000;
/** The same walks in the suite: by hand, with more of them, they are others. */
const runs = Math.ceil(Number(process.env.SLUICE_WALKS ?? 1) * 600);

const rates: fc.Arbitrary<Rate> = fc.record({
  type: fc.constantFrom("requests", "tokens"),
  unit: fc.constantFrom("rps", "rpm", "rpm", "rph", "rpd", "rpw"),
  value: fc.integer({ min: 0, max: 40 }),
  at: fc.constantFrom("key", "main", "main", "spare"),
});

const kinds = [
  ...(["retry", "fail", "drop", "answer", "answer", "abort", "limit", "unit", "wait", "wait"] as const),
  ...(["away", "back", "mute", "lose"] as const),
];
type Kind = (typeof kinds)[number] | "ask" | "go on";
const what = fc.record({
  process: fc.nat({ max: 1 }),
  which: fc.nat({ max: 5 }),
  tokens: fc.integer({ min: 0, max: 20 }),
  amount: fc.integer({ min: 0, max: 40 }),
});
type Step = { readonly kind: Kind } & (typeof what extends fc.Arbitrary<infer Value> ? Value : never);
/** Each walk chooses what may happen in it: what it takes two of comes together more often than where all may. */
const walk = fc
  .tuple(
    fc.subarray(kinds, { minLength: 2 }),
    fc.array(fc.tuple(fc.nat({ max: 99 }), what), { minLength: 10, maxLength: 60, size: "max" }),
  )
  .map(([chosen, steps]) => {
    const all: readonly Kind[] = ["ask", "ask", "go on", "go on", "go on", "answer", ...chosen];
    return steps.map(([at, more]): Step => ({ kind: all[at % all.length] ?? "ask", ...more }));
  });

const waits = [1, 400, 20_000, holdFor, 47_111, 60_000, 3_600_000, day, 8 * day];
const units = ["rps", "rpm", "rph", "rpd", "rpw"] as const;

async function take(world: RateWorld, { kind, process, which, tokens, amount }: Step): Promise<unknown> {
  const its = world.processes[process] as RateWorld["processes"][number];
  const rate = world.rates[which % world.rates.length] as RateWorld["rates"][number];
  const one = world.under[which % Math.max(1, world.under.length)];
  if (kind === "ask") return world.ask(its, tokens);
  if (kind === "limit") return world.edit(rate, amount, rate.of.unit);
  if (kind === "unit") return world.edit(rate, Number(rate.of.limit), units[amount % 5] ?? "rpm");
  if (kind === "wait") return Object.assign(world, { now: world.now + (waits[amount % waits.length] ?? 1) });
  if (kind === "away") return Object.assign(world, { isAway: true });
  if (kind === "back") return Object.assign(world, { isAway: false });
  if (kind === "mute") return Object.assign(world, { mute: Math.min(which, 4) });
  if (kind === "lose") return world.lose();
  if (!one) return undefined;
  if (kind === "go on") return world.goOn(one, which % 3 ? "main" : "spare", amount % 4 ? one.tokens : 2 * one.tokens);
  if (kind === "retry") return world.retry(one);
  if (kind === "fail") return world.fail(one, amount % 2 ? amount : 0);
  if (kind === "drop") return world.drop(one);
  return world.settle(one, kind === "abort" ? undefined : amount);
}

const one = (kind: Kind, more: Partial<Step> = {}): Step => ({
  ...{ kind, process: 0, which: 0, tokens: 5, amount: 0, ...more },
});
/** Its tokens are held in a window that has ended when its answer comes. */
const overTheEnd: [Rate[], boolean, Step[]] = [
  [{ type: "tokens", unit: "rpm", value: 20, at: "key" }],
  true,
  [one("wait", { amount: waits.indexOf(47_111) }), one("ask"), one("wait", { amount: 2 }), one("answer")],
];
/** It is let in, its target refuses it, and meanwhile the window it was counted in is lost, and begun anew by another. */
const begunAnew: [Rate[], boolean, Step[]] = [
  [
    { type: "requests", unit: "rpd", value: 9, at: "key" },
    { type: "requests", unit: "rpd", value: 0, at: "main" },
  ],
  false,
  [one("ask"), one("lose"), one("ask"), one("go on", { which: 4 }), one("abort", { which: 4 })],
];

it("whatever becomes of requests, rates let through, count and hold what the simplest account of them says", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rates, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      walk,
      async (given, sliding, steps) => {
        const world = new RateWorld(given, sliding);
        for (const one of steps) {
          await take(world, one);
          await quiet();
          expect(world.seen(), JSON.stringify(one)).toEqual(world.expected());
        }
      },
    ),
    { numRuns: runs, examples: [overTheEnd, begunAnew], ...(runs === 600 && { seed: 1 }) },
  );
}, 600_000);
