import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./load.ts";
import { type BenchProcess, canPin, pin, startProcess } from "./processes.ts";
import { type Scenario, type Subject, scenariosFor, subjects } from "./scenarios.ts";
import { type BenchReport, type BenchRow, table } from "./table.ts";

export interface BenchOptions {
  /** More requests per round make steadier numbers. */
  readonly scale?: string;
  readonly rounds?: string;
  readonly json?: boolean;
}

/** `sluice bench`: every subject against the bare relay, interleaved in one run, the median round of each. */
export async function bench(options: BenchOptions): Promise<void> {
  const scale = Number(options.scale ?? 1);
  const rounds = Number(options.rounds ?? 3);
  pin(process.pid, 0);
  const upstream = await startProcess("upstream", [], 0);
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  const rows: BenchRow[] = [];
  const running = await Promise.all(
    subjects.map(async (subject) => {
      const child = await processFor(subject, upstream.port, folder);
      return { subject, child, headers: await subject.prepare?.(`http://127.0.0.1:${child.port}`) };
    }),
  );
  try {
    for (let index = 0; index < scenariosFor("openai", scale).length; index++) {
      const measured: Measured[] = [];
      for (const one of running) {
        const { subject, child, headers } = one;
        measured.push({ one, rounds: [], rssBefore: await child.read("memory"), rssAfter: 0 });
        await load(child.port, subject, warmUp(scenario(subject, index, scale)), headers);
      }
      for (let round = 0; round < rounds; round++)
        for (const found of measured)
          found.rounds.push(await measure(found.one, scenario(found.one.subject, index, scale)));
      for (const found of measured) found.rssAfter = await found.one.child.read("memory");
      rows.push(...rowsOf(scenario(running[0]?.subject, index, scale), measured));
    }
  } finally {
    for (const { child } of running) child.stop();
    upstream.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const [core] = cpus();
  const report: BenchReport = {
    machine: { cpu: core?.model ?? "unknown", cores: cpus().length, node: process.version, pinned: canPin },
    rows,
  };
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : table(report));
}

/** Each gateway has a folder of its own for what it keeps. */
const processFor = (subject: Subject, upstreamPort: number, folder: string): Promise<BenchProcess> =>
  subject.config
    ? startProcess("gateway", [subject.config(upstreamPort), mkdtempSync(join(folder, "gateway-"))], 1)
    : startProcess("relay", [String(upstreamPort)], 1);

function scenario(subject: Subject | undefined, index: number, scale: number): Scenario {
  const found = scenariosFor(subject?.format ?? "openai", scale)[index];
  if (!found) throw new Error(`there is no scenario ${index}`);
  return found;
}

/** Until the just-in-time compiler has come to rest: its threads count as CPU of the process, and they outweigh a request. */
const warmUp = (whole: Scenario): Scenario => ({ ...whole, requests: whole.requests * 3 });

/** While others were measured the process was idle, and put away what it had made ready for its load. */
const leadIn = (whole: Scenario): Scenario => ({ ...whole, requests: whole.requests / 4 });

interface Measurement {
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
}

/** Of one subject in one scenario. */
interface Measured {
  readonly one: Running;
  readonly rounds: Measurement[];
  readonly rssBefore: number;
  rssAfter: number;
}

interface Running {
  readonly subject: Subject;
  readonly child: BenchProcess;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

async function measure({ child, subject, headers }: Running, what: Scenario): Promise<Measurement> {
  await load(child.port, subject, leadIn(what), headers);
  const before = await child.read("cpu");
  const { latencies } = await load(child.port, subject, what, headers);
  const after = await child.read("cpu");
  const sorted = [...latencies].sort((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { cpu: (after - before) / what.requests, p50: at(0.5), p99: at(0.99) };
}

/** The median round by CPU, and its ratio to the relay's. */
function rowsOf(what: Scenario, measured: readonly Measured[]): BenchRow[] {
  const medians = measured.map((found) => ({ ...found, subject: found.one.subject, median: medianOf(found.rounds) }));
  const relay = medians.find(({ subject }) => !subject.config)?.median;
  return medians.map(({ subject, median, rssBefore, rssAfter }) => ({
    scenario: what.name,
    subject: subject.name,
    cpuMicroseconds: median.cpu,
    ratio: relay ? median.cpu / relay.cpu : Number.NaN,
    ...(what.chunks !== undefined && { cpuPerChunk: median.cpu / what.chunks }),
    addedP50: median.p50 - (relay?.p50 ?? 0),
    addedP99: median.p99 - (relay?.p99 ?? 0),
    rssBefore,
    rssAfter,
  }));
}

function medianOf(all: readonly Measurement[]): Measurement {
  const sorted = [...all].sort((left, right) => left.cpu - right.cpu);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error("nothing was measured");
  return middle;
}
