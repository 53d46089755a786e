import type {
  Counter,
  Histogram,
  HistogramDeclaration,
  Logger,
  MetricDeclaration,
  MetricsService,
} from "../../../core/index.ts";
import { Family, type Shape } from "./family.ts";

export interface DeclarationParts {
  /** The metrics of this process, by name: what earlier generations declared. */
  readonly kept: Map<string, Family>;
  /** Series of a metric at most. */
  readonly maxSeries: number;
  /** Bounds of histograms that name none. */
  readonly buckets: readonly number[];
  /** Labels that every metric has. */
  readonly reserved: readonly string[];
  readonly log: Pick<Logger, "warn">;
}

/** What one generation of the config declared. Metrics that are as they were go on where they stood. */
export class Declarations implements MetricsService {
  readonly #parts: DeclarationParts;
  readonly #families = new Map<string, Family>();

  constructor(parts: DeclarationParts) {
    this.#parts = parts;
  }

  get families(): readonly Family[] {
    return [...this.#families.values()];
  }

  counter({ name, help, labels }: MetricDeclaration): Counter {
    const family = this.declare({ name, help, labels, type: "counter" });
    return { add: (amount, ...values) => family.add(family.at(values), amount) };
  }

  histogram({ name, help, labels, buckets = this.#parts.buckets }: HistogramDeclaration): Histogram {
    const family = this.declare({ name, help, labels, type: "histogram", buckets });
    return { observe: (value, ...values) => family.observe(family.at(values), value) };
  }

  /** Throws where the name or a label cannot be, or another metric of that name was declared in this generation. */
  declare(shape: Shape): Family {
    const { kept, maxSeries, log } = this.#parts;
    const { name } = shape;
    const declared = this.#families.get(name);
    if (declared && !isSame(declared.shape, shape))
      throw new Error(`the metric ${name} was declared with other labels, buckets or of another kind`);
    if (declared) return declared;
    this.#check(shape);
    const before = kept.get(name);
    const family = before && isSame(before.shape, shape) ? before : new Family(shape, maxSeries, log);
    this.#families.set(name, family);
    return family;
  }

  /** From now on this generation is what the next one goes on from. One that never serves changes nothing. */
  keep(): void {
    const { kept, maxSeries } = this.#parts;
    for (const [name, family] of this.#families) {
      family.most = maxSeries;
      kept.set(name, family);
    }
  }

  #check({ name, labels, buckets }: Shape): void {
    if (!metricName.test(name)) throw new Error(`"${name}" is no name of a metric: letters, digits, _ and :`);
    const taken = new Set([...this.#parts.reserved, "le"]);
    for (const label of labels) {
      if (!labelName.test(label)) throw new Error(`the metric ${name} has the label "${label}": letters, digits and _`);
      if (taken.has(label))
        throw new Error(`the metric ${name} has the label "${label}" twice, or every metric has it`);
      taken.add(label);
    }
    if (buckets && !isAscending(buckets))
      throw new Error(`the buckets of the metric ${name} are not ascending numbers`);
  }
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

export const isAscending = (buckets: readonly number[]): boolean =>
  buckets.length > 0 && buckets.every((bound, at) => Number.isFinite(bound) && bound > (buckets[at - 1] ?? -Infinity));

/** Whether counts of one can be added to those of the other. */
export const isSame = (one: Shape, other: Shape): boolean =>
  one.name === other.name &&
  one.type === other.type &&
  isSameList(one.labels, other.labels) &&
  isSameList(one.buckets ?? [], other.buckets ?? []);

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);
