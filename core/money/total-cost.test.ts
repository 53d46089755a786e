import { describe, expect, it } from "vitest";
import type { Cost } from "../model/usage.ts";
import { noCost, totalCost, unknownCost } from "./total-cost.ts";

const usd = (amount: string, more: Partial<Cost> = {}): Cost => ({
  amount,
  currency: "USD",
  source: "config",
  ...more,
});

describe("what calls cost together", () => {
  it.each<[string, (Cost | undefined)[], Cost]>([
    ["nothing for none", [], noCost],
    ["what one costs", [usd("0.1", { source: "cache" })], usd("0.1", { source: "cache" })],
    ["exactly the sum", [usd("0.1"), usd("0.2"), usd("0.000000000001")], usd("0.300000000001")],
    [
      "by the source of the last one with a price",
      [usd("1"), usd("2", { source: "catalogue" }), noCost],
      usd("3", { source: "catalogue" }),
    ],
    ["estimated where one is", [usd("1", { estimated: true }), usd("2")], usd("3", { estimated: true })],
    ["unknown where one is not known", [usd("1"), unknownCost, usd("2")], unknownCost],
    ["unknown where one is not priced", [usd("1"), undefined], unknownCost],
    ["unknown for one that is not priced", [undefined], unknownCost],
  ])("is %s", (_, costs, total) => {
    expect(totalCost(costs.map((cost) => (cost ? { cost } : {})))).toEqual(total);
  });
});
