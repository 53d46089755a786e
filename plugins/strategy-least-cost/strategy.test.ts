import { describe, expect, it } from "vitest";
import type { Outcome, Target } from "../../core/index.ts";
import { exchangeOf, leaves, node, refusalOf, walkOf } from "../../test/support/walks.ts";
import { leastCostStrategy, price } from "./strategy.ts";

const priced = (input: number, output: number, weight = 1) => ({
  weight,
  fields: { price: price.parse({ input, output }) },
});

/** Which child is asked for a request with this body. */
function asked(children: readonly object[], body: object = {}, draws: readonly number[] = [0]): number {
  const bytes = Buffer.from(JSON.stringify(body));
  const exchange = { ...exchangeOf(), request: { json: body, bytes } } as unknown as ReturnType<typeof exchangeOf>;
  const route = leastCostStrategy.compile({}, leaves(...children), node("config"))(walkOf({ draws, exchange }));
  const { value } = (route as Iterator<Target, Outcome, undefined>).next(undefined);
  return Number(/\d/.exec((value as Target).path));
}

describe("least cost", () => {
  it.each<[string, object[], object, number]>([
    ["the cheapest", [priced(3, 15), priced(1, 5)], {}, 1],
    ["dear input, short answer", [priced(1, 15), priced(3, 5)], { max_tokens: 1, text: "x".repeat(40_000) }, 0],
    ["dear output, long answer", [priced(1, 15), priced(3, 5)], { max_completion_tokens: 4_000 }, 1],
    ["one that is off does not count", [priced(0, 0, 0), priced(1, 5)], {}, 1],
    ["one without a price comes last", [{}, priced(100, 500)], {}, 1],
    ["free is a price", [priced(1, 1), priced(0, 0)], {}, 1],
    ["nobody has a price: by weight", [{}, {}], {}, 0],
  ])("%s", (_, children, body, expected) => {
    expect(asked(children, body)).toBe(expected);
  });

  it("divides requests among equals by weight", () => {
    const equals = [priced(1, 5), priced(1, 5, 3)];
    expect([asked(equals, {}, [0.2]), asked(equals, {}, [0.3])]).toEqual([0, 1]);
  });

  it("does without a body it can read", () => {
    const request = {
      get json(): unknown {
        throw new Error("not JSON");
      },
    };
    const exchange = { ...exchangeOf(), request } as unknown as ReturnType<typeof exchangeOf>;
    const route = leastCostStrategy.compile({}, leaves(priced(2, 2), priced(1, 1)), node("config"));
    const { value } = (route(walkOf({ exchange })) as Iterator<Target, Outcome, undefined>).next(undefined);
    expect(value).toMatchObject({ path: "config.targets[1]" });
  });

  it("wants prices in a config of the file, and a target that may be chosen", () => {
    const children = [node("config.targets[0]", { weight: 0 })];
    expect(leastCostStrategy.check?.({}, children).map(({ path }) => path)).toEqual(["targets", "targets.0.price"]);
    expect(refusalOf(() => asked([priced(1, 1, 0)]))).toBe("config_invalid");
    expect(price.safeParse({ input: -1 }).success).toBe(false);
  });
});
