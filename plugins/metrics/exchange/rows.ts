import type { Family, Series } from "../registry/family.ts";
import type { MetricKey } from "./table.ts";

type Families = Readonly<Record<MetricKey, Family>>;

/** The series of all metrics under one choice of label values, each looked up once. */
export class Row {
  readonly #families: Families;
  readonly #values: readonly string[];
  readonly #series: Partial<Record<MetricKey, Series>> = {};

  constructor(families: Families, values: readonly string[]) {
    this.#families = families;
    this.#values = values;
  }

  add(metric: MetricKey, amount: number | undefined): void {
    if (amount !== undefined) this.#families[metric].add(this.#at(metric), amount);
  }

  observe(metric: MetricKey, value: number | undefined): void {
    if (value !== undefined) this.#families[metric].observe(this.#at(metric), value);
  }

  #at(metric: MetricKey): Series {
    const known = this.#series[metric];
    if (known) return known;
    const family = this.#families[metric];
    const series = family.at(this.#values);
    if (family.isOwn(series)) this.#series[metric] = series;
    return series;
  }
}

/** Rows by label values. Beyond so many they are not kept, and their series are looked up each time. */
export class Rows {
  readonly #families: Families;
  readonly #most: number;
  readonly #rows = new Map<string, Row>();

  constructor(families: Families, most: number) {
    this.#families = families;
    this.#most = most;
  }

  of(values: readonly string[]): Row {
    const key = values.join("\u0000");
    const known = this.#rows.get(key);
    if (known) return known;
    const row = new Row(this.#families, values);
    if (this.#rows.size < this.#most) this.#rows.set(key, row);
    return row;
  }
}
