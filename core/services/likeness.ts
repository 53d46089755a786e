import type { NearestOptions, VectorEntry, VectorMatch } from "./cache.ts";

/** The vector with length 1 in the same direction; undefined where there is no direction (zeros, not numbers). */
export function unitVector(values: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (let at = 0; at < values.length; at++) squares += (values[at] as number) ** 2;
  const length = Math.sqrt(squares);
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) return undefined;
  return values.map((value) => value / length);
}

/** The candidates most alike by cosine, best first. All vectors have length 1; those of other dimensions are passed by. */
export function nearestOf(
  wanted: Float32Array,
  candidates: Iterable<VectorEntry>,
  { least, most }: NearestOptions,
): VectorMatch[] {
  const matches: VectorMatch[] = [];
  for (const { id, values } of candidates) {
    if (values.length !== wanted.length) continue;
    const cosine = product(wanted, values);
    if (cosine >= least) matches.push({ id, cosine });
  }
  return matches.sort((left, right) => right.cosine - left.cosine).slice(0, most);
}

/** Of unit vectors, this is the cosine; rounding may leave it a hair beyond 1. */
function product(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += (left[at] as number) * (right[at] as number);
  return Math.min(1, Math.max(-1, sum));
}
