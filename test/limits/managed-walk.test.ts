import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Budgeted, startBudgeted } from "../support/budgeted.ts";
import { clock } from "../support/clocked-counters.ts";
import { type Asked, type Cadence, type Group, nextAfter } from "../support/limits-model.ts";
import { expectedIn, seenIn } from "../support/managed-shown.ts";
import { done, ManagedWorld, periodOf, units } from "../support/managed-world.ts";

const minute = 60_000;
const day = 1_440 * minute;
/** The same walks in the suite: by hand, with more of them, they are others. */
const runs = Number(process.env.SLUICE_WALKS ?? 1) * 8;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2032-01-28T22:00Z") }));
afterEach(() => {
  vi.useRealTimers();
  clock.lasting = false;
});

const step = fc.record({
  kind: fc.constantFrom(
    ...[
      "ask",
      "ask",
      "ask",
      "ask",
      "ask",
      "make",
      "rate",
      "edit",
      "edit",
      "edit rate",
      "period",
      "period",
      "reset",
      "archive",
      "remake",
      "meanwhile",
      "meanwhile",
    ],
    ...["thing", "thing", "thing rate", "reset thing", "rotate", "defaults", "wait", "wait", "reload", "harden"],
  ),
  at: fc.nat({ max: 5 }),
  tokens: fc.constantFrom(0, 5, 20, 60),
  value: fc.integer({ min: 1, max: 8 }),
  alert: fc.option(fc.integer({ min: 1, max: 7 })),
  type: fc.constantFrom("cost", "tokens", "requests"),
  unit: fc.constantFrom("rpm", "rph", "rpd", "rpw"),
  team: fc.constantFrom("red", "blue", undefined),
  who: fc.constantFrom("key", "K2"),
  how: fc.constantFrom("whole", "stream", "fails", "again"),
  main: fc.boolean(),
  cadence: fc.constantFrom<Cadence>("monthly", "weekly", 1, 3, 10, null),
  next: fc.option(fc.integer({ min: 0, max: 12 })),
  by: fc.constantFrom<Group[]>(["metadata.team"], ["api_key"], ["virtual_key"], ["metadata.team", "api_key"]),
  only: fc.constantFrom("*", "red", "not red"),
  meanwhile: fc.constantFrom(
    ...[
      "make",
      "rate",
      "edit",
      "edit",
      "edit rate",
      "period",
      "reset",
      "archive",
      "thing",
      "thing rate",
      "reset thing",
    ],
    ...["rotate", "defaults", "harden", "reload"],
  ),
  wait: fc.constantFrom(5_000, minute, 45 * minute, day / 2, day, 3 * day, 8 * day),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What a limit is, in its own unit: requests as they are, tokens and cents by the score. */
const amountOf = (type: string, steps: number) => (type === "requests" ? steps : steps * 20);
const alertBelow = (type: string, alert: number | null, value: number) =>
  alert === null || alert >= value ? null : amountOf(type, alert);

function conditionOf(only: string) {
  const isMet = (team: string | undefined) =>
    team !== undefined && (only === "*" || (team === "red") === (only === "red"));
  const conditions = [
    { key: "metadata.team", value: only === "red" ? "red" : "*", ...(only === "not red" && { excludes: "red" }) },
  ];
  return { conditions, condition: ({ team }: Asked) => isMet(team) };
}

const steps: Record<string, (world: ManagedWorld, step: Step, all: Budgeted) => Promise<unknown>> = {
  ask: (world, { who, main, team, tokens, how }) =>
    world.ask({ key: who === "key" ? world.key.id : who, provider: main ? "main-oai" : world.slug, team, tokens }, how),
  async make(world, { type, value, alert, cadence, by, only, main }) {
    if (world.usage.length > 3) return;
    const { conditions, condition } = conditionOf(only);
    const limit = {
      type,
      value: amountOf(type, value),
      alert: alertBelow(type, alert, value),
      window: 0,
      cadence,
      condition,
      groups: by,
    };
    const enforcement = type === "requests" && main ? "hard" : "soft";
    await world.makePolicy("usage", limit, { name: "A budget", conditions, enforcement });
  },
  async rate(world, { type, value, unit, by, only }) {
    if (world.rates.length > 2) return;
    const { conditions, condition } = conditionOf(only);
    const what = type === "cost" ? "tokens" : type;
    const limit = {
      type: what,
      value: amountOf(what, value),
      alert: null,
      window: units[unit],
      cadence: null,
      condition,
      groups: by,
    } as const;
    await world.makePolicy("rate", limit, { name: "A rate", conditions, unit, value: limit.value });
  },
  async edit(world, { at, value, alert, only }) {
    const policy = world.usage[at % Math.max(1, world.usage.length)];
    if (!policy) return;
    const { limit, path } = policy;
    const { conditions, condition } = conditionOf(only);
    const [most, threshold] = [amountOf(limit.type, value), alertBelow(limit.type, alert, value)];
    const shown = (amount: number) => (limit.type === "cost" ? amount / 100 : amount);
    const alert_threshold = threshold === null ? null : shown(threshold);
    await done(world.member("PUT", path, { credit_limit: shown(most), alert_threshold, conditions }));
    world.model.edit(limit, most, threshold);
    limit.condition = condition;
  },
  async "edit rate"(world, { at, value, unit }) {
    const policy = world.rates[at % Math.max(1, world.rates.length)];
    if (!policy) return;
    const most = amountOf(policy.limit.type, value);
    await done(world.member("PUT", policy.path, { value: most, unit }));
    Object.assign(policy.limit, { value: most, window: units[unit] });
  },
  async period(world, { at, cadence, next }) {
    const policy = world.usage[at % Math.max(1, world.usage.length)];
    if (!policy) return;
    const { limit, path } = policy;
    const now = Date.now();
    const date = next === null ? undefined : Math.floor(now / day) * day + (next + 1) * day;
    const given = date === undefined ? {} : { next_usage_reset_at: new Date(date).toISOString() };
    await done(world.member("PUT", path, { ...periodOf(cadence), ...given }));
    const same = date === undefined && cadence === limit.cadence;
    limit.cadence = cadence;
    if (!same) world.model.redate(limit, date ?? nextAfter(cadence, now, "policy", now));
  },
  async harden(world, { at, value }) {
    const policy = world.usage[at % Math.max(1, world.usage.length)];
    if (policy?.limit.type !== "requests") return;
    await done(world.member("PUT", policy.path, { enforcement: value > 4 ? "hard" : "soft" }));
  },
  async reset(world, { at, value, main }) {
    const policy = world.usage[at % Math.max(1, world.usage.length)];
    const counters = policy ? world.model.counters(policy.limit) : [];
    const counter = counters[value % Math.max(1, counters.length)];
    if (!policy || !counter) return;
    if (main) await done(world.member("PUT", policy.path, { reset_usage_for_value: counter.value }));
    else {
      const { data } = (await world.member("GET", `${policy.path}/entities`)).body;
      const { id } = data.find((one: { value_key: string }) => one.value_key === counter.value);
      await done(world.member("PUT", `${policy.path}/entities/${id}/reset`));
    }
    world.model.reset([counter]);
  },
  /** A policy is made again under the same name, as another one, while a request that the one before let in is under way. */
  async remake(world, one, all) {
    const { who, main, team, tokens, how, value, at } = one;
    const asked = { key: who === "key" ? world.key.id : who, provider: main ? "main-oai" : world.slug, team, tokens };
    const list = value > 5 ? "rates" : "usage";
    await world.ask(asked, how, async () => {
      const policy = world[list][at % Math.max(1, world[list].length)];
      if (!policy) return;
      await world.archive(list, at);
      await steps[list === "rates" ? "rate" : "make"]?.(world, { ...one, value: (value % 4) + 1 }, all);
    });
  },
  /** Something else is done while a request is under way: it is counted for all that it was let in by. */
  async meanwhile(world, one, all) {
    const { who, main, team, tokens, how, meanwhile } = one;
    const asked = { key: who === "key" ? world.key.id : who, provider: main ? "main-oai" : world.slug, team, tokens };
    await world.ask(asked, how, async () => steps[meanwhile]?.(world, one, all));
  },
  archive: (world, { at, main }) => world.archive(main ? "usage" : "rates", at),
  async thing(world, { at, type, value, alert, cadence, next, main }) {
    const thing = world.things[at % 3];
    if (!thing) return;
    const dollars = alert !== null && alert < value ? alert * 100 : null;
    await world.limit(thing, type === "cost" ? type : "tokens", main || value > 4 ? value * 100 : undefined, dollars, {
      cadence,
      next,
    });
  },
  async "thing rate"(world, { at, type, value, unit, main }) {
    const thing = world.things[at % 3];
    const what = type === "cost" ? "tokens" : type;
    if (thing) await world.rate(thing, what, main ? amountOf(what, value) : undefined, unit);
  },
  async "reset thing"(world, { at }) {
    const thing = world.things[at % 3];
    if (!thing) return;
    await done(thing.change({ reset_usage: true }));
    world.model.resetThing(thing.id);
  },
  async rotate(world, _, { admin }) {
    // The value before is good for half an hour, and until then there is no third one.
    const { status, body } = await admin("POST", `/api-keys/${world.key.id}/rotate`, {});
    if (status !== 409) world.key.secret = body.key;
  },
  async defaults(world, { team }, { admin }) {
    await done(
      admin("PUT", `/api-keys/${world.key.id}`, { defaults: { metadata: team === undefined ? null : { team } } }),
    );
    world.key.team = team;
  },
  async wait(world, { wait }, { gateway }) {
    // In hours everything is kept, which the clock of the test leaves no time for: what a new gateway knows is.
    if (wait > 45 * minute) {
      await gateway.reload();
      await matches(world, "before it is late");
    }
    world.goOn(wait);
  },
  reload: async (_world, _step, { gateway }) => gateway.reload(),
};

/** What is told and kept a moment later is waited for. */
async function matches(world: ManagedWorld, message: string): Promise<void> {
  let seen: unknown;
  const isAsExpected = async () => {
    seen = await seenIn(world);
    return isDeepStrictEqual(seen, expectedIn(world));
  };
  try {
    await expect.poll(isAsExpected, { interval: 25, timeout: 3_000 }).toBe(true);
  } catch {
    expect(seen, message).toEqual(expectedIn(world));
  }
}

const one = (kind: string, more: Partial<Step> = {}): Step => ({
  ...{ kind, at: 2, tokens: 0, value: 4, alert: null, type: "requests", unit: "rph", team: undefined, who: "K2" },
  ...{ how: "whole", main: false, cadence: null, next: null, by: ["api_key"], only: "*", wait: 5_000, ...more },
  meanwhile: more.meanwhile ?? "thing rate",
});
/** The rate of its provider is taken away before it is called again, and is there again later. */
const betweenCalls = [
  ...[one("thing rate", { main: true }), one("meanwhile", { how: "again" }), one("thing rate", { main: true })],
  ...[one("ask"), one("ask"), one("ask")],
];
/** A budget of a workspace is reset before its gateway was asked for it: it is told all the same whose it is. */
const resetFirst = [
  ...[
    one("thing", { at: 1, type: "cost", value: 1, main: true }),
    one("ask", { tokens: 60 }),
    one("wait", { wait: day }),
  ],
  ...[one("reset thing", { at: 1 }), one("ask", { tokens: 60 }), one("ask", { tokens: 60 })],
];

it("whatever is managed while requests run, they are let in, counted and told of as the simplest model says", async () => {
  clock.lasting = true;
  const all = await startBudgeted({
    notifications: {},
    "usage-limits": { flushInterval: 100, syncInterval: 100 },
  });
  let name = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: "max" }), async (given) => {
      const world = await ManagedWorld.open(all, `run-${++name}`);
      const move = (now: number) => {
        vi.setSystemTime(now);
        all.clock.now = now;
        world.model.goOn(now);
        return now;
      };
      world.at = move;
      for (const one of given) {
        world.goOn(1);
        await steps[one.kind]?.(world, one, all);
        await matches(world, JSON.stringify(one));
      }
    }),
    { numRuns: runs, examples: [[betweenCalls], [resetFirst]], endOnFailure: true, ...(runs === 8 && { seed: 1 }) },
  );
}, 600_000);
