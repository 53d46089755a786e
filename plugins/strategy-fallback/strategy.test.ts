import { describe, expect, it } from "vitest";
import type { Route, Walk } from "../../core/index.ts";
import { drive, failed, leaves, node, outcome, target, walkOf } from "../../test/support/walks.ts";
import { fallbackStrategy } from "./strategy.ts";

const group = node("config");
const parse = (options: object) => fallbackStrategy.schema.parse(options);
const routeOf = (options: object, children = leaves({}, {}, {})) =>
  fallbackStrategy.compile(parse(options), children, group);

const soft = outcome(246);
const denied = outcome(446);

describe("a fallback over three targets", () => {
  it.each([
    // Without a list.
    [undefined, [outcome(200)], 1],
    [undefined, [outcome(201)], 1],
    [undefined, [soft], 1],
    [undefined, [denied, outcome(200)], 2],
    [undefined, [outcome(302), outcome(200)], 2],
    [undefined, [outcome(400), outcome(200)], 2],
    [undefined, [outcome(412), outcome(429), outcome(200)], 3],
    [undefined, [failed.timeout, failed.refused, outcome(503)], 3],
    [undefined, [failed.internal], 1],
    [undefined, [outcome(503), failed.internal], 2],
    // With one.
    [[246], [soft, outcome(200)], 2],
    [[200], [outcome(200), outcome(200), outcome(200)], 3],
    [[429], [outcome(200)], 1],
    [[429], [outcome(500)], 1],
    [[429, 500], [outcome(429), outcome(500), outcome(429)], 3],
    [[408], [failed.timeout, outcome(200)], 2],
    [[500], [failed.timeout], 1],
    [[500], [failed.refused, outcome(200)], 2],
    [[500], [failed.internal], 1],
    // An empty one never moves on.
    [[], [outcome(500)], 1],
    [[], [failed.timeout], 1],
  ])("with on_status_codes %j and outcomes %j makes %d calls", (codes, outcomes, calls) => {
    const options = codes === undefined ? {} : { on_status_codes: codes };
    const driven = drive(routeOf(options)(walkOf()), outcomes);
    expect(driven.called).toEqual(["config.targets[0]", "config.targets[1]", "config.targets[2]"].slice(0, calls));
    expect(driven.delays.every((delay) => delay === 0)).toBe(true);
    expect(driven.result).toEqual(outcomes[calls - 1]);
  });

  it("stops at the last child, whatever it answers", () => {
    const { called, result } = drive(routeOf({}, leaves({}))(walkOf()), [outcome(503)]);
    expect(called).toHaveLength(1);
    expect(result.status).toBe(503);
  });

  it("says where it went", () => {
    const walk = walkOf();
    drive(routeOf({})(walk), [outcome(503), outcome(200)]);
    expect(walk.notes).toEqual(["config.targets[0] answered 503: config.targets[1] is next"]);
  });
});

describe("on_status_codes", () => {
  it.each([
    [
      [429, "503"],
      [429, 503],
    ],
    [
      ["100", 599],
      [100, 599],
    ],
    [[], []],
  ])("%j is read as %j", (given, read) => {
    expect(parse({ on_status_codes: given })).toEqual({ on_status_codes: read });
  });

  it.each([[[99]], [[600]], [["5xx"]], [[429.5]], [["0429"]], [429]])("%j is refused", (given) => {
    expect(fallbackStrategy.schema.safeParse({ on_status_codes: given }).success).toBe(false);
  });
});

describe("groups in groups", () => {
  const inner = (options: object) => {
    const route = routeOf(options, leaves({}, {}));
    return { node: node("config.targets[0]"), index: 0, route };
  };
  const spare = {
    node: node("config.targets[1]"),
    index: 1,
    *route(): Route {
      return yield target("config.targets[1]");
    },
  };

  it("see only the final status of the group inside", () => {
    const outer = routeOf({ on_status_codes: [500] }, [inner({}), spare]);
    expect(drive(outer(walkOf()), [outcome(500), outcome(429)]).result.status).toBe(429);
    expect(drive(outer(walkOf()), [outcome(429), outcome(500), outcome(200)]).called).toHaveLength(3);
  });
});

describe("what a child is told of alternatives", () => {
  /** A child that notes what it is told before its call and after it. */
  function watching(path: string, told: (boolean | string)[]) {
    return {
      node: node(path),
      index: 0,
      *route(walk: Walk): Route {
        told.push(path, walk.alternatives);
        const went = yield target(path);
        told.push(walk.alternatives);
        return went;
      },
    };
  }

  it.each([
    ["all but the last have them", {}, false, [failed.timeout, failed.timeout], ["a", true, true, "b", false, false]],
    ["the last has the group's own", {}, true, [outcome(500), outcome(500)], ["a", true, true, "b", true, true]],
    ["not for a status that is not listed", { on_status_codes: [503] }, false, [failed.timeout], ["a", true, false]],
    ["unless those around go on", { on_status_codes: [503] }, true, [failed.timeout], ["a", true, true]],
    ["not after success", {}, false, [outcome(200)], ["a", true, false]],
  ])("%s", (_, options, alternatives, outcomes, expected) => {
    const told: (boolean | string)[] = [];
    const children = [watching("a", told), watching("b", told)];
    drive(routeOf(options, children)(walkOf({ alternatives })), outcomes);
    expect(told).toEqual(expected);
  });
});

it("refuses a group without children when it is reached", () => {
  expect(() => drive(routeOf({}, [])(walkOf()), [])).toThrow("needs targets");
});
