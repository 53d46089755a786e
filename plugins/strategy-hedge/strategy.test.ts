import { describe, expect, it } from "vitest";
import type { Outcome, Route, RouteChild, Target, Walk } from "../../core/index.ts";
import { drive, leaves, node, outcome, refusalOf, walkOf } from "../../test/support/walks.ts";
import { hedgeStrategy } from "./strategy.ts";

const group = node("config");
const routeOf = (options: object, children = leaves({}, {}, {})) =>
  hedgeStrategy.compile(hedgeStrategy.schema.parse(options), children, group);

/** The targets a route yields when each of them answers 503. */
function targetsOf(route: Route): Target[] {
  const targets: Target[] = [];
  const steps: Iterator<Target, Outcome, Outcome | undefined> = route;
  for (let step = steps.next(undefined); !step.done; step = steps.next(outcome(503))) targets.push(step.value);
  return targets;
}

describe("a hedge", () => {
  it("calls the first target, with the others beside it, each a delay later", () => {
    const [target, ...more] = targetsOf(routeOf({ delay: 200 })(walkOf()));
    expect(more).toEqual([]);
    expect(target?.path).toBe("config.targets[0]");
    expect(target?.beside?.map(({ kind, afterMs }) => [kind, afterMs])).toEqual([
      ["rival", 200],
      ["rival", 400],
    ]);
    const [second, third] = (target?.beside ?? []).map(
      ({ route }) => drive(route(walkOf().exchange), [outcome(200)]).called,
    );
    expect([second, third]).toEqual([["config.targets[1]"], ["config.targets[2]"]]);
  });

  it("waits a second unless told otherwise", () => {
    expect(targetsOf(routeOf({})(walkOf()))[0]?.beside?.[0]?.afterMs).toBe(1_000);
  });

  it("has nothing beside a single target", () => {
    expect(targetsOf(routeOf({}, leaves({}))(walkOf()))[0]?.beside).toBeUndefined();
  });

  it("that another one begins with is run within that one's first lane", () => {
    const [first, second, third] = leaves({}, {}, {}) as [RouteChild, RouteChild, RouteChild];
    const inner = { ...first, route: routeOf({ delay: 100 }, [first, second]) };
    const [target] = targetsOf(routeOf({ delay: 300 }, [inner, third])(walkOf()));
    const delays = (lanes: Target["beside"]) => lanes?.map(({ afterMs }) => afterMs);
    expect([delays(target?.beside), delays(target?.besideWithin)]).toEqual([[300], [100]]);
    const [own] = targetsOf(target?.asLane?.(walkOf().exchange) as Route);
    expect([own?.path, delays(own?.beside)]).toEqual(["config.targets[0]", [100]]);
  });

  it("leaves out what a gate is shut for", () => {
    const [shut, open] = leaves({}, {});
    if (!shut || !open) throw new Error("two leaves were asked for");
    const [target] = targetsOf(routeOf({}, [{ ...shut, isShut: () => true }, open])(walkOf()));
    expect([target?.path, target?.beside]).toEqual(["config.targets[1]", undefined]);
  });

  it("that is left leaves the route of its first target, too", () => {
    let isLeft = false;
    const [child, ...others] = leaves({}, {});
    if (!child) throw new Error("two leaves were asked for");
    const first = {
      ...child,
      *route(walk: Walk): Route {
        try {
          return yield* child.route(walk);
        } finally {
          isLeft = true;
        }
      },
    };
    const steps: Iterator<Target, Outcome, unknown> = routeOf({}, [first, ...others])(walkOf());
    steps.next();
    steps.return?.();
    expect(isLeft).toBe(true);
  });

  it("needs targets, and a delay that is a number of milliseconds", () => {
    expect(refusalOf(() => routeOf({}, [])(walkOf()))).toBe("config_invalid");
    expect(hedgeStrategy.schema.safeParse({ delay: -1 }).success).toBe(false);
  });
});
