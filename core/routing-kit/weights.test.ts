import { describe, expect, it } from "vitest";
import type { RouteChild } from "../model/routing.ts";
import { pick } from "./weights.ts";

const childrenOf = (...weights: number[]): RouteChild[] =>
  weights.map((weight, index) => ({ index, node: { weight } }) as unknown as RouteChild);

const drawnFrom = (weights: number[], draw: number): number => pick(childrenOf(...weights), draw).index;

describe("pick", () => {
  it.each([
    ["the first share", [1, 2, 1], 0.2, 0],
    ["its border belongs to the next", [1, 2, 1], 0.25, 1],
    ["the last share", [1, 2, 1], 0.99, 2],
    ["fractions that do not add up", [0.1, 0.2, 0.3], 1 - Number.EPSILON, 2],
    ["weights whose sum is no number: the first", [Number.MAX_VALUE, Number.MAX_VALUE], 0.49, 0],
    ["weights whose sum is no number: the second", [Number.MAX_VALUE, Number.MAX_VALUE], 0.51, 1],
    ["a small one beside those", [1, Number.MAX_VALUE, Number.MAX_VALUE], 0.4, 1],
  ])("%s", (_, weights, draw, index) => {
    expect(drawnFrom(weights, draw)).toBe(index);
  });
});
