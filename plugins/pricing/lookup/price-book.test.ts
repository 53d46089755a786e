import { describe, expect, it } from "vitest";
import type { StoredPricing } from "../../../core/index.ts";
import { picodollarsOfCents } from "../arithmetic/ratio.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { PriceFiles } from "../catalogue/price-files.ts";
import { pricingOptions } from "../options.ts";
import { sheetOf } from "../prices/pricing-object.ts";
import { centsText, payAsYouGo } from "../testing.ts";
import { PriceBook } from "./price-book.ts";

const vendor = (id: string, ...models: string[]) => ({
  id,
  name: id,
  api_pattern: "",
  models: models.map((model) => ({
    id: model,
    match: { starts_with: model },
    prices: { input_mtok: 100, output_mtok: 400, cache_read_mtok: 50 },
  })),
});
const catalogue = new Catalogue([vendor("openai", "gpt-x"), vendor("azure", "gpt-x")]);
const list = (object: object) => [{ sheet: sheetOf(object) }];

const options = {
  models: {
    "openai/gpt-own": { input: 200 },
    "@special/gpt-own": { input: 300 },
    "gpt-anyone": { input: 400 },
    "gpt-x-cheap": { input: 1 },
    "simulator/*": { input: 500 },
    "acme/gpt-z": { input: 800 },
    "openrouter/openai/gpt-routed": { input: 810 },
    "@routers/openai/gpt-own": { input: 820 },
    "openrouter/auto": { input: 830 },
    "openai/dated": [
      { from: "2027-01-01", input: 700 },
      { from: "2026-01-01", input: 600 },
    ],
  },
  adjustments: { simulator: { default: 2 }, "@special": { default: 0.5 } },
  workspaces: { w1: { models: { "gpt-own": { input: 900 } }, adjustments: { "*": { default: 10 } } } },
};

interface Asking {
  readonly slug?: string;
  readonly name?: string;
  readonly model: string;
  readonly pricing?: StoredPricing;
  readonly workspace?: string;
  readonly behind?: string;
  readonly at?: string;
}

const failures: string[] = [];
const noVendors = () => false;

function start() {
  const vendors = new Set(["openai", "openrouter", "groq"]);
  const failed = (model: string) => failures.push(model);
  const book = new PriceBook(pricingOptions.parse(options), failed, (name) => vendors.has(name));
  const files = new Map([
    ["openai", new Map([["listed", list(payAsYouGo({ request_token: 8 }))]])],
    ["groq", new Map([["default", list(payAsYouGo({ request_token: 3 }))]])],
  ]);
  book.fill(catalogue, new PriceFiles(files));
  return book;
}
const shared = start();

/** Cents of one input token, and where the price is from; undefined where there is none. */
function cost({ slug, name = "openai", model, pricing, workspace, behind, at = "2026-10-01" }: Asking, book = shared) {
  const found = book
    .prices({
      provider: {
        slug: slug ?? name,
        name,
        ...(pricing && { pricing: () => pricing }),
        ...(behind && { modelBehind: () => behind }),
      },
      model,
      principal: { id: "p", ...(workspace && { organisation: "o", workspace }) },
    })
    .at(Date.parse(at));
  const cents = found?.tariff.cents({ inputTokens: 1 });
  return found && cents && [picodollarsOfCents(cents), found.source];
}

describe("the price of a model is", () => {
  it.each<[string, Asking, string, string]>([
    ["that of the catalogue", { model: "gpt-x-2026" }, "0.01", "catalogue"],
    ["the operator's for a vendor", { model: "gpt-own" }, "0.02", "config"],
    ["the operator's for a provider, with its multiplier", { slug: "special", model: "gpt-own" }, "0.015", "config"],
    ["the operator's for whoever serves it", { name: "cohere", model: "gpt-anyone" }, "0.04", "config"],
    ["the operator's over the catalogue's", { model: "gpt-x-cheap" }, "0.0001", "config"],
    ["the operator's for all models of a vendor", { name: "simulator", model: "x" }, "0.1", "config"],
    ["that of a workspace", { model: "gpt-own", workspace: "w1" }, "0.9", "config"],
    ["that of everybody in another workspace", { model: "gpt-own", workspace: "w2" }, "0.02", "config"],
    ["the operator's for whoever serves it, slash and all", { name: "groq", model: "acme/gpt-z" }, "0.08", "config"],
    ["the operator's for a router's", { name: "openrouter", model: "openai/gpt-routed" }, "0.081", "config"],
    [
      "the operator's for a provider's, also where it sounds like another vendor's",
      { slug: "routers", name: "openrouter", model: "openai/gpt-own" },
      "0.082",
      "config",
    ],
    [
      "the operator's for a vendor, who calls it by that name",
      { name: "openrouter", model: "openrouter/auto" },
      "0.083",
      "config",
    ],
    ["that of a list", { model: "listed" }, "8", "catalogue"],
    ["what a list says of all others", { name: "groq", model: "nobody-knows" }, "3", "catalogue"],
    ["the one in force", { model: "dated" }, "0.06", "config"],
    ["the next one from its day on", { model: "dated", at: "2027-01-01" }, "0.07", "config"],
    [
      "that of the model behind a deployment",
      { name: "azure-openai", model: "ours", behind: "gpt-x" },
      "0.01",
      "catalogue",
    ],
    [
      "that of the model's row",
      { model: "gpt-x", pricing: { own: false, prices: payAsYouGo({ request_token: 5 }) } },
      "5",
      "model",
    ],
    [
      "multiplied by what its integration says",
      { model: "gpt-x", pricing: { own: false, multiplier: { default: 0.8 } } },
      "0.008",
      "catalogue",
    ],
  ])("%s", (_, asking, cents, source) => {
    expect(cost(asking)).toEqual([centsText(cents), source]);
  });

  it.each<[string, Asking]>([
    ["in no table", { model: "unheard-of" }],
    ["before its first day", { model: "dated", at: "2025-01-01" }],
    ["made from another one", { model: "gpt-x-ours", pricing: { own: true } }],
    ["of a router that only sounds like another vendor's", { name: "openrouter", model: "openai/gpt-own" }],
    ["of a provider that is in none", { name: "ollama", model: "gpt-x" }],
  ])("not known of one %s", (_, asking) => {
    expect(cost(asking)).toBeUndefined();
  });

  it("put together, key by key: what a row lacks is the catalogue's", () => {
    const { tariff } =
      shared
        .prices({
          provider: {
            slug: "openai",
            name: "openai",
            pricing: () => ({ own: false, prices: payAsYouGo({ request_token: 5 }) }),
          },
          model: "gpt-x",
        })
        .at(0) ?? {};
    const cents = tariff?.cents({ inputTokens: 1, cacheReadTokens: 1, outputTokens: 1 });
    expect(cents && picodollarsOfCents(cents)).toBe(centsText("5.045"));
  });

  it("another one as soon as its row is", () => {
    let pricing: StoredPricing = { own: false, prices: payAsYouGo({ request_token: 5 }) };
    const asking = () => cost({ model: "gpt-x", pricing });
    expect(asking()).toEqual([centsText("5"), "model"]);
    pricing = { own: false, prices: payAsYouGo({ request_token: 6 }) };
    expect(asking()).toEqual([centsText("6"), "model"]);
  });

  it("another one as soon as it is known what model is behind a name", () => {
    const book = start();
    const asking = (behind?: string) => cost({ name: "azure-openai", model: "ours", ...(behind && { behind }) }, book);
    expect(asking()).toBeUndefined();
    expect(asking("gpt-x")).toEqual([centsText("0.01"), "catalogue"]);
  });

  it("looked for without a row that cannot be read, which is told", () => {
    const prices = { pay_as_you_go: { request_token: { price: -1 } } };
    expect(cost({ model: "gpt-x", pricing: { own: false, prices } })).toEqual([centsText("0.01"), "catalogue"]);
    expect(failures).toEqual(["gpt-x"]);
  });

  it("kept for so many models only", () => {
    const book = new PriceBook(pricingOptions.parse({ ...options, remembered: 2 }), () => undefined, noVendors);
    book.fill(catalogue);
    for (const model of ["gpt-x-1", "gpt-x-2", "gpt-x-3", "gpt-x-1"])
      expect(cost({ model }, book)).toEqual([centsText("0.01"), "catalogue"]);
  });
});

describe("a table", () => {
  it.each<[string, object]>([
    ["a negative price", { models: { a: { input: -1 } } }],
    ["a word for a price", { models: { a: { input: "free" } } }],
    ["a price with a slip of the pen", { models: { a: { inptu: 1 } } }],
    ["a day that is none", { models: { a: { from: "soon", input: 1 } } }],
    ["a formula that is none", { models: { a: { input: 1, calculate: { request: { operation: "divide" } } } } }],
    ["an unknown multiplier", { adjustments: { openai: { inputs: 1 } } }],
  ])("with %s is refused", (_, given) => {
    expect(pricingOptions.safeParse(given).success).toBe(false);
  });

  it.each<[string, object, object, string]>([
    ["longer prompts", { input: 1, above: [{ tokens: 10, input: 100 }] }, { inputTokens: 11 }, "0.11"],
    ["minutes of sound", { audioMinute: 0.6 }, { audioSeconds: 30 }, "30"],
    ["images", { image: 0.04 }, { images: 2 }, "8"],
    ["calls", { request: "0.01", input: 1 }, { inputTokens: 10_000 }, "2"],
  ])("has prices of %s", (_, model, usage, cents) => {
    const book = new PriceBook(pricingOptions.parse({ models: { m: model } }), () => undefined, noVendors);
    const amount = book
      .prices({ provider: { slug: "p", name: "p" }, model: "m" })
      .at(0)
      ?.tariff.cents(usage);
    expect(amount && picodollarsOfCents(amount)).toBe(centsText(cents));
  });

  it.each([
    ["openrouter", "qwen/qwen9-coder:free", "0"],
    ["openrouter", "qwen/qwen9-coder", undefined],
    ["p", "m:free", undefined],
  ])("knows what is free by its name: %s, %s", (name, model, cents) => {
    const book = new PriceBook(pricingOptions.parse({}), () => undefined, noVendors);
    const priced = book.prices({ provider: { slug: "s", name }, model }).at(0);
    const amount = priced?.tariff.cents({ inputTokens: 1_000, outputTokens: 10 });
    expect(amount && picodollarsOfCents(amount)).toBe(cents === undefined ? undefined : centsText(cents));
  });

  it("has prices of batches and service tiers", () => {
    const m = { input: 100, batch: { input: 10 }, tiers: { flex: { input: 50 } } };
    const book = new PriceBook(pricingOptions.parse({ models: { m } }), () => undefined, noVendors);
    const { tariff } = book.prices({ provider: { slug: "p", name: "p" }, model: "m" }).at(0) ?? {};
    const cents = (more: object) => {
      const amount = tariff?.cents({ inputTokens: 1 }, more);
      return amount && picodollarsOfCents(amount);
    };
    expect(cents({})).toBe(centsText("0.01"));
    expect(cents({ batch: true })).toBe(centsText("0.001"));
    expect(cents({ tier: () => "flex" })).toBe(centsText("0.005"));
    expect(cents({ tier: () => "constructor" })).toBe(centsText("0.01"));
  });
});
