import { expect, it } from "vitest";
import type { BoundProvider, Usage } from "../../../core/index.ts";
import { PriceBook } from "../lookup/price-book.ts";
import { pricingOptions } from "../options.ts";
import { exchangeAt } from "../testing.ts";
import { Pricer } from "./pricer.ts";

const models = { "groq/small": { input: 1, output: 2 }, "groq/large": { input: 10, output: 20 } };

function cost(usage: Usage, more: object = {}) {
  const book = new PriceBook(
    pricingOptions.parse({ models: { ...models, ...more } }),
    () => {},
    () => true,
  );
  const provider = { slug: "g", name: "groq" } as unknown as BoundProvider;
  const call = { target: { path: "config", provider, model: "compound" } };
  return new Pricer(book, () => undefined).priced(exchangeAt("2026-11-26"), call, usage);
}

const each = { inputTokens: 1_000_000, outputTokens: 0 };
const used = (...names: string[]): Usage => ({
  inputTokens: 2_000_000,
  outputTokens: 0,
  byModel: names.map((model) => ({ model, usage: each })),
});

it.each<[string, Usage, object, object]>([
  ["each its own", used("small", "large"), {}, { amount: "11", source: "config" }],
  ["nobody knows what, where one has no price", used("small", "odd"), {}, { atLeast: "1", source: "none" }],
  ["nobody knows what, where none has one", used("odd", "odd"), {}, { source: "none" }],
  [
    "nobody knows what, where tools were run besides",
    { ...used("small", "large"), uncounted: true },
    {},
    { atLeast: "11", source: "none" },
  ],
  [
    "what is said of all of them",
    used("small", "large"),
    { compound: { input: 3 } },
    { amount: "6", source: "config" },
  ],
])("models that answer together cost %s", (_, usage, prices, expected) => {
  expect(cost(usage, prices)).toEqual({ currency: "USD", ...expected });
});
