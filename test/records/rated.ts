import { expect } from "vitest";
import type { LogRow } from "../../core/index.ts";
import { plans, type Step } from "./asked.ts";
import type { Seen } from "./records.ts";
import { leafOf, type Told, take } from "./taking.ts";
import { rates, type Slug, type World } from "./world.ts";

type Rate = keyof typeof rates;

/** A request that meets a rate there is less left of than of the others it meets, and so tells how much that is. */
interface Probe {
  readonly rate: Rate;
  readonly walker: number;
  readonly slug: Slug;
  readonly plan?: string;
}

const probes: readonly Probe[] = [
  ...[0, 1, 2, 3].map((walker): Probe => ({ rate: "key-tokens", walker, slug: "alpha" })),
  ...plans.map((plan): Probe => ({ rate: "plan-requests", walker: 0, slug: "alpha", plan })),
  { rate: "claude-tokens", walker: 0, slug: "claude" },
  { rate: "beta-requests", walker: 0, slug: "beta" },
];

const stepOf = ({ walker, slug, plan }: Probe): Step => ({
  ...{ kind: "chat", stream: false, times: 1, leaves: false, wrong: undefined, walker, plan },
  tree: { slug, behaves: "tells" },
});

/** What is left of each rate, as clients are told it. Nothing else is under way. */
export async function leftOf(world: World) {
  const left: number[] = [];
  const told: Told[] = [];
  for (const probe of probes) {
    const walker = world.walkers[probe.walker] as World["walkers"][number];
    const [one] = (await take(world, stepOf(probe), walker)) as [Told];
    const { limit } = rates[probe.rate];
    expect(one.headers.get("x-gateway-ratelimit-limit"), JSON.stringify([probe, ...one.headers])).toBe(`${limit}`);
    left.push(Number(one.headers.get("x-gateway-ratelimit-remaining")));
    told.push(one);
    // What was held for it is let go when it is over.
    await world.rest();
  }
  return { left, told };
}

const tokens = (rows: readonly LogRow[]): number => rows.reduce((sum, { total_units }) => sum + (total_units ?? 0), 0);

/** What was taken of each rate, at least and at most: a call that was given up may not have reached its vendor. */
function takenOf(
  { rate, walker, slug, plan }: Probe,
  world: World,
  told: readonly Told[],
  seen: Seen,
): [number, number] {
  const { rows, lines, calls } = seen;
  const exact = (count: number): [number, number] => [count, count];
  if (rate === "key-tokens")
    return exact(tokens(rows.filter(({ api_key_id }) => api_key_id === world.walkers[walker]?.id)));
  if (rate === "claude-tokens") return exact(tokens(rows.filter(({ provider_slug }) => provider_slug === slug)));
  if (rate === "plan-requests") return exact(told.filter(({ step }) => step.plan === plan && isLetIn(step)).length);
  const tried = lines.flatMap(({ calls }) => calls).filter(({ model }) => leafOf(model ?? null)?.slug === slug);
  return [calls.filter((call) => call.slug === slug).length, tried.length];
}

/** Whose body or config nobody can read is not let in. */
const isLetIn = ({ wrong }: Step): boolean => wrong !== "body" && wrong !== "config";

/** Nothing is held any more, and what is left is what was there without what is recorded. */
export function expectRates(
  world: World,
  begun: readonly number[],
  ended: readonly number[],
  told: readonly Told[],
  seen: Seen,
) {
  for (const [at, probe] of probes.entries()) {
    const taken = (begun[at] ?? 0) - (ended[at] ?? 0);
    const [least, most] = takenOf(probe, world, told, seen);
    const said = JSON.stringify([probe, { taken, least, most }]);
    expect(taken, said).toBeGreaterThanOrEqual(least);
    expect(taken, said).toBeLessThanOrEqual(most);
  }
}
