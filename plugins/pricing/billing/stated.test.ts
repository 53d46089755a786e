import { describe, expect, it } from "vitest";
import type { BoundProvider, StoredPricing, Usage } from "../../../core/index.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { PriceBook } from "../lookup/price-book.ts";
import { pricingOptions } from "../options.ts";
import { exchangeAt, payAsYouGo } from "../testing.ts";
import { Pricer } from "./pricer.ts";

const catalogue = new Catalogue([
  {
    id: "openrouter",
    name: "OpenRouter",
    api_pattern: "",
    models: [{ id: "acme/large", match: { equals: "acme/large" }, prices: { input_mtok: 1, output_mtok: 1 } }],
  },
]);

interface Asking {
  readonly model?: string;
  readonly states?: boolean;
  readonly options?: object;
  readonly pricing?: StoredPricing;
}

function cost(usage: Usage, { model = "acme/large", states = true, options = {}, pricing }: Asking = {}) {
  const book = new PriceBook(
    pricingOptions.parse(options),
    () => {},
    (name) => name === "openrouter",
  );
  book.fill(catalogue);
  const provider = {
    slug: "or",
    name: "openrouter",
    ...(states && { statesCost: true }),
    ...(pricing && { pricing: () => pricing }),
  } as unknown as BoundProvider;
  return new Pricer(book, () => undefined).priced(
    exchangeAt("2026-11-26"),
    { target: { path: "config", provider, model } },
    usage,
  );
}

const used: Usage = { inputTokens: 1_000_000, outputTokens: 0, charged: ["0.5"] };

describe("what a provider says it charged", () => {
  it("counts before the prices that come with the gateway, to the last place", () => {
    expect(cost(used)).toEqual({ amount: "0.5", currency: "USD", source: "provider" });
    expect(cost(used, { model: "acme/unknown" })).toEqual({ amount: "0.5", currency: "USD", source: "provider" });
    const add = (...charged: string[]) => cost({ ...used, charged }).amount;
    expect(add("0.1", "0.2")).toBe("0.3");
    expect(add("1e-7")).toBe("0.0000001");
    expect(add("0.00014580000000000002")).toBe("0.0001458");
    expect(add("0")).toBe("0");
  });

  it("counts for nothing where a provider is not known to charge what it says", () => {
    expect(cost(used, { states: false })).toEqual({ amount: "1", currency: "USD", source: "catalogue" });
    const { charged: _, ...silent } = used;
    expect(cost(silent)).toEqual({ amount: "1", currency: "USD", source: "catalogue" });
  });

  it("counts behind prices of one's own", () => {
    const models = { "openrouter/acme/large": { input: 3 } };
    expect(cost(used, { options: { models } })).toEqual({ amount: "3", currency: "USD", source: "config" });
    const pricing = { own: false, prices: payAsYouGo({ request_token: 0.0004 }) };
    expect(cost(used, { pricing })).toMatchObject({ amount: "4", source: "model" });
  });

  it("is multiplied as prices are", () => {
    expect(cost(used, { options: { adjustments: { openrouter: { default: 1.1, request_token: 9 } } } }).amount).toBe(
      "0.55",
    );
  });
});
