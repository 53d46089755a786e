import type { Usage } from "../../../core/index.ts";
import type { Ratio } from "../arithmetic/ratio.ts";
import { type PricedClass, videoSeconds } from "./classes.ts";

type Rates = Readonly<Record<string, Ratio>>;

/** A second of a video of one width and height (policies.md section 9.4). */
const sized = /^video_duration_seconds_(\d+)_(\d+)$/;

export const isVideoPrice = (key: string): boolean => key === "video" || key === videoSeconds || sized.test(key);

/** Sizes whose seconds have a price of their own, as vendors write them: `1280x720`. */
export const sizesPriced = (rates: Rates): readonly string[] =>
  Object.keys(rates).flatMap((key) => {
    const [, width, height] = sized.exec(key) ?? [];
    return width === undefined ? [] : [`${width}x${height}`];
  });

/** The price key of a second of a video of a size. */
export const keyOfSize = (size: string): string => `video_duration_seconds_${size.replace("x", "_")}`;

/** Seconds at the price of a size. */
export const secondsAt = (size: string): PricedClass => ({
  key: keyOfSize(size),
  side: "beside",
  count: (usage) => usage.videoSeconds ?? 0,
});

/**
 * Whether videos were made that none of these is a price of; a price per call is one of what it made, too, and so is one of the tokens
 * that some vendors bill them by.
 */
export const lacksVideos = (usage: Usage, priced: readonly PricedClass[]): boolean =>
  (usage.videos ?? 0) > 0 &&
  !priced.some(({ key, count }) => key === "request" || (isOfVideos(key, usage) && count(usage, 1) > 0));

const isOfVideos = (key: string, { outputVideoTokens = 0 }: Usage): boolean =>
  isVideoPrice(key) || (outputVideoTokens > 0 && (key === "response_token" || key === "response_video_token"));

/** Lower prices, without those of videos where upper ones have any: one of all sizes is that of each. */
export function videosLeft(upper: Rates, lower: Rates): Rates {
  if (!Object.keys(upper).some(isVideoPrice)) return lower;
  return Object.fromEntries(Object.entries(lower).filter(([key]) => !isVideoPrice(key)));
}
