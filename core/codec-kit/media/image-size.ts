import { refuse } from "../fields/refusal.ts";

/** Who has sizes of images: the vendor as a whole, or one model of it. */
export type SizedBy = "model" | "vendor";

/** Width and height in a size: `1024x1536`. */
export function measuresOf(size: string, by: SizedBy): readonly [width: number, height: number] {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  if (width === undefined || height === undefined)
    return refuse("size", `a size like "1024x1024" for this ${by}`, size);
  return [Number(width), Number(height)];
}

/** The ratio nearest to a size, of those there are; one that is written as a ratio stays as it is. */
export function nearestRatio(size: string, ratios: readonly string[], by: SizedBy): string {
  if (/^\d+:\d+$/.test(size)) return size;
  const [width, height] = measuresOf(size, by);
  const distance = (ratio: string): number => {
    const [across = 1, down = 1] = ratio.split(":").map(Number);
    return Math.abs(Math.log(across / down) - Math.log(width / height));
  };
  return ratios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}
