import { load } from "./load.ts";
import type { BenchProcess } from "./processes.ts";
import { type Scenario, type Subject, scenariosFor } from "./scenarios.ts";

/** A subject whose process is up. */
export interface Running {
  readonly subject: Subject;
  readonly child: BenchProcess;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** One round: microseconds of CPU per request, and milliseconds at the median and at the 99th percentile. */
export interface Round {
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
}

/** Of one subject in one scenario. */
export interface Measured {
  readonly rounds: readonly Round[];
  /** Bytes of resident memory before anything was sent, and after all of it. */
  readonly rssBefore: number;
  readonly rssAfter: number;
}

export interface Turns {
  /** Of the scenarios, which each subject has in its own format. */
  readonly index: number;
  readonly scale: number;
  readonly rounds: number;
}

/**
 * Measures in turns, so that what the machine does meanwhile happens to all of them. There should be few: a process that
 * has nothing to do for some eight seconds puts away what it had made ready for its load.
 */
export async function inTurns(running: readonly Running[], { index, scale, rounds }: Turns): Promise<Measured[]> {
  const measured = [];
  for (const one of running) {
    const rssBefore = await one.child.read("memory");
    const what = scenarioOf(one.subject, index, scale);
    measured.push({ one, what, rssBefore, rounds: [] as Round[] });
    for (let round = 0; round < what.warmUp; round++) await send(one, what, 1);
  }
  for (let round = 0; round < rounds; round++)
    for (const found of measured) found.rounds.push(await measure(found.one, found.what));
  return Promise.all(
    measured.map(async ({ one, rssBefore, rounds }) => ({
      rounds,
      rssBefore,
      rssAfter: await one.child.read("memory"),
    })),
  );
}

export function scenarioOf({ format }: Subject, index: number, scale: number): Scenario {
  const found = scenariosFor(format, scale)[index];
  if (!found) throw new Error(`there is no scenario ${index}`);
  return found;
}

/** While others were measured the process was idle. */
const leadIn = 1 / 4;

const send = ({ child, subject, headers }: Running, what: Scenario, share: number) =>
  load(child.port, subject, { ...what, requests: what.requests * share }, headers);

async function measure(one: Running, what: Scenario): Promise<Round> {
  await send(one, what, leadIn);
  const before = await one.child.read("cpu");
  const { latencies } = await send(one, what, 1);
  const after = await one.child.read("cpu");
  const sorted = [...latencies].sort((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { cpu: (after - before) / what.requests, p50: at(0.5), p99: at(0.99) };
}
