import { describe, expect, it } from "vitest";
import type { Usage } from "../../../core/index.ts";
import { picodollarsOfCents } from "../arithmetic/ratio.ts";
import { LayeredPrices } from "../lookup/layers.ts";
import { centsText } from "../testing.ts";
import { Catalogue } from "./catalogue.ts";
import { bundledProviders } from "./source.ts";
import { catalogueNames } from "./vendors.ts";

const catalogue = new Catalogue(await bundledProviders());

function cents(provider: string, model: string, usage: Usage, at = "2026-10-01T12:00:00Z"): bigint | undefined {
  const sheets = catalogue.prices(provider, model);
  const found = sheets && new LayeredPrices([{ source: "catalogue", sheets }], []).at(Date.parse(at));
  const amount = found?.tariff.cents(usage);
  return amount && picodollarsOfCents(amount);
}

const million = 1_000_000;

describe("the catalogue", () => {
  it.each<[string, string, Usage, string, string?]>([
    ["openai", "gpt-4o", { inputTokens: million, cacheReadTokens: million, outputTokens: million }, "1375"],
    ["openai", "gpt-4o-2024-08-06", { inputTokens: million }, "250"],
    ["anthropic", "claude-sonnet-4-5-20250929", { inputTokens: 1000, outputTokens: 1000 }, "1.8"],
    ["anthropic", "claude-sonnet-4-5", { cacheWriteTokens: 3000, cacheWriteHourTokens: 1000 }, "1.35"],
    ["anthropic", "claude-sonnet-4-5", { inputTokens: 1000, searches: 3 }, "3.3"],
    ["google", "gemini-2.5-pro", { inputTokens: 200_000 }, "25"],
    ["google", "gemini-2.5-pro", { inputTokens: 200_001, outputTokens: 1 }, "50.00175"],
    ["vertex-ai", "anthropic.claude-sonnet-4-5@20250929", { inputTokens: 1000 }, "0.3"],
    ["vertex-ai", "claude-sonnet-4-5@20250929", { inputTokens: 1000 }, "0.3"],
    ["azure-openai", "gpt-4o", { inputTokens: million }, "250"],
    [
      "bedrock",
      "arn:aws:bedrock:us-east-1:1:inference-profile/global.anthropic.claude-sonnet-4-5-20250929-v1:0",
      { inputTokens: 1000 },
      "0.3",
    ],
    ["groq", "whisper-large-v3", { audioSeconds: 3600 }, "11.1"],
    ["groq", "whisper-large-v3", { audioSeconds: 1 }, "0.0030833333"],
    ["openai", "whisper-1", { audioSeconds: 60 }, "0.6"],
    ["mistral-ai", "mistral-ocr-4-1", { pages: 10 }, "4"],
    ["perplexity-ai", "sonar-pro", { inputTokens: 1000, outputTokens: 1000 }, "3.2"],
    ["deepseek", "deepseek-chat", { inputTokens: million }, "13.5", "2026-10-01T20:00:00Z"],
    ["deepseek", "deepseek-chat", { inputTokens: million }, "27", "2026-10-01T12:00:00Z"],
    ["openrouter", "deepseek/deepseek-r1:free", { inputTokens: million }, "0"],
    ["huggingface", "meta-llama/Llama-3.3-70B-Instruct:groq", { inputTokens: million }, "59"],
  ])("prices %s %s %j at %s cents", (provider, model, usage, amount, at) => {
    expect(cents(provider, model, usage, at)).toBe(centsText(amount));
  });

  it.each([
    ["openai", "ft:gpt-4o:acme::abc"],
    ["openai", "gpt-4o-of-our-own"],
    ["bedrock", "arn:aws:bedrock:us-east-1:1:application-inference-profile/abc"],
    ["simulator", "gpt-4o"],
    ["huggingface", "meta-llama/Llama-3.3-70B-Instruct"],
    ["openai", "x".repeat(5000)],
  ])("has no price of %s %s", (provider, model) => {
    expect(cents(provider, model, { inputTokens: 1 })).toBeUndefined();
  });

  it("means models of one's own by their whole name only", () => {
    expect(catalogue.prices("anthropic", "claude-sonnet-4-5-acme")).toBeDefined();
    expect(catalogue.prices("anthropic", "claude-sonnet-4-5-acme", true)).toBeUndefined();
    expect(catalogue.prices("anthropic", "claude-sonnet-4-5", true)).toBeDefined();
  });

  it.each(Object.keys(catalogueNames))("has models of %s, all of whose prices can be read", (provider) => {
    const models = catalogue.models(provider);
    expect(models.size).toBeGreaterThan(0);
    for (const sheets of models.values())
      expect(new LayeredPrices([{ source: "catalogue", sheets }], []).at(Date.now())).toBeDefined();
  });
});
