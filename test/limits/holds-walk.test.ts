import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { countersClerk, SupervisedCounters } from "../../core/counters-kit/supervised-counters.ts";
import { silentLogger } from "../../core/log.ts";
import { RedisCounters } from "../../plugins/counters-redis/redis-counters.ts";
import type { RedisConnection } from "../../plugins/redis/connection.ts";
import { isHard } from "../../plugins/usage-limits/budgets.ts";
import { timedRedis } from "../support/counters.ts";
import { type Counted, holdFor, type Limits, type OpenCounters, type Process, unitOf } from "../support/held-fleet.ts";
import { HeldWorld } from "../support/held-world.ts";
import { connectTo, describeWithRedis, type RedisServer, startRedisServer } from "../support/redis-server.ts";

const day = 86_400_000;
const runs = Number(process.env.SLUICE_WALKS ?? 1) * 400;
/** The same walks in the suite: by hand, with more of them, they are others. */
const seed = runs === 400 ? { seed: 1 } : {};

const types = ["cost", "tokens", "requests"] as const;
const limits: fc.Arbitrary<Limits> = fc.record({
  type: fc.constantFrom(...types),
  limit: fc.integer({ min: 1, max: 120 }),
  alert: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
  at: fc.constantFrom("key", "main", "spare"),
  hard: fc.boolean(),
});

const kinds = [
  ...(["retry", "fail", "fail", "answer", "answer", "abort", "flush", "sync"] as const),
  ...(["limit", "alert", "hardness", "reset", "crash", "reload", "wait", "remake"] as const),
  ...(["period", "period", "conditions"] as const),
  ...(["look", "away", "back", "mute", "lose", "read"] as const),
];
const what = fc.record({
  process: fc.nat({ max: 1 }),
  which: fc.nat({ max: 5 }),
  tokens: fc.integer({ min: 1, max: 40 }),
  amount: fc.integer({ min: 0, max: 60 }),
});
/** Each walk chooses what may happen in it: what it takes two of comes together more often than where all may. */
const walk = fc
  .tuple(
    fc.subarray(kinds, { minLength: 2 }),
    fc.array(fc.tuple(fc.nat({ max: 99 }), what), { maxLength: 40, size: "max" }),
  )
  .map(([chosen, steps]) => {
    const all: readonly Kind[] = ["ask", "ask", "go on", "go on", "answer", ...chosen];
    return steps.map(([at, more]): Step => ({ kind: all[at % all.length] ?? "ask", ...more }));
  });
type Kind = (typeof kinds)[number] | "ask" | "go on";
type Step = { readonly kind: Kind } & (typeof what extends fc.Arbitrary<infer Value> ? Value : never);

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

const one = (kind: Kind, more: Partial<Step> = {}): Step => ({
  ...{ kind, process: 0, which: 0, tokens: 1, amount: 1, ...more },
});
const of = (more: Partial<Limits> = {}): Limits => ({ type: "cost", limit: 1, at: "key", hard: true, ...more });
const found: [Limits[], Step[]][] = [
  // Its answer comes in another period than the one it was let in in.
  [[of({ hard: false })], [one("ask"), one("wait", { which: 2 }), one("go on")]],
  // It holds room in what is soft when its answer comes.
  [[of()], [one("ask"), one("go on"), one("hardness")]],
  // It takes longer than what nobody else uses is kept in mind.
  [[of({ type: "tokens", limit: 8, hard: false })], [one("ask"), one("wait", { which: 1 }), one("wait"), one("go on")]],
  // Its gateway ends, and hears no answer twice.
  [
    [of({ type: "requests", at: "spare", hard: false })],
    [
      ...[one("ask"), one("go on", { which: 3 }), one("ask", { process: 1 }), one("mute", { which: 4 })],
      ...[one("hardness"), one("reload", { process: 1 }), one("go on", { which: 3 }), one("answer"), one("answer")],
    ],
  ],
  // It was let in by a soft budget, and what it used is kept at once when that is hard.
  [
    [of({ limit: 2, hard: false }), of({ hard: false })],
    [
      ...[one("ask", { process: 1 }), one("go on"), one("hardness"), one("crash"), one("answer")],
      ...[one("crash", { process: 1 }), one("lose")],
    ],
  ],
  // The file is read with another period by one gateway, and with a third by the other one.
  [
    [of({ hard: false })],
    [
      ...[one("ask"), one("go on", { amount: 26 }), one("answer"), one("read", { amount: 4 })],
      ...[one("read", { process: 1, amount: 0 }), one("wait", { which: 5 }), one("ask")],
    ],
  ],
  // Counters that were lost, and do not answer, are asked for the first time.
  [
    [of({ at: "spare", hard: false }), of({ limit: 2, hard: false })],
    [
      ...[one("ask"), one("go on", { which: 3 }), one("reload"), one("answer"), one("lose"), one("ask")],
      ...[one("mute", { which: 1 }), one("go on", { which: 3 })],
    ],
  ],
  // It takes longer than its budget is looked after, and its gateway ends while the counters are away.
  [
    [of()],
    [
      ...[one("ask", { process: 1 }), one("wait"), one("wait"), one("reload", { process: 1 }), one("go on")],
      ...[one("away"), one("answer")],
    ],
  ],
  // What was left untold, and is told with what was used since, uses it up.
  [
    [of({ type: "tokens", limit: 2, hard: false })],
    [one("away"), one("ask"), one("go on"), one("answer"), one("reload"), one("ask"), one("go on")],
  ],
  // Its gateway is owed an answer, and ends, when others have heard what it was about.
  [
    [of()],
    [
      ...[one("ask"), one("go on"), one("mute", { which: 1 }), one("ask"), one("answer"), one("reload"), one("ask")],
      ...[one("away"), one("answer", { amount: 0 })],
    ],
  ],
  // Counters that were lost do not answer, and say as much as they would if they had not been lost, and not been asked.
  [
    [of({ type: "requests", limit: 2, hard: false })],
    [
      ...[one("ask"), one("go on"), one("answer"), one("ask"), one("lose"), one("mute", { which: 2 })],
      ...[one("go on"), one("hardness"), one("ask"), one("go on", { process: 1 })],
    ],
  ],
];

/** What the periods of its budgets become while the first requests of them are under way. */
const edited: [Limits[], Step[]][] = [
  // Room is made by one gateway, before the other one learns of the budget with another end.
  [[of()], [one("ask"), one("period", { process: 1 }), one("go on"), one("crash")]],
  // What is used after the edit is told under the name of before it, and its gateway ends.
  [
    [of({ hard: false }), of({ type: "requests", limit: 2, hard: false })],
    [
      ...[one("ask", { process: 1 }), one("period", { which: 3 }), one("go on"), one("answer")],
      ...[one("period", { process: 1, amount: 0 }), one("crash", { process: 1 })],
    ],
  ],
  // A week ends with the month that was made shorter.
  [
    [of({ hard: false })],
    [
      ...[one("ask"), one("go on"), one("wait", { which: 5 }), one("answer"), one("read")],
      ...[one("wait", { which: 5 })],
    ],
  ],
  // It is used up, and the answer to that is not heard, when its period is edited.
  [
    [of({ limit: 2, hard: false })],
    [
      ...[one("ask"), one("go on"), one("answer"), one("period", { amount: 14 }), one("ask")],
      ...[one("mute", { which: 2 }), one("go on"), one("answer"), one("period", { process: 1, amount: 24 })],
    ],
  ],
  // The file is read by one gateway after an edit, and the other one hears of both at once.
  [
    [of()],
    [
      ...[one("ask"), one("go on"), one("period", { amount: 1 }), one("wait", { which: 2 })],
      ...[one("read", { amount: 0 })],
    ],
  ],
  // Nobody asks for it before the period of before the edit ends.
  [
    [of({ hard: false })],
    [one("ask"), one("go on"), one("period", { amount: 4 }), one("answer"), one("wait", { which: 5 })],
  ],
];

async function walked(budgets: Limits[], all: Step[], openCounters?: OpenCounters): Promise<HeldWorld> {
  const world = new HeldWorld(budgets, openCounters);
  for (const one of all) await take(world, one);
  await world.calm();
  return world;
}

async function checkAll(world: HeldWorld): Promise<void> {
  expect(await world.seen()).toEqual(world.expected());
  world.checkAlerts();
}

/** Those that were found before, and others. */
async function walks(parameters: fc.Parameters<[Limits[], Step[]]>, openCounters?: OpenCounters): Promise<void> {
  for (const [budgets, all] of [...found, ...edited]) {
    const world = await walked(budgets, all, openCounters);
    await checkAll(world);
    await world.checkQuiet();
  }
  await fc.assert(
    fc.asyncProperty(fc.array(limits, { minLength: 1, maxLength: 3 }), walk, async (budgets, all) => {
      const world = await walked(budgets, all, openCounters);
      // What comes before a loss is noticed may hide it, or be counted twice: all agree all the same.
      if (world.isLossHidden) await world.checkAgreement();
      else await checkAll(world);
      await world.checkQuiet();
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
