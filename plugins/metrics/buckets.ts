import type { Logger } from "../../core/index.ts";
import { isAscending } from "./registry/declarations.ts";

/** Upper bounds by what is measured (observability.md section 16.4). */
export const usualBuckets = {
  httpSeconds: [0.1, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 240, 500, 1000, 3000],
  milliseconds: [
    0.1, 1, 2, 5, 10, 30, 50, 75, 100, 150, 200, 350, 500, 1000, 2500, 5000, 10_000, 50_000, 100_000, 300_000, 500_000,
    10_000_000,
  ],
  gcSeconds: [0.001, 0.01, 0.1, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 240, 500, 1000, 6000],
} as const satisfies Record<string, readonly number[]>;

/** The bounds somebody wrote, or the usual ones where it is no ascending list: then a warning says so. */
export function bucketsIn(
  written: readonly (number | string)[],
  usual: readonly number[],
  option: string,
  log: Pick<Logger, "warn">,
): readonly number[] {
  if (written.length === 0) return usual;
  const bounds = written.map((bound) => (`${bound}`.trim() === "" ? Number.NaN : Number(bound)));
  if (isAscending(bounds)) return bounds;
  log.warn(`${option} is "${written.join(",")}", which is no list of ascending numbers: the usual buckets are taken`);
  return usual;
}
