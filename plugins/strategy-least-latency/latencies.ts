import { AgedMap } from "../../core/index.ts";

/** How fast targets answered of late, in milliseconds. Times are Unix milliseconds. */
export interface Latencies {
  /** Undefined of a target nobody asked for a while. */
  of(key: string, now: number): number | undefined;
  /**
   * How long an answer takes at least, as far as is known: as long as of late, or as long as a target that is being asked has
   * kept silent, whichever is longer. Undefined of one nobody asked for a while.
   */
  expected(key: string, now: number): number | undefined;
  /** Whether a target has answered nothing of late, and more than once refused, failed or kept silent: there is nothing to wait for. */
  refuses(key: string, now: number): boolean;
  /** Whether a call of it is under way, of which nobody knows yet how it goes. */
  isAsked(key: string): boolean;
  /** A call begins; what is returned ends it. */
  asked(key: string, now: number): () => void;
  answered(key: string, milliseconds: number, now: number): void;
  /** A failure is no measurement, however fast it is, but it makes a target look slower than it was. */
  failed(key: string, milliseconds: number, now: number): void;
  /** Whoever refuses may be right, and is fast at it: that is no measurement. */
  refused(key: string, now: number): void;
  /**
   * Nobody waited any longer, as the client had left or another target had won: it would have taken more than that, and has not failed.
   * Of one that was never measured that says something only where the fastest of the others takes less (`others`, in milliseconds).
   */
  left(key: string, milliseconds: number, now: number, others: number | undefined): void;
}

interface Measured {
  /** Undefined where nothing was answered. */
  readonly mean?: number;
  readonly at: number;
  readonly refusals: number;
}

/** Refusals after which a target that was never measured is not asked before others any more. */
const mostRefusals = 3;

/** What a new measurement counts against all before it. */
const newest = 0.3;
/** How much slower a target looks for having failed. */
const penalty = 2;
/** No target looks slower than this, so that a few good answers bring it back. */
const slowest = 120_000;

export function latencies(forgetAfter: number, most: number): Latencies {
  const known = new AgedMap<string, Measured>();
  /** When the calls under way began, the oldest first. */
  const underWay = new Map<string, Set<{ readonly began: number }>>();
  const at = (key: string, now: number): Measured | undefined => {
    const found = known.get(key);
    return found && now - found.at < forgetAfter ? found : undefined;
  };
  const of = (key: string, now: number): number | undefined => at(key, now)?.mean;
  const keep = (key: string, measured: Measured): void => {
    known.set(key, measured);
    const { oldest } = known;
    if (known.size > most && oldest !== undefined) known.delete(oldest);
  };
  const set = (key: string, mean: number, now: number): void =>
    keep(key, { mean: Math.min(mean, slowest), at: now, refusals: 0 });
  const silence = (key: string, { at: heard }: Measured, now: number): number => {
    for (const { began } of underWay.get(key) ?? []) return now - Math.max(began, heard);
    return 0;
  };
  const all: Latencies = {
    of,
    expected(key, now) {
      const found = at(key, now);
      return found?.mean === undefined ? undefined : Math.max(found.mean, silence(key, found, now));
    },
    refuses(key, now) {
      const found = at(key, now);
      return found !== undefined && found.mean === undefined && found.refusals >= mostRefusals;
    },
    isAsked: (key) => underWay.has(key),
    asked(key, now) {
      const calls = underWay.get(key) ?? new Set();
      const call = { began: now };
      underWay.set(key, calls.add(call));
      return () => {
        if (calls.delete(call) && calls.size === 0) underWay.delete(key);
      };
    },
    answered(key, milliseconds, now) {
      const before = of(key, now);
      set(key, before === undefined ? milliseconds : before + newest * (milliseconds - before), now);
    },
    failed(key, milliseconds, now) {
      const mean = of(key, now);
      if (mean === undefined) all.refused(key, now);
      else set(key, penalty * Math.max(mean, milliseconds, 1), now);
    },
    refused(key, now) {
      const found = at(key, now);
      if (found?.mean === undefined) keep(key, { at: now, refusals: (found?.refusals ?? 0) + 1 });
    },
    left(key, milliseconds, now, others) {
      const mean = of(key, now);
      if (mean === undefined) {
        if (others !== undefined && milliseconds >= others) all.refused(key, now);
      } else if (milliseconds > mean) set(key, milliseconds, now);
    },
  };
  return all;
}
