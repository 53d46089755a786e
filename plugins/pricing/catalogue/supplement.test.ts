import { describe, expect, it } from "vitest";
import type { Usage } from "../../../core/index.ts";
import { picodollarsOfCents } from "../arithmetic/ratio.ts";
import { LayeredPrices } from "../lookup/layers.ts";
import type { Circumstances } from "../prices/circumstances.ts";
import { sheetOf } from "../prices/pricing-object.ts";
import { centsText, payAsYouGo } from "../testing.ts";
import { Catalogue } from "./catalogue.ts";
import { bundledProviders } from "./source.ts";
import { supplemented } from "./supplement.ts";

const catalogue = new Catalogue(await bundledProviders());

/** 40 tokens of text and 60 of sound in, 10 and 40 out. */
const spoken: Usage = { inputTokens: 40, inputAudioTokens: 60, outputTokens: 10, outputAudioTokens: 40 };

function tariffOf(provider: string, model: string, own?: object) {
  const sheets = catalogue.prices(provider, model) ?? [];
  const layers = [{ source: "catalogue", sheets }] as const;
  const above = own ? [{ source: "config", sheets: [{ sheet: sheetOf(own) }] } as const] : [];
  return new LayeredPrices([...above, ...layers], []).at(Date.parse("2026-10-01T12:00:00Z"));
}

/** Cents, and whether that is not all. */
function priced(provider: string, model: string, usage: Usage, own?: object, circumstances: Circumstances = {}) {
  const found = tariffOf(provider, model, own);
  const cents = found?.tariff.cents(usage, circumstances);
  return [cents && picodollarsOfCents(cents), found?.tariff.lacks(usage, circumstances)];
}

describe("sound is priced", () => {
  it.each([
    ["as OpenAI's page says: 40 × 2.50 + 60 × 40 + 10 × 10 + 40 × 80", "openai", "gpt-4o-audio-preview", "0.58"],
    ["so are its dated names", "openai", "gpt-4o-audio-preview-2025-06-03", "0.58"],
    ["and at Azure", "azure-openai", "gpt-4o-audio-preview-2024-12-17", "0.58"],
    ["the small one: 40 × 0.15 + 60 × 10 + 10 × 0.60 + 40 × 20", "openai", "gpt-4o-mini-audio-preview", "0.1412"],
    ["as the package says: 40 × 2.50 + 60 × 32 + 10 × 10 + 40 × 64", "openai", "gpt-audio", "0.468"],
    ["as OpenRouter's page says", "openrouter", "openai/gpt-audio", "0.468"],
    ["as text, where a vendor has one price: 100 × 1.25 + 50 × 10", "google", "gemini-2.5-pro", "0.0625"],
  ])("%s", (_, provider, model, cents) => {
    expect(priced(provider, model, spoken)).toEqual([centsText(cents), false]);
  });

  it("at the one price of a model that only speaks: 40 × 0.60 + 40 × 12", () => {
    const usage = { inputTokens: 40, outputAudioTokens: 40 };
    expect(priced("openai", "gpt-4o-mini-tts", usage)).toEqual([centsText("0.0504"), false]);
  });
});

describe("what sound costs is not known, and not the price of text,", () => {
  it.each([
    ["of a snapshot nobody says it of", "openai", "gpt-4o-audio-preview-2024-10-01", "0.02"],
    ["of what OpenRouter sells without a price for it", "openrouter", "google/gemini-2.5-flash", "0.0037"],
  ])("%s", (_, provider, model, cents) => {
    expect(priced(provider, model, spoken)).toEqual([centsText(cents), true]);
  });

  it("where only the text is given a price of one's own; what is, counts", () => {
    const model = ["openai", "gpt-4o-audio-preview-2024-10-01"] as const;
    expect(priced(...model, spoken, payAsYouGo({ request_token: 0.001 }))).toEqual([centsText("0.05"), true]);
    const own = payAsYouGo({ request_audio_token: 0.01, response_audio_token: 0.02 });
    expect(priced(...model, spoken, own)).toEqual([centsText("1.42"), false]);
  });

  it("nor are images OpenRouter sells without a price for them: 10 × 0.30 + 1300 × 2.50 at least", () => {
    const drawn = { inputTokens: 10, outputTokens: 1300, outputImageTokens: 1290 };
    expect(priced("openrouter", "google/gemini-2.5-flash-image", drawn)).toEqual([centsText("0.3253"), true]);
  });

  it("nor are the minutes a chat of Mistral's listened to: 100 × 0.10 + 50 × 0.40 at least", () => {
    const read: Usage = { inputTokens: 100, outputTokens: 50 };
    const heard: Usage = { ...read, audioSeconds: 30 };
    expect(priced("mistral-ai", "voxtral-small-latest", heard)).toEqual([centsText("0.003"), true]);
    expect(priced("mistral-ai", "voxtral-small-latest", read)).toEqual([centsText("0.003"), false]);
    expect(priced("mistral-ai", "voxtral-mini-latest", heard)).toEqual([centsText("0.15"), false]);
  });

  it("and text beside it is priced as ever", () => {
    const text = { inputTokens: 40, outputTokens: 10 };
    expect(priced("openai", "gpt-4o-audio-preview-2024-10-01", text)).toEqual([centsText("0.02"), false]);
  });
});

describe("a service tier costs", () => {
  const usage: Usage = { inputTokens: 1000, outputTokens: 100, cacheReadTokens: 100 };
  const tierOf = (name: string | undefined, batch = false) => ({ batch, tier: () => name });
  const cost = (provider: string, model: string, used: Usage, circumstances: object, own?: object) =>
    priced(provider, model, used, own, circumstances);

  const fireworks = "accounts/fireworks/models/glm-5p2";

  it.each<[string, string, string, object, string, boolean]>([
    [
      "what it does by the list: 1000 × 1.25 + 100 × 0.125 + 100 × 10",
      "openai",
      "gpt-5",
      tierOf("default"),
      "0.22625",
      false,
    ],
    ["half, where it is flex", "openai", "gpt-5", tierOf("flex"), "0.113125", false],
    ["half at Azure, too", "azure-openai", "gpt-5", tierOf("flex"), "0.113125", false],
    ["half once, in a batch", "openai", "gpt-5", tierOf("flex", true), "0.113125", false],
    ["more than the list says, where it has priority", "openai", "gpt-5", tierOf("priority"), "0.22625", true],
    [
      "the same where it is asked to be fast, which answers call priority",
      "openai",
      "gpt-5",
      tierOf("fast"),
      "0.22625",
      true,
    ],
    ["more, where it is asked to be ultrafast", "openai", "gpt-5", tierOf("ultrafast"), "0.22625", true],
    [
      "twice that of the newest, where they are fast: 1000 × 20 + 100 × 2 + 100 × 100",
      "openai",
      "gpt-6-astra",
      tierOf("fast"),
      "3.02",
      false,
    ],
    ["so it is where that is called priority", "openai", "gpt-6-sol", tierOf("priority"), "0.604", false],
    ["six times that where they are ultrafast", "openai", "gpt-6-astra", tierOf("ultrafast"), "9.06", false],
    ["nobody knows how much more where no page says it", "openai", "gpt-6-sol", tierOf("ultrafast"), "0.302", true],
    ["more at Fireworks, where it has priority", "fireworks-ai", fireworks, tierOf("priority"), "0.1854", true],
    ["what batches do there", "openai", "gpt-5", tierOf("priority", true), "0.113125", false],
    [
      "half at Google: 1000 × 0.625 + 100 × 0.0625 + 100 × 5",
      "google",
      "gemini-2.5-pro",
      tierOf("flex"),
      "0.113125",
      false,
    ],
    ["more at Anthropic, where it is fast", "anthropic", "claude-opus-5", tierOf("fast"), "0.755", true],
    [
      "the same at Anthropic, whatever is said of priority",
      "anthropic",
      "claude-opus-5",
      tierOf("priority"),
      "0.755",
      false,
    ],
    ["the same at Groq: 1100 × 0.59 + 100 × 0.79", "groq", "llama-3.3-70b-versatile", tierOf("flex"), "0.0728", false],
  ])("%s", (_, provider, model, circumstances, cents, more) => {
    expect(cost(provider, model, usage, circumstances)).toEqual([centsText(cents), more]);
  });

  it("nobody knows how much less at Bedrock, where it is flex or reserved", () => {
    const model = "anthropic.claude-sonnet-4-5-20250929-v1:0";
    const tierAt = (name: string, batch = false, own?: object) =>
      tariffOf("bedrock", model, own)?.tariff.isCheaper(usage, tierOf(name, batch));
    for (const tier of ["flex", "reserved"]) expect(tierAt(tier)).toBe(true);
    expect([tierAt("default"), tierAt("priority"), tierAt("flex", true)]).toEqual([false, false, false]);
    expect(tierAt("flex", false, payAsYouGo({ request_token: 0.001 }))).toBe(false);
  });

  it("half of long prompts' prices, too: 300 000 × 1.25 + 100 × 7.50", () => {
    const long = { inputTokens: 300_000, outputTokens: 100 };
    expect(cost("google", "gemini-2.5-pro", long, tierOf("flex"))).toEqual([centsText("37.575"), false]);
  });

  it.each([
    [
      "a tenth more at Anthropic, in the United States: 1000 × 5 + 100 × 0.50 + 100 × 25 dollars a million",
      {},
      "0.8305",
    ],
    ["half of that in a batch", { batch: true }, "0.41525"],
  ])("%s", (_, circumstances, cents) => {
    const placed = { ...usage, inferenceGeo: "us" };
    expect(cost("anthropic", "claude-opus-5", placed, circumstances)).toEqual([centsText(cents), false]);
  });

  it("nothing less of what is no token: 2 searches at 0.01", () => {
    const searched = { inputTokens: 1000, searches: 2 };
    expect(cost("openai", "gpt-5", searched, tierOf("flex"))).toEqual([centsText("2.0625"), false]);
  });

  it("what a price of one's own says, of all tiers", () => {
    const own = payAsYouGo({ request_token: 0.001, response_token: 0.002, cache_read_input_token: 0.0005 });
    for (const name of ["flex", "priority"])
      expect(cost("openai", "gpt-5", usage, tierOf(name), own)).toEqual([centsText("1.25"), false]);
  });
});

it("what the package says itself counts before what it lacked once", () => {
  const model = {
    id: "gpt-4o-audio-preview",
    match: { equals: "gpt-4o-audio-preview" },
    prices: { input_audio_mtok: 7 },
  };
  const [vendor] = supplemented([{ id: "openai", name: "OpenAI", api_pattern: "", models: [model] }]);
  expect(vendor?.models.at(-1)?.prices).toEqual({ input_audio_mtok: 7, output_audio_mtok: 80 });
});
