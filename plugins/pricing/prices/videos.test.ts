import { expect, it } from "vitest";
import type { Usage } from "../../../core/index.ts";
import { ratioOf } from "../arithmetic/ratio.ts";
import { laidOver, type Rates } from "./sheet.ts";
import { Tariff } from "./tariff.ts";

const rates = (prices: Readonly<Record<string, number>>): Rates =>
  Object.fromEntries(Object.entries(prices).map(([key, price]) => [key, ratioOf(price)]));
const sizes = { video_duration_seconds_720_1280: 10, video_duration_seconds_1024_1792: 50 };
const video: Usage = { videos: 1, videoSeconds: 8, videoSize: "720x1280" };

/** Cents, as a number; "unknown" where something was used that has no price. */
function told(prices: Rates, usage: Usage): number | string {
  const tariff = new Tariff({ rates: prices });
  const cents = tariff.cents(usage);
  if (!cents || tariff.lacks(usage)) return "unknown";
  return Number(cents.over) / Number(cents.under);
}

it.each<[string, Rates, Usage, number | string]>([
  ["by the second", rates({ video_seconds: 5 }), video, 40],
  ["by the second of its size", rates({ video_seconds: 5, ...sizes }), video, 80],
  [
    "by the second where its size has no price",
    rates({ video_seconds: 5, ...sizes }),
    { ...video, videoSize: "1x1" },
    40,
  ],
  ["as such, and by the second", rates({ video: 7, video_seconds: 5 }), video, 47],
  ["per call", rates({ request: 30 }), video, 30],
  ["not by a price of tokens", rates({ request_token: 1 }), { ...video, inputTokens: 2 }, "unknown"],
  ["not by the second where nobody says how many", rates({ video_seconds: 5 }), { videos: 1 }, "unknown"],
])("a video is priced %s", (_, prices, usage, cents) => {
  expect(told(prices, usage)).toBe(cents);
});

it("a price of seconds of one's own is that of all sizes", () => {
  const { rates: laid } = laidOver(
    { rates: rates({ video_seconds: 1 }) },
    { rates: rates({ ...sizes, request_token: 2 }) },
  );
  expect(Object.keys(laid)).toEqual(["request_token", "video_seconds"]);
});
