import { describe, expect, it } from "vitest";
import { type Asked, drive, exchangeOf, leaves, node, outcome, refusalOf, walkOf } from "../../test/support/walks.ts";
import { conditionalStrategy } from "./strategy.ts";

const children = leaves({ name: "premium" }, { name: "basic" }, { weight: 2 });
const group = node("config");
const gold = { "metadata.plan": "gold" };
/** Not written out in objects, which linters would take for promises. */
const leadsTo = "then";
const when = (name: string, condition: object) => Object.fromEntries([...Object.entries(condition), [leadsTo, name]]);

const toPremium = [when("premium", { query: gold })];

const parse = (options: object) => conditionalStrategy.schema.parse(options);
const problemsOf = (options: object, among = children) =>
  conditionalStrategy.check?.(
    parse(options),
    among.map(({ node }) => node),
  );

function ask(options: object, asked: Asked = {}) {
  const walk = walkOf({ exchange: exchangeOf(asked) });
  const route = conditionalStrategy.compile(parse(options), children, group);
  return { ...drive(route(walk), [outcome(500)]), notes: walk.notes };
}

describe("conditions", () => {
  const conditions = [
    when("premium", { query: gold }),
    when("basic", { query: { "metadata.plan": { $regex: "^go" } } }),
    when("premium", { json_logic: { ">": [{ var: "params.max_tokens" }, 4000] } }),
    when("premium", { jsonLogic: { "==": [{ var: "metadata.region" }, "eu"] } }),
  ];

  it.each<[Asked, string, string]>([
    [{ metadata: { plan: "gold" } }, "config.targets[0]", "condition 0 holds: premium"],
    [{ metadata: { plan: "good" } }, "config.targets[1]", "condition 1 holds: basic"],
    [{ request: { json: { max_tokens: 5000 } } }, "config.targets[0]", "condition 2 holds: premium"],
    [{ metadata: { region: "eu" } }, "config.targets[0]", "condition 3 holds: premium"],
    [{}, "config.targets[1]", "no condition holds: basic"],
  ])("send %j to %s, and a failure there is the answer", (asked, path, note) => {
    const { called, result, notes } = ask({ conditions, default: "basic" }, asked);
    expect(called).toEqual([path]);
    expect(result.status).toBe(500);
    expect(notes).toEqual([`config ${note}`]);
    expect(problemsOf({ conditions, default: "basic" })).toEqual([]);
  });

  it("are compiled once, when the config is read", () => {
    let reads = 0;
    const query = {
      get "metadata.plan"() {
        reads++;
        return "gold";
      },
    };
    const route = conditionalStrategy.compile(
      { conditions: [when("premium", { query })], default: "basic" },
      children,
      group,
    );
    for (const plan of ["gold", "free", "gold"])
      drive(route(walkOf({ exchange: exchangeOf({ metadata: { plan } }) })), []);
    expect(reads).toBe(1);
  });

  it("lead to the first of two targets of the same name", () => {
    const twins = leaves({ name: "a" }, { name: "a" });
    const route = conditionalStrategy.compile({ conditions: [when("a", { query: {} })] }, twins, group);
    expect(drive(route(walkOf()), []).called).toEqual(["config.targets[0]"]);
  });
});

const unknown = { "metadata.plan": { $foo: 1 } };

/** A mistake, where a file is told of it, and what a request that reaches it is told. */
const mistakes: readonly [string, object, string, string | undefined][] = [
  ["no conditions", { default: "basic" }, "strategy.conditions", "config_invalid"],
  ["an empty list", { conditions: [], default: "basic" }, "strategy.conditions", "config_invalid"],
  ["no default", { conditions: toPremium }, "strategy.default", "config_invalid"],
  ["a default nobody has", { conditions: toPremium, default: "none" }, "strategy.default", "config_invalid"],
  [
    "a target nobody has",
    { conditions: [when("none", { query: {} })], default: "basic" },
    "strategy.conditions.0.then",
    "config_invalid",
  ],
  [
    "no target",
    { conditions: [{ query: { $and: [] } }], default: "basic" },
    "strategy.conditions.0.then",
    "config_invalid",
  ],
  [
    "an unknown operator",
    { conditions: [when("basic", { query: unknown })], default: "basic" },
    "strategy.conditions.0.query.metadata.plan.$foo",
    "config_invalid",
  ],
  [
    "an unknown operation",
    { conditions: [when("basic", { json_logic: { log: 1 } })], default: "basic" },
    "strategy.conditions.0.json_logic",
    "config_invalid",
  ],
  // These are passed over.
  ["no condition", { conditions: [5, ...toPremium], default: "basic" }, "strategy.conditions.0", undefined],
  ["nothing to ask", { conditions: [when("premium", {})], default: "basic" }, "strategy.conditions.0", undefined],
  [
    "a query that is none",
    { conditions: [when("premium", { query: "x" })], default: "basic" },
    "strategy.conditions.0.query",
    undefined,
  ],
  [
    "half a condition",
    { conditions: [when("premium", { query: [], json_logic: true })], default: "basic" },
    "strategy.conditions.0.query",
    undefined,
  ],
  [
    "a pattern that is none",
    { conditions: [when("premium", { query: { "metadata.plan": { $regex: "(" } } })], default: "basic" },
    "strategy.conditions.0.query.metadata.plan.$regex",
    undefined,
  ],
];

describe.each(mistakes)("%s", (_, options, path, code) => {
  it("is a problem of a config of the file", () => {
    expect(problemsOf(options)?.map((problem) => problem.path)).toContain(path);
  });

  it(code ? "ends a request that reaches it" : "is passed over when it is reached", () => {
    expect(refusalOf(() => ask(options))).toBe(code);
    if (!code) expect(ask(options, { metadata: { plan: "free" } }).called).toEqual(["config.targets[1]"]);
  });
});

describe("mistakes further on", () => {
  it("do not matter to requests decided before", () => {
    const conditions = [...toPremium, when("none", { query: unknown })];
    expect(ask({ conditions }, { metadata: { plan: "gold" } }).called).toEqual(["config.targets[0]"]);
    expect(refusalOf(() => ask({ conditions }))).toBe("config_invalid");
  });

  it("name their place", () => {
    const conditions = [...toPremium, when("basic", { query: unknown })];
    expect(() => ask({ conditions })).toThrow(
      /^strategy\.conditions\.1\.query\.metadata\.plan\.\$foo unknown operator/,
    );
  });
});

it("names that stand twice are a problem of a config of the file", () => {
  const twins = leaves({ name: "basic" }, { name: "premium" }, { name: "basic" });
  expect(problemsOf({ conditions: toPremium, default: "basic" }, twins)).toMatchObject([{ path: "targets.2.name" }]);
});

it("both kinds in one condition must hold, and are a problem of a config of the file", () => {
  const options = (json_logic: boolean) => ({
    conditions: [when("premium", { query: gold, json_logic })],
    default: "basic",
  });
  const asked = { metadata: { plan: "gold" } };
  expect(ask(options(true), asked).called).toEqual(["config.targets[0]"]);
  expect(ask(options(false), asked).called).toEqual(["config.targets[1]"]);
  expect(problemsOf(options(true))).toMatchObject([{ path: "strategy.conditions.0" }]);
});
