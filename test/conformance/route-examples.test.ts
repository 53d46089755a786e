import { describe, expect, it } from "vitest";
import type { Outcome } from "../../core/index.ts";
import { type Asked, drive, exchangeOf, failed, outcome, walkOf } from "../support/walks.ts";
import { type TreeNode, treeRoute } from "./route-trees.ts";

/** The example configs of routing-config.md section 20 (and 8.7), less what is not about strategies or retries. */

const leaf: TreeNode = {};
/** How each call is answered, by the leaf's place: `[0]`, `[1][0]`. */
type Script = Readonly<Record<string, readonly Outcome[]>>;

function walk(config: TreeNode, script: Script, asked: Asked = {}, draw = 0) {
  const left = new Map(Object.entries(script).map(([place, outcomes]) => [place, [...outcomes]]));
  const placeOf = (path: string) => [...path.matchAll(/\[\d+\]/g)].join("");
  const route = treeRoute(config)(walkOf({ exchange: exchangeOf(asked), draws: [draw] }));
  const { called, delays, result } = drive(route, ({ path }) => {
    const next = left.get(placeOf(path))?.shift();
    if (!next) throw new Error(`${path} was called once more than the example says`);
    return next;
  });
  const calls = called.map((path, at) => (delays[at] ? `${placeOf(path)} after ${delays[at]}` : placeOf(path)));
  return { calls, status: result.status, count: result.retries ?? 0 };
}

const [s200, s400, s401, s429, s500, s503] = [200, 400, 401, 429, 500, 503].map((status) => outcome(status)) as [
  Outcome,
  Outcome,
  Outcome,
  Outcome,
  Outcome,
  Outcome,
];
const soft = outcome(246);

interface Example {
  readonly title: string;
  readonly config: TreeNode;
  readonly rows: readonly (readonly [Script, readonly string[], number, number])[];
}

const examples: readonly Example[] = [
  {
    title: "20.1 fallback on selected statuses",
    config: {
      strategy: { mode: "fallback", on_status_codes: [429, 500, 502, 503, 504, 529] },
      targets: [leaf, leaf],
    },
    rows: [
      [{ "[0]": [s200] }, ["[0]"], 200, 0],
      [{ "[0]": [s429], "[1]": [s200] }, ["[0]", "[1]"], 200, 0],
      [{ "[0]": [s400] }, ["[0]"], 400, 0],
      [{ "[0]": [s503], "[1]": [s401] }, ["[0]", "[1]"], 401, 0],
      [{ "[0]": [failed.timeout] }, ["[0]"], 408, 0],
    ],
  },
  {
    title: "20.2 retries first, then fallback",
    config: {
      retry: { attempts: 2, on_status_codes: [429, 503] },
      strategy: { mode: "fallback" },
      targets: [leaf, { retry: { attempts: 0 } }],
    },
    rows: [
      [{ "[0]": [s503, s200] }, ["[0]", "[0] after 1000"], 200, 1],
      [{ "[0]": [s503, s503, s503], "[1]": [s200] }, ["[0]", "[0] after 1000", "[0] after 2000", "[1]"], 200, 0],
      [{ "[0]": [s503, s503, s503], "[1]": [s503] }, ["[0]", "[0] after 1000", "[0] after 2000", "[1]"], 503, 0],
      [{ "[0]": [s500], "[1]": [s200] }, ["[0]", "[1]"], 200, 0],
    ],
  },
  {
    title: "20.7 retry a bad answer, then fall back",
    config: {
      strategy: { mode: "fallback", on_status_codes: [246, 446, 500, 503] },
      retry: { attempts: 1, on_status_codes: [246, 500] },
      targets: [leaf, leaf],
    },
    rows: [
      [{ "[0]": [soft, s200] }, ["[0]", "[0]"], 200, 1],
      [{ "[0]": [soft, soft], "[1]": [s200] }, ["[0]", "[0]", "[1]"], 200, 0],
      [{ "[0]": [soft, soft], "[1]": [soft, soft] }, ["[0]", "[0]", "[1]", "[1]"], 246, -1],
      [{ "[0]": [s400] }, ["[0]"], 400, 0],
    ],
  },
  {
    title: "20.8 a used-up budget",
    config: { strategy: { mode: "fallback" }, targets: [leaf, leaf] },
    rows: [
      [{ "[0]": [outcome(412, { code: "budget_exhausted", headers: {} })], "[1]": [s200] }, ["[0]", "[1]"], 200, 0],
    ],
  },
  {
    title: "20.11 a passthrough primary without a provider",
    config: { strategy: { mode: "fallback" }, targets: [leaf, leaf] },
    rows: [
      [{ "[0]": [outcome(400, { code: "provider_missing", headers: {} })], "[1]": [s200] }, ["[0]", "[1]"], 200, 0],
    ],
  },
  {
    title: "20.12 behaviour only",
    config: { retry: { attempts: 3 } },
    rows: [
      [{ "": [s200] }, [""], 200, 0],
      [{ "": [s503, s503, s503, s503] }, ["", " after 1000", " after 2000", " after 4000"], 503, -1],
    ],
  },
  {
    title: "20.13 a cluster with an outer backup",
    config: {
      strategy: { mode: "fallback", on_status_codes: [429, 500, 503] },
      targets: [{ strategy: { mode: "loadbalance" }, retry: { attempts: 1 }, targets: [leaf, leaf, leaf] }, leaf],
    },
    rows: [
      [{ "[0][1]": [s429, s429], "[1]": [s200] }, ["[0][1]", "[0][1] after 1000", "[1]"], 200, 0],
      [{ "[0][1]": [s429, s200] }, ["[0][1]", "[0][1] after 1000"], 200, 1],
    ],
  },
  {
    title: "8.7 the worked timeline",
    config: { retry: { attempts: 3, on_status_codes: [408, 429], use_retry_after_headers: true } },
    rows: [
      [
        { "": [failed.timeout, outcome(429, { headers: { "retry-after": "5" } }), s503] },
        ["", " after 1000", " after 5000"],
        503,
        2,
      ],
    ],
  },
];

describe.each(examples)("$title", ({ config, rows }) => {
  it.each(rows.map((row) => [row[0], row[1], row[2], row[3]] as const))(
    "answered %j, calls %j and ends with %d, count %d",
    (script, calls, status, count) => {
      expect(walk(config, script, {}, 0.5)).toEqual({ calls, status, count });
    },
  );
});

it("20.3 weighted split with one target switched off", () => {
  const config = {
    strategy: { mode: "loadbalance" },
    targets: [{ weight: 3 }, leaf, { weight: 0 }],
  };
  const shares = { "[0]": 0, "[1]": 0 };
  for (let at = 0; at < 100; at++) {
    const { calls, status } = walk(config, { "[0]": [s500], "[1]": [s500] }, {}, at / 100);
    expect(status).toBe(500);
    shares[calls[0] as keyof typeof shares]++;
  }
  expect(shares).toEqual({ "[0]": 75, "[1]": 25 });
});

/** Conditions as they stand in JSON. */
const conditions = (text: string): unknown => JSON.parse(text);

describe("20.4 plan-based routing with aliases", () => {
  const config: TreeNode = {
    strategy: {
      mode: "conditional",
      conditions: conditions(`[
        { "query": { "$and": [ { "metadata.plan": { "$in": ["gold", "team"] } }, { "params.model": { "$eq": "best" } } ] }, "then": "premium" },
        { "query": { "params.max_tokens": { "$gt": 4000 } }, "then": "long" },
        { "query": { "url.pathname": { "$regex": "/embeddings$" } }, "then": "vectors" } ]`),
      default: "basic",
    },
    targets: [{ name: "premium" }, { name: "long" }, { name: "vectors" }, { name: "basic" }],
  };
  const body = (json: object) => ({ request: { json } });

  it.each<[string, Asked, string]>([
    ["plan gold, model best", { metadata: { plan: "gold" }, ...body({ model: "best" }) }, "[0]"],
    ["plan free, model best", { metadata: { plan: "free" }, ...body({ model: "best" }) }, "[3]"],
    ["plan free, max_tokens 5000", { metadata: { plan: "free" }, ...body({ model: "m", max_tokens: 5000 }) }, "[1]"],
    ["all at once", { metadata: { plan: "gold" }, ...body({ model: "best", max_tokens: 5000 }) }, "[0]"],
    ["max_tokens as text", body({ model: "m", max_tokens: "4001" }), "[1]"],
    ["embeddings", { url: "/v1/embeddings", ...body({ model: "m" }) }, "[2]"],
    ["no metadata", body({ model: "m" }), "[3]"],
    ["a body that is not JSON", { url: "/v1/audio/transcriptions" }, "[3]"],
  ])("%s", (_, asked, place) => {
    expect(walk(config, { [place]: [s200] }, asked).calls).toEqual([place]);
  });
});

describe("20.5 region-aware backup", () => {
  const config: TreeNode = {
    strategy: { mode: "fallback" },
    targets: [
      leaf,
      {
        strategy: {
          mode: "conditional",
          conditions: conditions('[{ "query": { "metadata.region": "eu" }, "then": "eu" }]'),
          default: "world",
        },
        targets: [{ name: "world" }, { name: "eu" }],
      },
    ],
  };

  it.each<[Asked, string]>([
    [{ metadata: { region: "eu" } }, "[1][1]"],
    [{ metadata: { region: "us" } }, "[1][0]"],
    [{}, "[1][0]"],
  ])("%j goes to %s", (asked, place) => {
    const { calls, status } = walk(config, { "[0]": [failed.timeout], [place]: [s200] }, asked);
    expect({ calls, status }).toEqual({ calls: ["[0]", place], status: 200 });
  });
});

it("20.6 canary with sticky users", () => {
  const route = (weights: readonly [number, number]) =>
    treeRoute({
      strategy: { mode: "loadbalance", sticky: { enabled: true, hash_fields: ["metadata._user"], ttl: 86_400 } },
      targets: weights.map((weight) => ({ weight })),
    });
  const ask = (to: ReturnType<typeof route>, draw: number, user?: string, now = 0) => {
    const exchange = exchangeOf(user === undefined ? {} : { metadata: { _user: user } });
    return drive(to(walkOf({ exchange, draws: [draw], now: () => now })), [s200]).called[0];
  };
  const day = 86_400_000;
  const canary = route([0.95, 0.05]);
  expect(ask(canary, 0.96, "ada")).toBe("config.targets[1]");
  expect(ask(canary, 0, "ada", day - 1)).toBe("config.targets[1]");
  expect(ask(canary, 0, "ada", day)).toBe("config.targets[0]");
  expect([ask(canary, 0.96), ask(canary, 0)]).toEqual(["config.targets[1]", "config.targets[0]"]);
  expect(ask(route([0.95, 0]), 0.99, "ada")).toBe("config.targets[0]");
});
