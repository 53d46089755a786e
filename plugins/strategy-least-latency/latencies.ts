import { AgedMap } from "../../core/index.ts";

/** How fast targets answered of late, in milliseconds. Times are Unix milliseconds. */
export interface Latencies {
  /** Undefined of a target nobody asked for a while. */
  of(key: string, now: number): number | undefined;
  answered(key: string, milliseconds: number, now: number): void;
  /** A failure is no measurement, but it makes a target look slower than it was. */
  failed(key: string, milliseconds: number, now: number): void;
}

interface Measured {
  readonly mean: number;
  readonly at: number;
}

/** What a new measurement counts against all before it. */
const newest = 0.3;
/** How much slower a target looks for having failed. */
const penalty = 2;
/** No target looks slower than this, so that a few good answers bring it back. */
const slowest = 120_000;

export function latencies(forgetAfter: number, most: number): Latencies {
  const known = new AgedMap<string, Measured>();
  const of = (key: string, now: number): number | undefined => {
    const found = known.get(key);
    return found && now - found.at < forgetAfter ? found.mean : undefined;
  };
  const set = (key: string, mean: number, at: number): void => {
    known.set(key, { mean: Math.min(mean, slowest), at });
    const { oldest } = known;
    if (known.size > most && oldest !== undefined) known.delete(oldest);
  };
  return {
    of,
    answered(key, milliseconds, now) {
      const before = of(key, now);
      set(key, before === undefined ? milliseconds : before + newest * (milliseconds - before), now);
    },
    failed(key, milliseconds, now) {
      set(key, penalty * Math.max(of(key, now) ?? 0, milliseconds, 1), now);
    },
  };
}
