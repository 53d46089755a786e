import type { Scenario, Subject } from "./scenarios.ts";
import type { BenchRow } from "./table.ts";
import type { Measured, Round } from "./turns.ts";

/** A gateway, and the relay that took turns with it. */
export interface Pair {
  readonly subject: Subject;
  readonly gateway: Measured;
  readonly relay: Measured;
}

/** The rows of a scenario: the relay in all of its rounds, and each gateway next to the rounds of the relay beside it. */
export function rowsOf(what: Scenario, relay: Subject, pairs: readonly Pair[]): BenchRow[] {
  const relays = pairs.map((pair) => pair.relay);
  const whole: Measured = {
    rounds: relays.flatMap(({ rounds }) => rounds),
    rssBefore: relays[0]?.rssBefore ?? 0,
    rssAfter: relays.at(-1)?.rssAfter ?? 0,
  };
  const all: readonly Pair[] = [{ subject: relay, gateway: whole, relay: whole }, ...pairs];
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

const medianOf = (rounds: readonly Round[]): Round => middleOf(rounds, ({ cpu }) => cpu);

function middleOf<Value>(all: readonly Value[], by: (value: Value) => number): Value {
  const sorted = [...all].sort((left, right) => by(left) - by(right));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("nothing was measured");
  return middle;
}
