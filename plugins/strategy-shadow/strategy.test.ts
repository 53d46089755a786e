import { describe, expect, it } from "vitest";
import type { Outcome, Target } from "../../core/index.ts";
import { drive, leaves, node, outcome, refusalOf, walkOf } from "../../test/support/walks.ts";
import { shadowStrategy } from "./strategy.ts";

const routeOf = (options: object, children = leaves({}, {}, {})) =>
  shadowStrategy.compile(shadowStrategy.schema.parse(options), children, node("config"));

const firstTarget = (options: object, draws: readonly number[]) =>
  (routeOf(options)(walkOf({ draws })) as Iterator<Target, Outcome, undefined>).next(undefined).value as Target;

describe("a shadow", () => {
  it("calls the first target, with copies for the others", () => {
    const { path, beside } = firstTarget({}, [0.99]);
    expect(path).toBe("config.targets[0]");
    expect(beside?.map(({ kind, afterMs }) => [kind, afterMs])).toEqual([
      ["shadow", 0],
      ["shadow", 0],
    ]);
    expect(beside?.map(({ route }) => drive(route(walkOf().exchange), [outcome(200)]).called)).toEqual([
      ["config.targets[1]"],
      ["config.targets[2]"],
    ]);
  });

  it.each([
    [0.2, 0.19, 2],
    [0.2, 0.2, undefined],
    [0, 0, undefined],
    [1, 0.999, 2],
  ])("copies a share of %d: of a draw of %d it makes %s copies", (share, draw, copies) => {
    expect(firstTarget({ share }, [draw]).beside?.length).toBe(copies);
  });

  it("needs a target to answer", () => {
    expect(refusalOf(() => routeOf({}, [])(walkOf()))).toBe("config_invalid");
    expect(shadowStrategy.schema.safeParse({ share: 2 }).success).toBe(false);
  });
});
