import type { Usage } from "../../../core/index.ts";
import { countRatio, type Ratio, times } from "../arithmetic/ratio.ts";
import type { Circumstances } from "./circumstances.ts";
import { classes, promptTokens } from "./classes.ts";
import { isSearchPrice } from "./searches.ts";
import { own, type Rates, type Sheet } from "./sheet.ts";
import { isVideoPrice } from "./videos.ts";

/** The price of a million points of drawn images (policies.md section 9.4). */
export const megapixels = "megapixels";

/** Whether a call used something of a unit that nobody counts. */
type Uses = (usage: Usage, circumstances: Circumstances) => boolean;

const draws: Uses = ({ images = 0 }) => images > 0;
const shows =
  (kind: "image" | "video"): Uses =>
  (_, { mayShow }) =>
    mayShow?.(kind) !== false;

/** Units of price lists that no answer tells how many there are of, and when they are part of what it cost (policies.md section 9.4). */
const uncounted: Readonly<Record<string, Uses>> = {
  routing_units: (usage) => promptTokens(usage) > 0,
  image_1k: draws,
  input_image: shows("image"),
  input_video_essential: shows("video"),
  input_video_standard: shows("video"),
  input_video_plus: shows("video"),
};

/** Keys that are others of this plugin's by other names. */
const known: ReadonlySet<string> = new Set([
  ...classes.flatMap(({ key, instead = [] }) => [key, ...instead]),
  "image_token",
  megapixels,
]);

/** Keys of prices that count for nothing here. One of nothing, as lists have them, is nothing that a cost could lack. */
export const uncountedKeys = ({ rates }: Pick<Sheet, "rates">): readonly string[] =>
  Object.entries(rates).flatMap(([key, { over }]) =>
    over === 0n || known.has(key) || isSearchPrice(key) || isVideoPrice(key) ? [] : [key],
  );

/** Those of them that are known to be part of what a call costs, where that depends on the call. */
export const uncountedUnits = (rates: Rates): readonly Uses[] =>
  Object.entries(uncounted).flatMap(([key, uses]) => {
    const price = own(rates, key);
    return price && price.over > 0n ? [uses] : [];
  });

/** What images cost by their size, at a price of a million points; undefined where nobody says how large they are. */
export function centsOfPoints(price: Ratio, images: number, size: string | undefined): Ratio | undefined {
  const [, width, height] = /^(\d{1,6})[x*:](\d{1,6})$/i.exec(size ?? "") ?? [];
  if (width === undefined || height === undefined) return undefined;
  const points = countRatio(images * Number(width) * Number(height));
  return times(price, { over: points.over, under: points.under * 1_000_000n });
}
