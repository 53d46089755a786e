import type { Logger } from "../../../core/index.ts";

/** A metric as it was declared. A gauge here is one that only grows (observability.md section 16.3). */
export interface Shape {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly labels: readonly string[];
  /** Upper bounds of a histogram, ascending, without infinity. */
  readonly buckets?: readonly number[];
}

/** What was counted under one choice of label values. */
export interface Series {
  readonly values: readonly string[];
  /** Of a histogram the sum of what was observed. */
  sum: number;
  /** Observations by bucket, not cumulated; the last one is beyond all bounds. Absent where nothing is bucketed. */
  readonly counts?: number[];
}

/** A metric with all that was counted of it: what is written out, and what workers tell each other. */
export interface Counted {
  readonly shape: Shape;
  readonly series: readonly Series[];
}

/** Between label values in a key; no value holds it but by intent, and then it only spoils its own series. */
const between = "\u0000";

/** What all series are counted under beyond the bound. */
const foldedValue = "other";

/** One metric of a process, bounded in its series. It outlives the generation of the config that declared it. */
export class Family {
  readonly shape: Shape;
  /** Series at most; those of the last generation count. */
  most: number;
  /** How often something was counted under `other`. */
  folded = 0;
  #rest: Series | undefined;
  readonly #series = new Map<string, Series>();
  readonly #log: Pick<Logger, "warn">;

  constructor(shape: Shape, most: number, log: Pick<Logger, "warn">) {
    this.shape = shape;
    this.most = most;
    this.#log = log;
  }

  get counted(): Counted {
    const series = [...this.#series.values()];
    if (this.#rest) series.push(this.#rest);
    return { shape: this.shape, series };
  }

  /** The series of these values, for one more count. */
  at(values: readonly string[]): Series {
    const key = values.join(between);
    return this.#series.get(key) ?? this.#begin(key, values);
  }

  /** Whether a series may be kept by whoever asked for it: what is counted under `other` has to be asked for each time. */
  isOwn(series: Series): boolean {
    return series !== this.#rest;
  }

  /** Adds to a series of this family. Nothing but a number that is not negative counts. */
  add(series: Series, amount: number): void {
    if (amount >= 0 && amount < Number.POSITIVE_INFINITY) series.sum += amount;
  }

  observe(series: Series, value: number): void {
    const { counts } = series;
    const { buckets } = this.shape;
    if (!counts || !buckets || !Number.isFinite(value)) return;
    let at = 0;
    while (at < buckets.length && value > (buckets[at] as number)) at++;
    counts[at] = (counts[at] ?? 0) + 1;
    series.sum += value;
  }

  #begin(key: string, given: readonly string[]): Series {
    const { labels } = this.shape;
    if (this.#series.size >= this.most) return this.#fold();
    const series = this.#made(labels.map((_, at) => given[at] ?? ""));
    this.#series.set(key, series);
    return series;
  }

  #fold(): Series {
    const { name, labels } = this.shape;
    if (this.folded++ === 0)
      this.#log.warn(
        `${name} has ${this.most} series, which is all it may have (maxSeries): ` +
          `further label values are counted as "${foldedValue}"`,
      );
    this.#rest ??= this.#made(labels.map(() => foldedValue));
    return this.#rest;
  }

  #made(values: readonly string[]): Series {
    const { buckets } = this.shape;
    return buckets ? { values, sum: 0, counts: new Array<number>(buckets.length + 1).fill(0) } : { values, sum: 0 };
  }
}
