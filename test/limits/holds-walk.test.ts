import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { countersClerk, SupervisedCounters } from "../../core/counters-kit/supervised-counters.ts";
import { silentLogger } from "../../core/log.ts";
import { RedisCounters } from "../../plugins/counters-redis/redis-counters.ts";
import type { RedisConnection } from "../../plugins/redis/connection.ts";
import { isHard } from "../../plugins/usage-limits/budgets.ts";
import { timedRedis } from "../support/counters.ts";
import { type Counted, holdFor, type Limits, type OpenCounters, type Process, unitOf } from "../support/held-fleet.ts";
import { edited, found, type Kind, limits, type Step, types, walk } from "../support/held-walks.ts";
import { HeldWorld } from "../support/held-world.ts";
import { connectTo, describeWithRedis, type RedisServer, startRedisServer } from "../support/redis-server.ts";

const day = 86_400_000;
const runs = Number(process.env.SLUICE_WALKS ?? 1) * 400;
/** The same walks in the suite: by hand, with more of them, they are others. */
const seed = runs === 400 ? { seed: 1 } : {};

const providers = ["main", "spare"] as const;
const cadences = ["monthly", "weekly", { days: 2 }, { days: 20 }, undefined] as const;
const waits = [holdFor, day, 30 * day];

type Takes = (world: HeldWorld, step: Step, its: Process, edited: Counted) => unknown;
const under = (world: HeldWorld, { process, which }: Step) => world.pick(process + which);
const steps: Record<Kind, Takes> = {
  ask: (world, { tokens }, its) => world.ask(its, tokens),
  "go on": (world, step) => {
    const one = under(world, step);
    return one && world.goOn(one, providers[step.which % 2] ?? "main", step.amount % 5 === 0);
  },
  retry: (world, step) => {
    const one = under(world, step);
    if (one) world.retry(one);
  },
  fail: (world, step) => {
    const one = under(world, step);
    if (one) world.fail(one, step.amount % 2 === 0 ? step.amount : 0);
  },
  answer: (world, step) => {
    const one = under(world, step);
    return one && world.settle(one, step.amount);
  },
  abort: (world, step) => {
    const one = under(world, step);
    return one && world.settle(one, undefined);
  },
  flush: (_world, _step, { accounts }) => accounts.flush(),
  sync: (_world, _step, { accounts }) => accounts.sync(),
  limit: (world, { amount, which }, its, one) =>
    world.edit(one, { limit: BigInt(amount + 1) * unitOf(one.of.type) }, which > 3 ? its : undefined),
  alert: (world, { tokens, amount, which }, its, one) => {
    const alert = amount % 4 === 0 ? undefined : BigInt(tokens) * unitOf(one.of.type);
    return world.edit(one, { alert }, which > 2 ? its : undefined);
  },
  hardness: (world, _step, _its, one) => world.edit(one, { enforcement: isHard({ budget: one.of }) ? "soft" : "hard" }),
  reset: (world, _step, its, one) => world.reset(one, its),
  read: (world, { amount }, its, one) => world.read(one, its, cadences[amount % cadences.length]),
  period: (world, { which, tokens, amount }, its, one) =>
    world.redate(one, its, {
      cadence: cadences[amount % cadences.length],
      days: tokens % 3 === 0 ? tokens : undefined,
      isHeardLate: which > 3,
    }),
  conditions: (_world, _step, _its, one) => Object.assign(one, { isAside: !one.isAside }),
  remake: (world, { which, tokens, amount }, _its, one) =>
    world.remake(one, { type: types[amount % 3] ?? "cost", limit: tokens, hard: which % 2 === 0 }),
  crash: (world, { process }) => world.crash(process),
  reload: (world, { process }) => world.reload(process),
  wait: (world, { which }) => world.wait(waits[which % 3] ?? day),
  look: (world, step) => world.look(JSON.stringify(step)),
  away: (world) => Object.assign(world, { isAway: true, isExact: false }),
  back: (world) => Object.assign(world, { isAway: false }),
  mute: (world, { which }) => Object.assign(world, { mute: Math.min(which, 4), isExact: false }),
  lose: (world) => world.lose(),
};

async function take(world: HeldWorld, step: Step): Promise<void> {
  world.now += 1;
  const live = world.budgets.filter(({ isGone }) => !isGone);
  await steps[step.kind](
    world,
    step,
    world.processes[step.process] as Process,
    live[step.which % live.length] as Counted,
  );
  await world.quiet();
  for (const one of [...world.ending]) if (one.asked.size === 0) await world.end(one);
}

async function walked(budgets: Limits[], all: Step[], openCounters?: OpenCounters): Promise<HeldWorld> {
  const world = new HeldWorld(budgets, openCounters);
  for (const one of all) await take(world, one);
  await world.calm();
  return world;
}

/** Those that were found before, and others. */
async function walks(parameters: fc.Parameters<[Limits[], Step[]]>, openCounters?: OpenCounters): Promise<void> {
  for (const [budgets, all] of [...found, ...edited]) {
    const world = await walked(budgets, all, openCounters);
    expect(await world.seen()).toEqual(world.expected());
    await world.checkAll();
  }
  await fc.assert(
    fc.asyncProperty(fc.array(limits, { minLength: 1, maxLength: 3 }), walk, async (budgets, all) => {
      const world = await walked(budgets, all, openCounters);
      await world.checkAll();
    }),
    parameters,
  );
}

it("whatever becomes of requests, room is made for each, and in the end there is what was used and nothing held", async () => {
  await walks({ numRuns: runs, ...seed });
}, 600_000);

/** As JSON goes from the workers to their supervisor and back. */
const inSupervisor: OpenCounters = (now) => {
  const clerk = countersClerk(silentLogger, now);
  const throughJson = (said: unknown) => JSON.parse(JSON.stringify(said));
  const desk = { open: true, ask: async (_: string, question: unknown) => throughJson(clerk(throughJson(question))) };
  const counters = [1, 2].map(() => new SupervisedCounters({ desk, most: 10_000, timeout: 5_000, log: silentLogger }));
  return (process) => counters[process] as SupervisedCounters;
};

it(
  "the same where workers have the supervisor count",
  () => walks({ numRuns: runs / 8, ...seed }, inSupervisor),
  600_000,
);

describeWithRedis("where the counters are in Redis, and answer when they do,", () => {
  let server: RedisServer;
  let connections: RedisConnection[];
  let opened = 0;
  beforeAll(async () => {
    server = await startRedisServer();
    connections = await Promise.all([1, 2].map(() => connectTo(server.url)));
  });
  afterAll(async () => {
    for (const connection of connections) await connection.close();
    await server.stop();
  });

  /** What was there before is under another name, and lost. */
  const inRedis: OpenCounters = (now) => {
    const keyPrefix = `test:${opened++}:`;
    const counters = connections.map(
      (redis) => new RedisCounters({ redis: timedRedis(redis, keyPrefix, now), timeout: 5_000, log: silentLogger }),
    );
    return (process) => counters[process] as RedisCounters;
  };

  it("the same", () => walks({ numRuns: runs / 8, ...seed }, inRedis), 600_000);
});
