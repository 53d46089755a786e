import { fields, listsProxyFields, listsProxyRule, z } from "../../core/index.ts";
import { isPriceSource } from "./catalogue/sources.ts";
import { ownPrices } from "./prices/own-table.ts";

const models = z.record(z.string(), ownPrices);
const multiplier = fields.pricingAdjustments.unwrap().shape.multiplier;
const adjustments = z.record(z.string(), multiplier);

export const pricingOptions = z.strictObject({
  models: models
    .default({})
    .describe(
      "Prices of one's own, in dollars, by `vendor/model`, `@slug/model` or model; `vendor/*` is for models that nobody else knows. `openai/gpt-x` is OpenAI's only, `openrouter/openai/gpt-x` is OpenRouter's.",
    ),
  adjustments: adjustments
    .default({})
    .describe("What prices are multiplied by, by vendor, `@slug` or `*`: `{ openai: { default: 0.8 } }`."),
  workspaces: z
    .record(z.string(), z.strictObject({ models: models.default({}), adjustments: adjustments.default({}) }))
    .default({})
    .describe("The same for single workspaces, by id: they go before the others."),
  catalogue: z.boolean().default(true).describe("Whether the prices that come with the gateway count."),
  sources: z
    .array(z.string().refine(isPriceSource, "a folder, a file or an https:// address"))
    .default([])
    .describe(
      "Price lists that go before the catalogue, the first one first: folders of `vendor.json`, such files, and https:// addresses of them, as `GET /model-configs/pricing/vendor.json` gives them.",
    ),
  proxy: z
    .strictObject({
      ...listsProxyFields("Serves `{url}/pricing/{vendor}`, with the same content as a file of `sources`."),
      vendors: z
        .array(z.string().min(1))
        .default([])
        .describe("Vendors it is asked about besides those the catalogue knows."),
    })
    .refine(...listsProxyRule)
    .prefault({})
    .describe("One address for the price lists of all vendors."),
  refresh: z.number().min(0).max(500).default(24).describe("Hours after which `sources` are read again; 0 is never."),
  countTokens: z
    .boolean()
    .default(true)
    .describe("Count tokens here where a provider says nothing of them, as far as the content is known."),
  remembered: z.int().positive().default(10_000).describe("Models whose prices are kept ready at most."),
});

export type PricingOptions = z.output<typeof pricingOptions>;
