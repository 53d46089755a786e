import { raise } from "../errors/gateway-error.ts";
import type { RouteChild } from "../model/routing.ts";

/** Children that may be chosen: a weight of 0 keeps one in the config as "off". */
export const weighed = (children: readonly RouteChild[]): RouteChild[] =>
  children.filter(({ node }) => node.weight > 0);

/** One of these by weight: `draw` in [0, 1) falls into the share of one of them (routing-config.md 7.3). */
export function pick(candidates: readonly RouteChild[], draw: number): RouteChild {
  const sum = sumOf(candidates, 1);
  // Weights may be as large as numbers are, so that together they are none.
  const scale = sum === Number.POSITIVE_INFINITY ? 1 / largestCount : 1;
  let left = draw * (scale === 1 ? sum : sumOf(candidates, scale));
  for (const child of candidates) {
    const weight = child.node.weight * scale;
    if (left < weight) return child;
    left -= weight;
  }
  // Sums of fractions are not exact: what is left over belongs to the last.
  return candidates.at(-1) ?? raise("config_invalid", noWeight, { param: "targets" });
}

const sumOf = (candidates: readonly RouteChild[], scale: number): number =>
  candidates.reduce((total, { node }) => total + node.weight * scale, 0);

/** More than any group has targets. */
const largestCount = 2 ** 32;

/** Said where every weight is 0. */
export const noWeight = "The weights of the targets add up to 0: none of them can be chosen.";
