import { isSame } from "./declarations.ts";
import type { Counted, Series } from "./family.ts";

/**
 * The sums of what several processes counted. Metrics keep the order and the shape of the first that has them: what
 * another one counted differently, in the middle of a reload, is left out.
 */
export function merged(sources: readonly (readonly Counted[])[]): Counted[] {
  const [only, ...others] = sources;
  if (others.length === 0) return [...(only ?? [])];
  const families = new Map<string, { readonly shape: Counted["shape"]; readonly series: Map<string, Series> }>();
  for (const source of sources)
    for (const { shape, series } of source) {
      const family = families.get(shape.name) ?? { shape, series: new Map<string, Series>() };
      families.set(shape.name, family);
      if (isSame(family.shape, shape)) for (const one of series) add(family.series, one);
    }
  return [...families.values()].map(({ shape, series }) => ({ shape, series: [...series.values()] }));
}

function add(sums: Map<string, Series>, { values, sum, counts }: Series): void {
  const key = values.join("\u0000");
  const known = sums.get(key);
  if (!known) return void sums.set(key, counts ? { values, sum, counts: [...counts] } : { values, sum });
  known.sum += sum;
  counts?.forEach((count, at) => {
    if (known.counts) known.counts[at] = (known.counts[at] ?? 0) + count;
  });
}
