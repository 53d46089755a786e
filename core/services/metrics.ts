import { serviceToken } from "../service-token.ts";

/**
 * Numbers about this process, for whoever watches it (observability.md section 16). Metrics are declared in setup; what is
 * declared again, by the next generation of the config, goes on where it was. Nothing here throws once it is declared.
 */
export interface MetricsService {
  /** Throws where another metric of that name was declared with other labels or of another kind. */
  counter(metric: MetricDeclaration): Counter;
  histogram(metric: HistogramDeclaration): Histogram;
}

export interface MetricDeclaration {
  /** As it is written out: `guardrail_verdict_count`. */
  readonly name: string;
  readonly help: string;
  /** Names of labels. Values are given in this order. */
  readonly labels: readonly string[];
}

export interface HistogramDeclaration extends MetricDeclaration {
  /** Upper bounds, ascending; absent is those of the spec for milliseconds. */
  readonly buckets?: readonly number[];
}

export interface Counter {
  /** `amount` is not negative. */
  add(amount: number, ...labels: readonly string[]): void;
}

export interface Histogram {
  observe(value: number, ...labels: readonly string[]): void;
}

/** Where numbers are counted, where a deployment wants to see them. */
export const Metrics = serviceToken<MetricsService>("metrics");
