import { errorMessage, z } from "../../../core/index.ts";
import { dividedBy, type Ratio, ratioOf, times } from "../arithmetic/ratio.ts";
import { videoSeconds } from "./classes.ts";
import { formulaOf } from "./formula.ts";
import type { DatedSheet, ImageRates, Rates, Sheet } from "./sheet.ts";
import { keyOfSize } from "./videos.ts";

const isPrice = (value: number | string): boolean => {
  try {
    ratioOf(value);
    return true;
  } catch {
    return false;
  }
};

const price = z
  .union([z.number(), z.string()])
  .refine(isPrice, "must be a price: a number of 0 or more, such as 2.50")
  .exactOptional();

interface Unit {
  readonly key: string;
  /** How many of them the price is for. */
  readonly per: number;
  readonly says: string;
}

const million = 1_000_000;

/** Prices as an operator writes them, in dollars: what they are for, and the price key they stand for. */
const tokenPrices: Readonly<Record<string, Unit>> = {
  input: { key: "request_token", per: million, says: "Dollars per million input tokens." },
  output: { key: "response_token", per: million, says: "Per million output tokens." },
  cacheRead: { key: "cache_read_input_token", per: million, says: "Per million tokens read from a cache." },
  cacheWrite: { key: "cache_write_input_token", per: million, says: "Per million tokens written to a cache." },
  cacheWriteHour: { key: "cache_write_input_token_1h", per: million, says: "The same, where they are kept an hour." },
  reasoning: { key: "reasoning_token", per: million, says: "Per million tokens of reasoning." },
  audioInput: { key: "request_audio_token", per: million, says: "Per million input tokens of sound." },
  audioOutput: { key: "response_audio_token", per: million, says: "Per million output tokens of sound." },
  audioCacheRead: { key: "cache_read_audio_input_token", per: million, says: "Per million such tokens from a cache." },
  imageCacheRead: { key: "cache_read_image_input_token", per: million, says: "Per million such tokens of images." },
  imageInput: { key: "request_image_token", per: million, says: "Per million input tokens of images." },
  imageOutput: { key: "response_image_token", per: million, says: "Per million output tokens of images." },
  videoInput: { key: "request_video_token", per: million, says: "Per million input tokens of moving pictures." },
  videoOutput: { key: "response_video_token", per: million, says: "Per million output tokens of moving pictures." },
};

const unitPrices: Readonly<Record<string, Unit>> = {
  request: { key: "request", per: 1, says: "Dollars per call." },
  webSearch: { key: "web_search", per: 1, says: "Per web search." },
  fileSearch: { key: "file_search", per: 1, says: "Per search of files the vendor keeps." },
  searchUnit: { key: "search", per: 1, says: "Per search unit of a reranker." },
  page: { key: "page", per: 1, says: "Per page that is read." },
  annotatedPage: { key: "annotated_page", per: 1, says: "The same, where what it holds is annotated, too." },
  video: { key: "video", per: 1, says: "Per video that is made." },
  audioMinute: { key: "audio_second", per: 60, says: "Per minute of sound that is written down." },
};

const fieldsFor = (units: Readonly<Record<string, Unit>>) =>
  Object.fromEntries(Object.entries(units).map(([name, { says }]) => [name, price.describe(says)]));

const tokens = fieldsFor(tokenPrices);
const formula = z.unknown().transform((given, context) => {
  try {
    return formulaOf(given);
  } catch (error) {
    context.addIssue({ code: "custom", message: errorMessage(error) });
    return z.NEVER;
  }
});

const modelPrices = z.strictObject({
  ...tokens,
  ...fieldsFor(unitPrices),
  image: z
    .union([z.number(), z.string(), z.record(z.string(), z.record(z.string(), z.union([z.number(), z.string()])))])
    .exactOptional()
    .describe("Dollars per image, or by quality and size: { hd: { 1024x1792: 0.12 } }."),
  videoSecond: z
    .union([price.unwrap(), z.record(z.string().regex(/^\d+x\d+$/, "must be a size: 1280x720"), price.unwrap())])
    .exactOptional()
    .describe("Dollars per second of video, or by size: { 1280x720: 0.1 }."),
  above: z
    .array(z.strictObject({ tokens: z.int().positive().describe("Tokens of the prompt."), ...tokens }))
    .exactOptional()
    .describe("Prices of calls whose prompt has more tokens than so many."),
  batch: z.strictObject(tokens).exactOptional().describe("Prices in batches of the provider; half where not said."),
  tiers: z
    .record(z.string(), z.strictObject(tokens))
    .exactOptional()
    .describe("Prices by service tier: { flex: { input: 1.25 } }."),
  calculate: z
    .strictObject({ request: formula.exactOptional(), response: formula.exactOptional() })
    .exactOptional()
    .describe("Formulas in place of count × price, as in pricing objects."),
  from: z
    .string()
    .refine((text) => Number.isFinite(Date.parse(text)), "must be a date: 2026-12-01")
    .exactOptional()
    .describe("The day they begin to hold, UTC."),
});

/** Prices of a model, or several of which each holds from a day on. */
export const ownPrices = z.union([modelPrices, z.array(modelPrices).min(1)]);

type ModelPrices = z.output<typeof modelPrices>;

/** What is in the table, in the plugin's own form. The order of days is that of the days, not that of the file. */
export const datedSheets = (given: z.output<typeof ownPrices>): readonly DatedSheet[] =>
  [given]
    .flat()
    .map((one) => ({ ...(one.from !== undefined && { since: Date.parse(one.from) }), sheet: ownSheet(one) }))
    .sort((one, other) => (one.since ?? Number.NEGATIVE_INFINITY) - (other.since ?? Number.NEGATIVE_INFINITY));

const centsPerDollar: Ratio = { over: 100n, under: 1n };

export const centsOfDollars = (dollars: number | string, per = 1): Ratio =>
  dividedBy(times(ratioOf(dollars), centsPerDollar), per);

function ratesIn(given: Readonly<Record<string, unknown>>): Rates {
  const rates: Record<string, Ratio> = {};
  for (const [name, { key, per }] of Object.entries({ ...tokenPrices, ...unitPrices })) {
    const dollars = given[name];
    if (typeof dollars === "number" || typeof dollars === "string") rates[key] = centsOfDollars(dollars, per);
  }
  return rates;
}

function ownSheet(given: ModelPrices): Sheet {
  const { image, above, batch, tiers, calculate, videoSecond } = given;
  return {
    rates: { ...ratesIn(given), ...(videoSecond !== undefined && secondsIn(videoSecond)) },
    ...(image !== undefined && { images: imagesIn(image) }),
    ...(above && {
      bands: above
        .map(({ tokens: most, ...prices }) => ({ above: most, rates: ratesIn(prices) }))
        .sort((one, other) => one.above - other.above),
    }),
    ...(batch && { batch: ratesIn(batch) }),
    ...(tiers && {
      tiers: Object.fromEntries(Object.entries(tiers).map(([name, prices]) => [name, ratesIn(prices)])),
    }),
    ...(calculate && { calculate }),
  };
}

function secondsIn(price: NonNullable<ModelPrices["videoSecond"]>): Rates {
  if (typeof price !== "object") return { [videoSeconds]: centsOfDollars(price) };
  return Object.fromEntries(Object.entries(price).map(([size, dollars]) => [keyOfSize(size), centsOfDollars(dollars)]));
}

function imagesIn(image: NonNullable<ModelPrices["image"]>): ImageRates {
  if (typeof image !== "object") return { default: { default: centsOfDollars(image) } };
  return Object.fromEntries(
    Object.entries(image).map(([quality, sizes]) => [
      quality,
      Object.fromEntries(Object.entries(sizes).map(([size, dollars]) => [size, centsOfDollars(dollars)])),
    ]),
  );
}
