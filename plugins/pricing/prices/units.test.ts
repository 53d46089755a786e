import { expect, it } from "vitest";
import type { Usage } from "../../../core/index.ts";
import { ratioOf } from "../arithmetic/ratio.ts";
import type { Circumstances } from "./circumstances.ts";
import { sheetOf } from "./pricing-object.ts";
import { Tariff } from "./tariff.ts";
import { uncountedKeys } from "./units.ts";

/** A model of a price list with a price of tokens, and of one unit besides. */
const listed = (units: Readonly<Record<string, number>>, tokens = 1) =>
  sheetOf({
    pay_as_you_go: {
      request_token: { price: tokens },
      additional_units: Object.fromEntries(Object.entries(units).map(([key, price]) => [key, { price }])),
    },
  });
const square: Circumstances = { image: () => ({ size: "1024x1024" }) };
const text: Circumstances = { mayShow: () => false };

it.each<[string, Readonly<Record<string, number>>, Usage, Circumstances, string | number]>([
  ["a million points of images is counted by their size", { megapixels: 5 }, { images: 2 }, square, 2 * 1.048576 * 5],
  ["a million points of images of no size is unknown", { megapixels: 5 }, { images: 2 }, {}, "unknown"],
  ["a million points is none where nothing is drawn", { megapixels: 5 }, { inputTokens: 3 }, {}, 3],
  [
    "images nobody knows the size class of is unknown",
    { image_1k: 5 },
    { inputTokens: 3, images: 1 },
    square,
    "unknown",
  ],
  ["images is none where nothing is drawn", { image_1k: 5 }, { inputTokens: 3 }, {}, 3],
  ["choosing a model is unknown", { routing_units: 5 }, { inputTokens: 3 }, {}, "unknown"],
  ["choosing a model is nothing at a price of nothing", { routing_units: 0 }, { inputTokens: 3 }, {}, 3],
  ["images that are shown is unknown", { input_image: 5 }, { inputTokens: 3 }, {}, "unknown"],
  ["images that are shown is none of a text", { input_image: 5 }, { inputTokens: 3 }, text, 3],
  ["videos that are shown is unknown", { input_video_plus: 5 }, { inputTokens: 3 }, {}, "unknown"],
])("a price of %s", (_, units, usage, circumstances, cents) => {
  const tariff = new Tariff(listed(units));
  const found = tariff.cents(usage, circumstances);
  const amount = found && !tariff.lacks(usage, circumstances) ? Number(found.over) / Number(found.under) : "unknown";
  if (typeof cents === "number") expect(amount).toBeCloseTo(cents, 10);
  else expect(amount).toBe(cents);
});

it("prices that are counted nowhere are told by name", () => {
  const units = { routing_units: 1, odd: 1, megapixels: 1, video_seconds: 1, video_duration_seconds_1_2: 1 };
  const others = {
    web_search: 1,
    web_search_low_context: 1,
    thinking_token: 1,
    image_token: 1,
    search: 1,
    file_search: 1,
  };
  expect(uncountedKeys(listed({ ...units, ...others }))).toEqual(["routing_units", "odd"]);
  expect(uncountedKeys(listed({ routing_units: 0, odd: 0 }))).toEqual([]);
  expect(uncountedKeys({ rates: { audio_second: ratioOf(1), response_token: ratioOf(1) } })).toEqual([]);
});
