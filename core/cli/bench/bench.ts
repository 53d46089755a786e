import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandResult, failed, succeeded } from "../command-result.ts";
import { canPin, pin, startProcess } from "./processes.ts";
import { type Pair, rowsOf } from "./rows.ts";
import { type Subject, scenariosFor, subjects } from "./scenarios.ts";
import { type BenchReport, table } from "./table.ts";
import { translated } from "./translated.ts";
import { inTurns, type Running, scenarioOf } from "./turns.ts";
import { startUpstream } from "./upstream.ts";

export interface BenchOptions {
  /** More requests per round make steadier numbers. */
  readonly scale?: string;
  readonly rounds?: string;
  readonly takes?: string;
  /** A part of the names of the gateways to measure. */
  readonly only?: string;
  /** Every format before every other, instead of the usual gateways. */
  readonly pairs?: boolean;
  readonly json?: boolean;
}

/**
 * `sluice bench`: each gateway in turns with the bare relay, one pair after the other. Both are started anew for each take:
 * a process is up to a fifth faster or slower than another of the same program, for as long as it lives.
 */
export async function bench(options: BenchOptions): Promise<CommandResult> {
  const scale = Number(options.scale ?? 1);
  const rounds = Number(options.rounds ?? 2);
  const takes = Number(options.takes ?? 3);
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY))
    return failed(`--scale "${options.scale}" is no number above 0`);
  for (const [name, count] of Object.entries({ rounds, takes }))
    if (!Number.isInteger(count) || count < 1) return failed(`--${name} is a whole number, at least 1`);
  const [bare, ...usual] = subjects;
  const all = options.pairs ? translated : usual;
  const gateways = all.filter(({ name }) => name.includes(options.only ?? ""));
  if (gateways.length === 0)
    return failed(`--only "${options.only}" is in none of ${all.map(({ name }) => `"${name}"`).join(", ")}`);
  pin(process.pid, 0);
  const upstream = await startUpstream();
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  const pairs: Pair[][] = scenariosFor(bare.format, scale).map(() => []);
  const measure = async (subject: Subject) => {
    const both = [await running(bare, upstream.port, folder), await running(subject, upstream.port, folder)];
    try {
      for (const [index, found] of pairs.entries()) {
        const [relay, gateway] = await inTurns(both, { index, scale, rounds });
        if (relay && gateway) found.push({ subject, gateway, relay });
      }
    } finally {
      for (const { child } of both) child.stop();
    }
  };
  try {
    for (const subject of gateways) for (let take = 0; take < takes; take++) await measure(subject);
  } finally {
    upstream.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const [core] = cpus();
  const report: BenchReport = {
    machine: { cpu: core?.model ?? "unknown", cores: cpus().length, node: process.version, pinned: canPin },
    rows: pairs.flatMap((found, index) => rowsOf(scenarioOf(bare, index, scale), bare, found)),
  };
  return succeeded(options.json ? JSON.stringify(report, null, 2) : table(report));
}

/** Each gateway has a folder of its own for what it keeps. */
async function running(subject: Subject, upstreamPort: number, folder: string): Promise<Running> {
  const child = subject.config
    ? await startProcess("gateway", [subject.config(upstreamPort), folderOf(subject, folder)], 1)
    : await startProcess("relay", [String(upstreamPort)], 1);
  return { subject, child, headers: await subject.prepare?.(`http://127.0.0.1:${child.port}`) };
}

function folderOf({ files = {} }: Subject, folder: string): string {
  const own = mkdtempSync(join(folder, "gateway-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text);
  return own;
}
