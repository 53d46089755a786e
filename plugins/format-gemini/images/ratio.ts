import { refuse } from "../../../core/index.ts";

/** Width and height in proportion, as this API has them. */
const ratios = ["1:1", "3:2", "2:3", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"] as const;

/** The ratio nearest to a size (`1024x1536`); one that is written as a ratio stays as it is. */
export function ratioOf(size: string): string {
  if (/^\d+:\d+$/.test(size)) return size;
  const [, width, height] =
    /^(\d+)x(\d+)$/.exec(size) ?? refuse("size", 'a size like "1024x1024" for this model', size);
  const asked = Math.log(Number(width) / Number(height));
  const distance = (ratio: string): number => {
    const [across = 1, down = 1] = ratio.split(":").map(Number);
    return Math.abs(Math.log(across / down) - asked);
  };
  return ratios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}
