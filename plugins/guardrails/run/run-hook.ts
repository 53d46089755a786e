import type { CheckResult } from "../../../core/index.ts";
import type { Hook, HookCheck } from "../hook.ts";
import type { Planned } from "../plan.ts";
import { feedbackFor } from "./feedback.ts";
import { type CheckEntry, type HookEntry, isGood } from "./results.ts";
import { type CheckOutcome, runCheck, type Surroundings } from "./run-check.ts";
import type { Subject } from "./subject.ts";

/** What a guardrail came to, and the subject as it left it. */
export interface HookOutcome {
  readonly planned: Planned;
  readonly entry: HookEntry;
  readonly subject: Subject;
}

type Around = Omit<Surroundings, "hook" | "trusted">;

/** Runs a guardrail: its checks beside each other on the same subject, or one after the other on what the one before left. */
export function runHook(planned: Planned, subject: Subject, around: Around): HookOutcome | Promise<HookOutcome> {
  const { hook, trusted } = planned;
  const began = performance.now();
  const created = new Date().toISOString();
  const surroundings = { ...around, hook, trusted };
  const concluded = ({ entries, subject: after }: Ran): HookOutcome => ({
    planned,
    entry: hookEntry(hook, entries, created, performance.now() - began),
    subject: after,
  });
  const checks = applicable(hook, subject);
  const ran =
    hook.sequential || hook.type === "mutator"
      ? inOrder(checks, subject, surroundings)
      : together(checks, subject, surroundings);
  return ran instanceof Promise ? ran.then(concluded) : concluded(ran);
}

/** Whether a request meets a guardrail at all: some are sent on unread, and what is embedded is never changed. */
export const isMet = ({ hook }: Planned, subject: Subject): boolean =>
  (isGuarded(subject.request.operation) || applicable(hook, subject).length > 0) &&
  !(hook.type === "mutator" && subject.request.operation === "embed");

/** Where the body is not read, only checks that need none are run. */
const applicable = ({ checks }: Hook, { request }: Subject): readonly HookCheck[] =>
  isGuarded(request.operation) ? checks : checks.filter(({ check }) => check?.bodiless);

const isGuarded = (operation: string | undefined): boolean =>
  operation === "chat" || operation === "complete" || operation === "embed";

interface Ran {
  readonly entries: readonly CheckEntry[];
  readonly subject: Subject;
}

function together(checks: readonly HookCheck[], subject: Subject, around: Surroundings): Ran | Promise<Ran> {
  const outcomes = checks.map((check) => runCheck(check, subject, around));
  const concluded = (all: readonly CheckOutcome[]): Ran => ({
    entries: all.map(({ entry }) => entry),
    subject: all.reduce((after, { result }) => changedBy(after, result), subject),
  });
  return outcomes.some((one) => one instanceof Promise)
    ? Promise.all(outcomes).then(concluded)
    : concluded(outcomes as CheckOutcome[]);
}

async function inOrder(checks: readonly HookCheck[], subject: Subject, around: Surroundings): Promise<Ran> {
  const entries: CheckEntry[] = [];
  let after = subject;
  for (const check of checks) {
    const { entry, result } = await runCheck(check, after, around);
    entries.push(entry);
    after = changedBy(after, result);
  }
  return { entries, subject: after };
}

const changedBy = (subject: Subject, result: CheckResult | undefined): Subject =>
  result ? subject.after(result) : subject;

export function hookEntry(
  hook: Hook,
  checks: readonly CheckEntry[],
  created: string,
  took: number,
  more: Partial<HookEntry> = {},
): HookEntry {
  const verdict = hook.type === "mutator" || checks.every(isGood);
  return {
    verdict,
    id: hook.id,
    transformed: checks.some(({ transformed }) => transformed),
    checks,
    feedback: feedbackFor(hook, checks),
    execution_time: Math.round(took),
    async: hook.async,
    type: hook.type,
    created_at: created,
    deny: hook.deny && !verdict,
    ...more,
  };
}
