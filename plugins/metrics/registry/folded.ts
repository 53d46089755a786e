import type { Counted, Family, Shape } from "./family.ts";

export const foldedMetric = {
  name: "metrics_folded_count",
  help: "Counts that went to the series `other`, as the metric may have no more series (maxSeries).",
  type: "counter",
  labels: ["metric"],
} as const satisfies Shape;

/** How often each metric was counted under `other`, of those that were. */
export const foldedCounts = (families: readonly Family[]): Counted => ({
  shape: foldedMetric,
  series: families
    .filter(({ folded }) => folded > 0)
    .map(({ shape, folded }) => ({ values: [shape.name], sum: folded })),
});
