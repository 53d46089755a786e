import type { Scenario, Subject } from "./scenarios.ts";
import type { BenchRow } from "./table.ts";
import type { Measured, Round } from "./turns.ts";

/** A gateway, and the relay that took turns with it. */
export interface Pair {
  readonly subject: Subject;
  readonly gateway: Measured;
  readonly relay: Measured;
}

/**
 * The rows of a scenario, of which each gateway may have been measured several times: the relay in all of its rounds, and
 * each gateway next to the rounds of the relay beside it.
 */
export function rowsOf(what: Scenario, bare: Subject, pairs: readonly Pair[]): BenchRow[] {
  const relay = together(pairs.map((pair) => pair.relay));
  const all: Pair[] = [{ subject: bare, gateway: relay, relay }];
  for (const subject of new Set(pairs.map((pair) => pair.subject))) {
    const own = pairs.filter((pair) => pair.subject === subject);
    const [gateway, beside] = [own.map((pair) => pair.gateway), own.map((pair) => pair.relay)];
    all.push({ subject, gateway: together(gateway), relay: together(beside) });
  }
  return all.map(({ subject, gateway, relay: beside }) => {
    const own = medianOf(gateway.rounds);
    const others = medianOf(beside.rounds);
    const ratios = gateway.rounds.map(({ cpu }, round) => cpu / (beside.rounds[round]?.cpu ?? Number.NaN));
    return {
      scenario: what.name,
      subject: subject.name,
      cpuMicroseconds: own.cpu,
      ratio: middleOf(ratios, (ratio) => ratio),
      ...(what.chunks !== undefined && { cpuPerChunk: own.cpu / what.chunks }),
      addedP50: own.p50 - others.p50,
      addedP99: own.p99 - others.p99,
      rssBefore: gateway.rssBefore,
      rssAfter: gateway.rssAfter,
    };
  });
}

const together = (measured: readonly Measured[]): Measured => ({
  rounds: measured.flatMap(({ rounds }) => rounds),
  rssBefore: measured[0]?.rssBefore ?? 0,
  rssAfter: measured.at(-1)?.rssAfter ?? 0,
});

const medianOf = (rounds: readonly Round[]): Round => middleOf(rounds, ({ cpu }) => cpu);

function middleOf<Value>(all: readonly Value[], by: (value: Value) => number): Value {
  const sorted = [...all].sort((left, right) => by(left) - by(right));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("nothing was measured");
  return middle;
}
