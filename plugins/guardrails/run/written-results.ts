import { randomUUID } from "node:crypto";
import { AgedMap } from "../../../core/index.ts";
import type { CheckEntry, HookEntry } from "./results.ts";

/**
 * What guardrails said, as JSON.stringify writes it, in half its time: of what most entries say, only the data of checks and
 * the times are new. The rest is written once for each guardrail, each check, and each outcome they have; entries that
 * say more (an error, calls, feedback) are left to JSON.stringify.
 */
export const writtenResults = (before: readonly HookEntry[], after: readonly HookEntry[]): string =>
  `{"before_request_hooks":${listOf(before, hookText)},"after_request_hooks":${listOf(after, hookText)}}`;

function listOf<Entry>(entries: readonly Entry[], write: (entry: Entry) => string): string {
  let list = "";
  for (const entry of entries) list = list === "" ? write(entry) : `${list},${write(entry)}`;
  return `[${list}]`;
}

function hookText(entry: HookEntry): string {
  const { id, checks, verdict, transformed, async, type, deny, created_at } = entry;
  if (entry.feedback || entry.stream_delay !== undefined) return JSON.stringify(entry);
  const outcome =
    (verdict ? 1 : 0) | (transformed ? 2 : 0) | (deny ? 4 : 0) | (async ? 8 : 0) | (type === "mutator" ? 16 : 0);
  const [head, took, created, end] = frameOf(hookFrames, id, outcome, () =>
    Object.assign({}, entry, { checks: hole, execution_time: hole, created_at: hole }),
  );
  return `${head}${listOf(checks, checkText)}${took}${entry.execution_time}${created}"${created_at}"${end}`;
}

function checkText(entry: CheckEntry): string {
  const { id, data, verdict, transformed, fail_on_error, created_at } = entry;
  // What is no JSON is no member.
  const shown = JSON.stringify(data) as string | undefined;
  if (entry.error || entry.log || shown === undefined) return JSON.stringify(entry);
  const outcome = (verdict ? 1 : 0) | (transformed ? 2 : 0) | (fail_on_error ? 4 : 0);
  const [head, took, created, end] = frameOf(checkFrames, id, outcome, () =>
    Object.assign({}, entry, { data: hole, execution_time: hole, created_at: hole }),
  );
  return `${head}${shown}${took}${entry.execution_time}${created}"${created_at}"${end}`;
}

/** What stands around three values of an entry. */
type Frame = readonly string[];
type Frames = AgedMap<string, Frame[]>;

/** Where a value belongs. Nobody can have written it: it is new in every process. */
const hole = `value-${randomUUID()}`;

/** By id, and by outcome. Ids of guardrails are whatever configs call them. */
const hookFrames: Frames = new AgedMap();
const checkFrames: Frames = new AgedMap();
const mostKnown = 1_000;

function frameOf(frames: Frames, id: string, outcome: number, holed: () => object): Frame {
  let known = frames.get(id);
  if (!known) {
    known = [];
    frames.set(id, known);
    if (frames.size > mostKnown) frames.shift();
  }
  known[outcome] ??= JSON.stringify(holed()).split(`"${hole}"`);
  return known[outcome];
}
