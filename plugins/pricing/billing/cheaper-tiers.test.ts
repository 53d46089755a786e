import { expect, it } from "vitest";
import type { BoundProvider, Usage } from "../../../core/index.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { PriceBook } from "../lookup/price-book.ts";
import { pricingOptions } from "../options.ts";
import { exchangeAt } from "../testing.ts";
import { Pricer } from "./pricer.ts";

const catalogue = new Catalogue([
  {
    id: "aws",
    name: "AWS",
    api_pattern: "",
    models: [{ id: "amazon.large", match: { equals: "amazon.large" }, prices: { input_mtok: 2, output_mtok: 2 } }],
  },
]);

const book = new PriceBook(
  pricingOptions.parse({}),
  () => {},
  (name) => name === "bedrock",
);
book.fill(catalogue);
const provider = { slug: "b", name: "bedrock" } as unknown as BoundProvider;

const cost = (serviceTier: string, paidTiers?: readonly string[]) => {
  const usage: Usage = { inputTokens: 1_000_000, outputTokens: 0, serviceTier };
  const target = { path: "config", provider: { ...provider, ...(paidTiers && { paidTiers }) }, model: "amazon.large" };
  const call = { target };
  return new Pricer(book, () => undefined).priced(exchangeAt("2026-11-26"), call, usage);
};

it.each([
  ["default", { amount: "2", currency: "USD", source: "catalogue" }],
  ["priority", { atLeast: "2", currency: "USD", source: "none" }],
  ["flex", { atMost: "2", currency: "USD", source: "none" }],
  ["reserved", { atMost: "2", currency: "USD", source: "none" }],
])("what the tier %s of Bedrock costs is known, or what budgets are to count of it", (tier, expected) => {
  expect(cost(tier)).toEqual(expected);
});

it("what is billed as less than it counts costs nobody knows how much less", () => {
  const usage: Usage = { inputTokens: 1_000_000, outputTokens: 0, repriced: true };
  const call = { target: { path: "config", provider, model: "amazon.large" } };
  const found = new Pricer(book, () => undefined).priced(exchangeAt("2026-11-26"), call, usage);
  expect(found).toEqual({ atMost: "2", currency: "USD", source: "none" });
});

it("what was paid for as a whole costs nothing by the call, and all else what it does", () => {
  const free = { amount: "0", currency: "USD", source: "config" };
  expect(cost("provisioned", ["provisioned"])).toEqual(free);
  expect([cost("provisioned"), cost("default", ["provisioned"])].map(({ amount }) => amount)).toEqual(["2", "2"]);
});
