import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GatewayError, type Outcome } from "../../core/index.ts";
import { drive, exchangeOf, failed, outcome, walkOf } from "../support/walks.ts";
import { Ending, interpret } from "./route-reference.ts";
import { type TreeNode, treeRoute } from "./route-trees.ts";

const codes = fc.option(
  fc.uniqueArray(fc.constantFrom(200, 246, 400, 408, 429, 446, 500, 502, 503), { maxLength: 5 }),
  {
    nil: undefined,
  },
);

const retry = fc.record(
  { attempts: fc.nat(7), on_status_codes: codes, use_retry_after_headers: fc.boolean() },
  { requiredKeys: ["attempts", "on_status_codes"] },
);

const names = ["a", "b", "c", "d"];
const name = fc.constantFrom(...names, "nobody");
const weight = fc.constantFrom(0, 0, 1, 2, 0.5, 7);

/** Any child may be weighed, and named after its place; retries are said on any level. */
const placed = { weight: fc.option(weight, { nil: undefined }), retry: fc.option(retry, { nil: undefined }) };

/** Not written out in objects, which linters would take for promises. */
const leadsTo = "then";
const conditions = fc.array(
  fc.record({ plan: fc.constantFrom("gold", "free"), to: name }).map(({ plan, to }) =>
    Object.fromEntries([
      ["query", { "metadata.plan": plan }],
      [leadsTo, to],
    ]),
  ),
  { maxLength: 3 },
);

const strategy = fc.oneof(
  { weight: 1, arbitrary: fc.record({ mode: fc.constant("single") }) },
  { weight: 4, arbitrary: fc.record({ mode: fc.constant("fallback"), on_status_codes: codes }) },
  { weight: 3, arbitrary: fc.record({ mode: fc.constant("loadbalance") }) },
  { weight: 3, arbitrary: fc.record({ mode: fc.constant("conditional"), conditions, default: name }) },
);

const { tree } = fc.letrec<{ tree: TreeNode; leaf: TreeNode; group: TreeNode }>((tie) => ({
  tree: fc.oneof({ depthSize: "medium", withCrossShrink: true, maxDepth: 6 }, tie("leaf"), tie("group")),
  leaf: fc.record(placed).map(written),
  group: fc
    .record({ ...placed, strategy, targets: fc.array(tie("tree"), { minLength: 1, maxLength: names.length }) })
    .map(({ targets, ...rest }) =>
      written({ ...rest, targets: targets.map((one, at) => ({ ...one, name: names[at] ?? "" })) }),
    ),
}));

/** As it would be written: what is not said is not there. */
function written(value: object): TreeNode {
  return JSON.parse(JSON.stringify(value));
}

const outcomes = fc.array(
  fc.constantFrom<Outcome>(
    outcome(200),
    ...[400, 429, 500, 503, 246, 446].map((status) => outcome(status)),
    ...["1", "20", "50", "60"].map((seconds) => outcome(429, { headers: { "retry-after": seconds } })),
    outcome(446, { headers: {} }),
    outcome(429, { code: "rate_limited", headers: {} }),
    outcome(400, { code: "provider_missing", headers: {} }),
    outcome(502, { code: "upstream_invalid", headers: {} }),
    outcome(400, { reason: "context_length_exceeded" }),
    failed.refused,
    failed.timeout,
    failed.unreachable,
  ),
  { minLength: 1, maxLength: 30 },
);

const scenario = fc.record({
  tree,
  // Mostly failures, so that walks are long; seldom a failure of the gateway itself.
  outcomes: fc.oneof({ weight: 9, arbitrary: outcomes }, fc.constant([failed.internal]), fc.constant([outcome(503)])),
  draws: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1, maxLength: 5 }),
  metadata: fc.record({ plan: fc.constantFrom("gold", "free", "none") }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

interface Trace {
  readonly calls: readonly string[];
  /** The status and count a client is told; `refused` when the config could not be walked to its end. */
  readonly ends: string;
}

const endOf = ({ status, retries = 0, exception }: Outcome) => (exception ? "exception" : `${status}, ${retries}`);

/** As the plugins walk it. */
function walked({ tree, outcomes, draws, metadata }: Scenario): Trace {
  const calls: string[] = [];
  try {
    const route = treeRoute(tree)(walkOf({ draws, exchange: exchangeOf({ metadata }) }));
    const { result } = drive(route, ({ path, delayMs = 0 }) => {
      calls.push(`${path} after ${delayMs}`);
      return outcomes[(calls.length - 1) % outcomes.length] ?? failed.internal;
    });
    return { calls, ends: endOf(result) };
  } catch (error) {
    if (error instanceof GatewayError && error.code === "config_invalid") return { calls, ends: "refused" };
    throw error;
  }
}

/** As the reference words it. */
function interpreted({ tree, outcomes, draws, metadata }: Scenario): Trace {
  const calls: string[] = [];
  let drawn = 0;
  const world = {
    metadata,
    draw: () => draws[Math.min(drawn++, draws.length - 1)] ?? 0,
    call(path: string, delay: number) {
      calls.push(`${path} after ${delay}`);
      return outcomes[(calls.length - 1) % outcomes.length] ?? failed.internal;
    },
  };
  try {
    return { calls, ends: endOf(interpret(tree, world)) };
  } catch (error) {
    if (error instanceof Ending) return { calls, ends: error.outcome ? endOf(error.outcome) : "refused" };
    throw error;
  }
}

/** The most calls a tree may make. */
function budgetOf(node: TreeNode, above = 0): number {
  const { attempts = above } = (node.retry ?? {}) as { attempts?: number };
  if (!node.strategy) return 1 + Math.min(attempts, 5);
  const budgets = (node.targets ?? []).map((child) => budgetOf(child, attempts));
  return node.strategy.mode === "fallback" ? budgets.reduce((sum, budget) => sum + budget, 0) : Math.max(...budgets);
}

/** Where nobody may be called: below a child of weight 0 of a group that weighs. */
function switchedOff(node: TreeNode, path = "config"): string[] {
  return (node.targets ?? []).flatMap((child, at) => {
    const here = `${path}.targets[${at}]`;
    const off = node.strategy?.mode === "loadbalance" && child.weight === 0;
    return off ? [here] : switchedOff(child, here);
  });
}

const longestWait = 60_000;

describe("any tree of strategies and retries", () => {
  const holds = (property: (one: Scenario, trace: Trace) => void) =>
    fc.assert(
      fc.property(scenario, (one) => {
        property(one, walked(one));
      }),
      { numRuns: 2000 },
    );

  it("is walked as the reference says: the same calls, the same waits, the same end", () => {
    holds((one, trace) => expect(trace).toEqual(interpreted(one)));
  });

  it("ends, within its budget of calls", () => {
    holds(({ tree }, { calls }) => expect(calls.length).toBeLessThanOrEqual(budgetOf(tree)));
  });

  it("never calls what has no weight", () => {
    holds(({ tree }, { calls }) => {
      for (const place of switchedOff(tree)) expect(calls.filter((call) => call.startsWith(place))).toEqual([]);
    });
  });

  it("waits less than a minute at a time, and only before calling again who was called last", () => {
    holds((_, { calls }) => {
      const parts = calls.map((call) => call.split(" after "));
      for (const [at, [path, wait]] of parts.entries()) {
        expect(Number(wait)).toBeLessThan(longestWait);
        if (wait !== "0") expect(path).toBe(parts[at - 1]?.[0]);
      }
    });
  });

  it("is walked the same way again", () => {
    holds((one, trace) => expect(walked(one)).toEqual(trace));
  });
});
