import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepingLogger } from "../../test/support/gateway.ts";
import { type Asked, drive, exchangeOf, leaves, node, outcome, refusalOf, walkOf } from "../../test/support/walks.ts";
import { assignments } from "./assignments.ts";
import { loadbalanceStrategy } from "./strategy.ts";

const group = node("config");
const strategyWith = (most = 100) => loadbalanceStrategy(assignments(most));

const weighing = (...weights: readonly number[]) => leaves(...weights.map((weight) => ({ weight })));

/** Which child a walk goes to. */
const indexOf = (route: ReturnType<ReturnType<typeof strategyWith>["compile"]>, walk: Parameters<typeof route>[0]) =>
  Number(/\d+/.exec(drive(route(walk), [outcome(200)]).called[0] ?? "")?.[0]);

describe("a draw", () => {
  it.each([
    [[3, 1, 0], 0, 0],
    [[3, 1, 0], 0.7499, 0],
    [[3, 1, 0], 0.75, 1],
    [[3, 1, 0], 0.999999, 1],
    [[0, 0, 1], 0, 2],
    [[0, 2, 0], 0.999999, 1],
    [[5, 3, 1], 0.55, 0],
    [[5, 3, 1], 0.56, 1],
    [[5, 3, 1], 0.89, 2],
    [[0.95, 0.05], 0.94, 0],
    [[0.95, 0.05], 0.96, 1],
    [[0.1, 0.2, 0.3, 0], 0.9999999999999999, 2],
  ])("among weights %j of %d goes to child %d", (weights, draw, chosen) => {
    const route = strategyWith().compile({}, weighing(...weights), group);
    expect(indexOf(route, walkOf({ draws: [draw] }))).toBe(chosen);
  });

  it("happens once per request, and a failure is the group's answer", () => {
    let draws = 0;
    const random = () => {
      draws++;
      return 0;
    };
    const walk = walkOf({ random });
    const driven = drive(strategyWith().compile({}, weighing(1, 1), group)(walk), [outcome(500)]);
    expect(driven).toMatchObject({ called: ["config.targets[0]"], result: { status: 500 } });
    expect(draws).toBe(1);
  });

  it("gives each child its share", () => {
    const route = strategyWith().compile({}, weighing(5, 3, 1), group);
    const counts = [0, 0, 0];
    const requests = 9000;
    for (let at = 0; at < requests; at++) {
      const index = indexOf(route, walkOf({ draws: [(at + 0.5) / requests] }));
      counts[index] = (counts[index] ?? 0) + 1;
    }
    expect(counts).toEqual([5000, 3000, 1000]);
  });

  it("never goes to a child of weight 0", () => {
    const weight = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e308, noNaN: true }));
    const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.array(weight, { minLength: 1, maxLength: 9 }), draw, (weights, drawn) => {
        fc.pre(weights.some((one) => one > 0));
        const route = strategyWith().compile({}, weighing(...weights), group);
        expect(weights[indexOf(route, walkOf({ draws: [drawn] }))]).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it.each([[[0, 0]], [[0]]])("among weights %j is refused, in a file and when reached", (weights) => {
    const strategy = strategyWith();
    const children = weighing(...weights);
    expect(
      strategy.check?.(
        {},
        children.map(({ node }) => node),
      ),
    ).toMatchObject([{ path: "targets" }]);
    expect(refusalOf(() => drive(strategy.compile({}, children, group)(walkOf()), []))).toBe("config_invalid");
  });
});

describe("sticky", () => {
  const fields = ["metadata.tenant", "params.user"];
  const hour = 3_600_000;

  /** Requests to one group, each with its own draw. */
  function deployment(sticky: object = {}, weights: readonly number[] = [1, 1], most?: number) {
    const strategy = strategyWith(most);
    const options = strategy.schema.parse({ sticky: { enabled: true, hash_fields: fields, ...sticky } });
    const compiled = (of: readonly number[]) => strategy.compile(options, weighing(...of), group);
    let route = compiled(weights);
    return {
      reweigh(of: readonly number[]) {
        route = compiled(of);
      },
      /** The child a request with this draw goes to. */
      ask: (draw: number, asked: Asked, now = 0, config?: string) =>
        indexOf(
          route,
          walkOf({ draws: [draw], exchange: exchangeOf(asked), now: () => now, ...(config && { config }) }),
        ),
    };
  }

  const ada = { metadata: { tenant: "ada" }, principal: { id: "key:a" } };
  const bob = { metadata: { tenant: "bob" }, principal: { id: "key:a" } };

  it("says of fields that are none of a request's how they are written, once for each config", () => {
    const log = keepingLogger();
    const strategy = loadbalanceStrategy(assignments(9), undefined, undefined, log);
    const options = strategy.schema.parse({ sticky: { enabled: true, hash_fields: ["user", "metadata.tenant"] } });
    const route = strategy.compile(options, weighing(1, 1), group);
    const walks = [0.9, 0].map((draw) => walkOf({ draws: [draw], exchange: exchangeOf(ada), config: "pc-a" }));
    expect(walks.map((walk) => indexOf(route, walk))).toEqual([1, 1]);
    const told = expect.stringContaining('nothing of a request is called "user"; write metadata.KEY, or params.KEY');
    expect(log.lines).toEqual([{ level: "warn", message: told, fields: { config: "pc-a", path: "config" } }]);
    expect(walks.map(({ notes }) => notes)).toEqual([expect.arrayContaining([told]), expect.arrayContaining([told])]);
  });

  it("keeps a caller where it was, whatever would be drawn", () => {
    const { ask } = deployment();
    expect(ask(0.9, ada)).toBe(1);
    for (let at = 0; at < 100; at++) expect(ask(at / 100, ada)).toBe(1);
    expect(ask(0, bob)).toBe(0);
  });

  it.each([
    ["the principal", { ...ada, principal: { id: "key:b" } }, "c"],
    ["the metadata", bob, "c"],
    ["the body", { ...ada, request: { json: { user: "u" } } }, "c"],
    ["the config", ada, "d"],
  ])("tells callers apart by %s", (_, other, config) => {
    const { ask } = deployment();
    expect(ask(0.9, ada, 0, "c")).toBe(1);
    expect(ask(0, other, 0, config)).toBe(0);
    expect(ask(0, ada, 0, "c")).toBe(1);
  });

  it("keeps a caller where it was, whichever key of its workspace is used", () => {
    const { ask } = deployment();
    const from = (id: string, workspace: string) => ({ ...ada, principal: { id, organisation: "o", workspace } });
    expect(ask(0.9, from("key:a", "w"))).toBe(1);
    expect(ask(0, from("key:b", "w"))).toBe(1);
    expect(ask(0, from("key:a", "v"))).toBe(0);
  });

  it("does not confuse values that read the same in a row", () => {
    const { ask } = deployment({ hash_fields: ["metadata.a", "metadata.b"] });
    expect(ask(0.9, { metadata: { a: "x", b: "y" } })).toBe(1);
    expect(ask(0, { metadata: { a: "xy", b: "" } })).toBe(0);
    expect(ask(0, { metadata: { a: "", b: "xy" } })).toBe(0);
  });

  it("draws every time for requests without any of the values, and for those whose body cannot be read", () => {
    const { ask } = deployment();
    const unreadable = {
      request: {
        get json() {
          throw new Error("not JSON");
        },
      },
    };
    for (const asked of [{}, { metadata: { other: "x" } }, { request: { json: { user: { id: 1 } } } }, unreadable]) {
      expect(ask(0.9, asked)).toBe(1);
      expect(ask(0, asked)).toBe(0);
    }
  });

  it("forgets a caller when its time has passed, which using it does not extend", () => {
    const { ask } = deployment();
    expect(ask(0.9, ada, 0)).toBe(1);
    expect(ask(0, ada, hour - 1)).toBe(1);
    expect(ask(0, ada, hour)).toBe(0);
    expect(ask(0.9, ada, hour + 1)).toBe(0);
  });

  it("replaces a child that is switched off or gone", () => {
    const { ask, reweigh } = deployment();
    expect(ask(0.9, ada)).toBe(1);
    reweigh([1, 0]);
    expect(ask(0.9, ada)).toBe(0);
    reweigh([1, 1]);
    expect(ask(0.9, ada)).toBe(0);
    expect(ask(0.9, bob)).toBe(1);
    reweigh([1]);
    expect(ask(0.9, bob)).toBe(0);
  });

  it("does not take a group for the one that stood in its place before", () => {
    const strategy = strategyWith();
    const options = strategy.schema.parse({ sticky: { enabled: true, hash_fields: fields } });
    const groupOf = (provider: string) => ({ targets: [node("below", { fields: { provider } })] });
    const askOf = (draw: number, ...providers: readonly string[]) =>
      indexOf(
        strategy.compile(options, leaves(...providers.map(groupOf)), group),
        walkOf({ draws: [draw], exchange: exchangeOf(ada) }),
      );
    expect(askOf(0.9, "@a", "@b")).toBe(1);
    expect(askOf(0, "@a", "@b")).toBe(1);
    expect(askOf(0, "@b", "@a")).toBe(0);
    expect(askOf(0, "@a", "@b")).toBe(1);
  });

  it("remembers no more callers than it may, the latest", () => {
    const { ask } = deployment({}, [1, 1], 2);
    for (const tenant of ["a", "b", "c"]) expect(ask(0.9, { metadata: { tenant } })).toBe(1);
    expect(ask(0, { metadata: { tenant: "c" } })).toBe(1);
    expect(ask(0, { metadata: { tenant: "b" } })).toBe(1);
    expect(ask(0, { metadata: { tenant: "a" } })).toBe(0);
  });

  it("is off unless it is enabled", () => {
    const { ask } = deployment({ enabled: false });
    expect([ask(0.9, ada), ask(0, ada)]).toEqual([1, 0]);
  });

  it.each([
    [{ enabled: true }],
    [{ enabled: true, hash_fields: [] }],
    [{ enabled: true, hash_fields: ["metadata.a"], ttl: 0 }],
    [{ enabled: true, hash_fields: "metadata.a" }],
  ])("is refused as %j", (sticky) => {
    expect(strategyWith().schema.safeParse({ sticky }).success).toBe(false);
  });
});
