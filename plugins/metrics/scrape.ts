import { exposition } from "./registry/exposition.ts";
import type { Counted, Shape } from "./registry/family.ts";
import { merged } from "./registry/merge.ts";
import type { Gathered, Report } from "./workers/peers.ts";

export interface ScrapeParts {
  readonly report: () => Promise<Report>;
  /** What other workers say; undefined in a process without any. */
  readonly gather: () => Promise<Gathered> | undefined;
  /** Labels of every metric. */
  readonly shared: readonly (readonly [name: string, value: string])[];
}

/** The text of /metrics: of this process, or of all workers together. */
export class Scrape {
  readonly #parts: ScrapeParts;
  #underWay: Promise<string> | undefined;

  constructor(parts: ScrapeParts) {
    this.#parts = parts;
  }

  /** Who asks while another one is answered gets the same answer: it takes work, and asks for no credential. */
  text(): Promise<string> {
    this.#underWay ??= this.#make().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #make(): Promise<string> {
    const { report, gather, shared } = this.#parts;
    const others = await gather();
    const own = await report();
    if (!others) return exposition([...own.counted, ...own.runtime], shared);
    const all = [
      ...merged([own.counted, ...others.counted]),
      ...merged([own.runtime, ...others.runtime]),
      missing(others.others),
    ];
    return exposition(all, shared);
  }
}

export const missingMetric = {
  name: "metrics_workers_missing",
  help: "1 for a worker that did not answer in time: what it last said is in the sums.",
  type: "gauge",
  labels: ["worker"],
} as const satisfies Shape;

const missing = (others: Gathered["others"]): Counted => ({
  shape: missingMetric,
  series: others.map(({ worker, missing }) => ({ values: [`${worker}`], sum: missing ? 1 : 0 })),
});
