import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Usage } from "../../../core/index.ts";
import { picodollarsOfCents, plus, type Ratio, ratioOf, times, zero } from "../arithmetic/ratio.ts";
import { centsText, payAsYouGo, priced } from "../testing.ts";
import { centsOfDollars } from "./own-table.ts";
import { sheetOf } from "./pricing-object.ts";
import { Tariff } from "./tariff.ts";

/** What the worked costs of policies.md section 9.5 start from, in cents. */
const first = { request_token: 0.00025, response_token: 0.001, cache_read_input_token: 0.000125 };
const asked: Usage = { inputTokens: 1000, cacheReadTokens: 200, outputTokens: 300 };

/** What it is, prices, usage, result in cents; multipliers, batch. */
type Case = [string, object, Usage, string, object?, boolean?];

const worked: readonly Case[] = [
  ["9.5.1: cached input", payAsYouGo(first), asked, "0.575"],
  ["9.5.2: multipliers", payAsYouGo(first), asked, "0.4625", { default: 0.8, cache_read_input_token: 0.9 }],
  ["9.5.3: a batch without prices of its own", payAsYouGo(first), asked, "0.2875", {}, true],
  [
    "9.5.4: a custom model",
    payAsYouGo({ request_token: 0.0003, response_token: 0.0012 }),
    { inputTokens: 10_000, outputTokens: 2000 },
    "5.4",
  ],
  [
    "9.5.5: cache written and read",
    payAsYouGo({
      request_token: 0.0003,
      response_token: 0.0015,
      cache_read_input_token: 0.00003,
      cache_write_input_token: 0.000375,
    }),
    { inputTokens: 500, cacheWriteTokens: 2000, cacheReadTokens: 8000, outputTokens: 400 },
    "1.74",
  ],
  ["9.5.6: searches", payAsYouGo(first, { web_search: 1 }), { ...asked, searches: 2 }, "2.575"],
  ["9.5.7: images", { pay_as_you_go: { image: { hd: { "1024x1792": { price: 12 } } } } }, { images: 2 }, "24"],
];

/** Kinds of tokens and units, and what is taken where a price is missing. */
const kinds: readonly Case[] = [
  ["cached input without its price: that of input", payAsYouGo({ request_token: 0.5 }), { cacheReadTokens: 3 }, "1.5"],
  ["written to a cache, likewise", payAsYouGo({ request_token: 0.5 }), { cacheWriteTokens: 3 }, "1.5"],
  [
    "written for an hour",
    payAsYouGo({ request_token: 1, cache_write_input_token: 2, cache_write_input_token_1h: 3 }),
    { cacheWriteTokens: 10, cacheWriteHourTokens: 4 },
    "24",
  ],
  [
    "written for an hour, without a price for it",
    payAsYouGo({ request_token: 1, cache_write_input_token: 2 }),
    { cacheWriteTokens: 10, cacheWriteHourTokens: 4 },
    "20",
  ],
  ["sound", payAsYouGo({ request_token: 1, request_audio_token: 5 }), { inputTokens: 2, inputAudioTokens: 3 }, "17"],
  ["sound at the price of text", payAsYouGo({ request_token: 1 }), { inputTokens: 2, inputAudioTokens: 3 }, "5"],
  [
    "sound from a cache",
    payAsYouGo({ request_token: 1, cache_read_input_token: 2, cache_read_audio_input_token: 3 }),
    { cacheReadTokens: 10, cacheReadAudioTokens: 4 },
    "24",
  ],
  ["spoken answers", payAsYouGo({ response_token: 1, response_audio_token: 5 }), { outputAudioTokens: 3 }, "15"],
  ["reasoning as output", payAsYouGo({ response_token: 2 }), { outputTokens: 1, reasoningTokens: 3 }, "8"],
  ["reasoning as a unit", payAsYouGo({ response_token: 2 }, { thinking_token: 5 }), { reasoningTokens: 3 }, "15"],
  ["reasoning at its price", payAsYouGo({ response_token: 2, reasoning_token: 7 }), { reasoningTokens: 3 }, "21"],
  [
    "tokens of images",
    payAsYouGo({ request_token: 1, request_image_token: 3, response_token: 2, response_image_token: 9 }),
    { inputTokens: 10, inputImageTokens: 4, outputTokens: 5, outputImageTokens: 5 },
    "63",
  ],
  [
    "tokens of drawn images as a unit: 3 × 2 + 1290 × 9",
    payAsYouGo({ response_token: 2 }, { image_token: 9 }),
    { outputTokens: 1293, outputImageTokens: 1290 },
    "11616",
  ],
  [
    "tokens of drawn images at their price, whatever the unit says, multiplied",
    payAsYouGo({ response_token: 2, response_image_token: 7 }, { image_token: 9 }),
    { outputTokens: 5, outputImageTokens: 5 },
    "17.5",
    { image_token: 0.5 },
  ],
  [
    "tokens of images at the price of others",
    payAsYouGo({ request_token: 1 }),
    { inputTokens: 10, inputImageTokens: 4 },
    "10",
  ],
  ["sound by the second", payAsYouGo({}, { audio_second: 0.01 }), { audioSeconds: 12.34 }, "0.1234"],
  ["searches of files", payAsYouGo(first, { file_search: 0.25 }), { ...asked, fileSearches: 2 }, "1.075"],
  ["pages", payAsYouGo({}, { page: 0.1 }), { pages: 29 }, "2.9"],
  ["pages that are annotated as pages", payAsYouGo({}, { page: 0.1 }), { pages: 29, annotatedPages: 29 }, "2.9"],
  [
    "pages that are annotated, where they have a price: 10 × 0.1 + 2 × 0.5",
    payAsYouGo({}, { page: 0.1, annotated_page: 0.5 }),
    { pages: 12, annotatedPages: 2 },
    "2",
  ],
  ["search units", payAsYouGo({}, { search: 0.2 }), { searchUnits: 1 }, "0.2"],
  ["a price per call", payAsYouGo(first, { request: 1.4 }), asked, "1.975"],
  ["an input that costs nothing", payAsYouGo({ request_token: 0 }), { inputTokens: 9 }, "0"],
  ["what was not used", payAsYouGo(first), { inputTokens: 0, outputTokens: 0 }, "0"],
  [
    "a batch at its own prices, and at half of those it has none of",
    {
      pay_as_you_go: { ...payAsYouGo(first).pay_as_you_go, image: { default: { default: { price: 10 } } } },
      batch_config: payAsYouGo({ request_token: 0.0002 }),
    },
    { inputTokens: 1000, cacheReadTokens: 200, outputTokens: 300, images: 1 },
    "5.3625",
    {},
    true,
  ],
  ["multiplied by nothing", payAsYouGo(first), asked, "0", { default: 0 }],
  [
    "multipliers of units and images",
    {
      pay_as_you_go: { image: { default: { default: { price: 10 } } }, additional_units: { web_search: { price: 1 } } },
    },
    { images: 1, searches: 2 },
    "6",
    { default: 0.1, image: { default: 0.5 }, additional_units: { web_search: 0.5 } },
  ],
  ["null inherits", payAsYouGo(first), asked, "0.5175", { default: 0.9, request_token: null }],
];

/** Formulas of pricing objects. */
const value = (name: string) => ({ value: name });
const product = (...names: string[]) => ({ operation: "multiply", operands: names.map(value) });
const formulas: readonly Case[] = [
  [
    "a formula as the sum would be",
    {
      ...payAsYouGo(first),
      calculate: {
        request: {
          operation: "sum",
          operands: [
            product("input_tokens", "rates.request_token"),
            product("cache_read_tokens", "rates.cache_read_input_token"),
          ],
        },
      },
    },
    asked,
    "0.575",
  ],
  [
    "names nobody knows are nothing, and multipliers count",
    { ...payAsYouGo(first), calculate: { response: product("output_tokens", "rates.response_token", "rates.other") } },
    asked,
    "0.22",
    { default: 0.8 },
  ],
  [
    "units that a formula names are in it already",
    {
      ...payAsYouGo(first, { web_search: 1 }),
      calculate: { request: product("additional_units.web_search", "rates.web_search") },
    },
    { ...asked, searches: 2 },
    "2.3",
  ],
];

describe("a call costs", () => {
  it.each<Case>([...worked, ...kinds, ...formulas])("%s", (_, prices, usage, cents, multiplier, batch) => {
    const multipliers = multiplier ? [multiplier as Record<string, unknown>] : [];
    expect(priced(prices, usage, multipliers, { batch, image: () => ({ quality: "hd", size: "1024x1792" }) })).toBe(
      centsText(cents),
    );
  });

  it.each<[string, object, Usage]>([
    ["no price at all", payAsYouGo({}), asked],
    ["prices for something else", payAsYouGo({}, { audio_second: 1 }), asked],
    ["images where tokens have a price", payAsYouGo(first), { images: 1 }],
  ])("nobody knows what: %s", (_, prices, usage) => {
    expect(priced(prices, usage)).toBeUndefined();
  });

  const searching: Usage = { ...asked, searches: 2 };
  const byFormula = { calculate: { request: product("additional_units.web_search", "rates.request_token") } };
  it.each<[string, object, Usage, boolean]>([
    ["no price for them", payAsYouGo(first), searching, true],
    ["none made", payAsYouGo(first), asked, false],
    ["nought made", payAsYouGo(first), { ...asked, searches: 0 }, false],
    ["a price", payAsYouGo(first, { web_search: 1 }), searching, false],
    ["no price for those of files", payAsYouGo(first, { web_search: 1 }), { ...asked, fileSearches: 1 }, true],
    ["a price for those of files", payAsYouGo(first, { file_search: 1 }), { ...asked, fileSearches: 1 }, false],
    [
      "a price for those of files alone",
      payAsYouGo(first, { file_search: 1 }),
      { ...searching, fileSearches: 1 },
      true,
    ],
    ["something of other models", payAsYouGo(first), { ...asked, otherModels: true }, true],
    ["something nobody counts", payAsYouGo(first), { ...asked, uncounted: true }, true],
    ["a price of 0, as they are in that of tokens", payAsYouGo(first, { web_search: 0 }), searching, false],
    ["a price per call, which has them", payAsYouGo(first, { request: 1.4 }), searching, false],
    ["a formula that names them", { ...payAsYouGo(first), ...byFormula }, searching, false],
    [
      "a formula that does not",
      { ...payAsYouGo(first), calculate: { request: value("input_tokens") } },
      searching,
      true,
    ],
  ])("what is known, and what searches took besides: %s", (_, object, usage, lacks) => {
    expect(new Tariff(sheetOf(object)).lacks(usage)).toBe(lacks);
  });

  const byContext = payAsYouGo(first, { web_search_low_context: 2, web_search_high_context: 5 });
  it.each<[string, object, string | undefined, string, boolean]>([
    ["little", byContext, "low", "4.575", false],
    ["much", byContext, "high", "10.575", false],
    ["so much that it has no price", byContext, "medium", "0.575", true],
    ["nobody says how much", byContext, undefined, "0.575", true],
    ["any at one price", payAsYouGo(first, { web_search: 1, web_search_low_context: 2 }), "low", "2.575", false],
  ])("searches by how much they bring in: %s", (_, object, context, cents, lacks) => {
    const circumstances = { searchContext: () => context };
    expect(priced(object, searching, [], circumstances)).toBe(centsText(cents));
    expect(new Tariff(sheetOf(object)).lacks(searching, circumstances)).toBe(lacks);
  });

  it("searches by how much they bring in, times the multiplier of that price", () => {
    const multiplier = { additional_units: { web_search_low_context: 0.5 } };
    expect(priced(byContext, searching, [multiplier], { searchContext: () => "low" })).toBe(centsText("2.575"));
  });

  it("a price per call for each call that a sum is of", () => {
    const prices = payAsYouGo({ request_token: 1 }, { request: 5 });
    expect(priced(prices, { inputTokens: 100 }, [], { calls: 100 })).toBe(centsText("600"));
    expect(priced(prices, { inputTokens: 100 })).toBe(centsText("105"));
  });

  it("another price from so many tokens of the prompt on, for all of them, wherever they came from", () => {
    const cost = (usage: Usage) => picodollarsOfCents(long.cents(usage) ?? zero);
    expect(cost({ inputTokens: 100, cacheReadTokens: 100 })).toBe(centsText("150"));
    expect(cost({ inputTokens: 101, cacheReadTokens: 100 })).toBe(centsText("302"));
  });
});

const long = new Tariff({
  rates: { request_token: ratioOf(1), cache_read_input_token: ratioOf("0.5") },
  bands: [{ above: 200, rates: { request_token: ratioOf(2), cache_read_input_token: ratioOf(1) } }],
});

const count = fc.integer({ min: 0, max: 2_000_000 });
const price = fc.integer({ min: 0, max: 10 ** 9 }).map((digits) => digits / 10 ** 12);
const buckets = [
  "inputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "outputTokens",
  "reasoningTokens",
  "inputAudioTokens",
  "outputAudioTokens",
  "searches",
  "searchUnits",
  "pages",
] as const;
const usages = fc.record(Object.fromEntries(buckets.map((name) => [name, count])));
const prices = fc
  .tuple(
    fc.record({
      request_token: price,
      response_token: price,
      cache_read_input_token: price,
      cache_write_input_token: price,
      request_audio_token: price,
      response_audio_token: price,
      reasoning_token: price,
    }),
    fc.record({ web_search: price, search: price, page: price }),
  )
  .map(([tokens, units]) => payAsYouGo(tokens, units));
const multipliers = fc.record({ default: fc.double({ min: 0, max: 2, noNaN: true }) }).map((one) => [one]);

const exact = (object: unknown, usage: Usage, factors: readonly Record<string, unknown>[] = []) => {
  const ratio = new Tariff(sheetOf(object), factors).cents(usage) ?? { over: 0n, under: 1n };
  return ratio;
};
const same = (one: Ratio, other: Ratio) => one.over * other.under === other.over * one.under;

describe("whatever the prices", () => {
  it("the buckets sum to the total, exactly", () => {
    fc.assert(
      fc.property(prices, usages, multipliers, (object, usage, factors) => {
        const parts = buckets.map((name) => exact(object, { [name]: usage[name] }, factors));
        expect(same(parts.reduce(plus, zero), exact(object, usage, factors))).toBe(true);
      }),
    );
  });

  it("so many times as much costs so many times as much, exactly", () => {
    fc.assert(
      fc.property(prices, usages, fc.integer({ min: 0, max: 1000 }), (object, usage, factor) => {
        const more = Object.fromEntries(Object.entries(usage).map(([name, one]) => [name, one * factor]));
        expect(same(exact(object, more), times(exact(object, usage), ratioOf(factor)))).toBe(true);
      }),
    );
  });

  it("is what a sum of decimals by hand comes to", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 - 1 }), count, (digits, tokens) => {
        const dollarsPerMillion = `0.${digits.toString().padStart(9, "0")}`;
        const cents = new Tariff({ rates: { request_token: centsOfDollars(dollarsPerMillion, 1_000_000) } }).cents({
          inputTokens: tokens,
        });
        // Nine decimal places over a million, times a hundred: thirteen places of a cent.
        if (tokens > 0)
          expect(cents && same(cents, { over: BigInt(digits) * BigInt(tokens), under: 10n ** 13n })).toBe(true);
      }),
    );
  });
});
