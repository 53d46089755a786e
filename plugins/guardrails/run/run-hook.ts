import { writtenInstant } from "../../../core/index.ts";
import type { Hook, HookCheck } from "../hook.ts";
import type { Planned } from "../plan.ts";
import { feedbackFor } from "./feedback.ts";
import { type CheckEntry, type HookEntry, isGood } from "./results.ts";
import { type Around, type CheckOutcome, runCheck } from "./run-check.ts";
import type { Subject } from "./subject.ts";

/** What a guardrail came to, and the subject as it left it. */
export interface HookOutcome {
  readonly planned: Planned;
  readonly entry: HookEntry;
  readonly subject: Subject;
}

/** Runs a guardrail: its checks beside each other on the same subject, or one after the other on what the one before left. */
export function runHook(planned: Planned, subject: Subject, around: Around): HookOutcome | Promise<HookOutcome> {
  const { hook } = planned;
  const began = performance.now();
  const created = writtenInstant(Date.now());
  const checks = applicable(hook, subject);
  const inTurn = hook.sequential || hook.type === "mutator";
  const ran = inTurn ? inOrder(checks, planned, subject, around) : together(checks, planned, subject, around);
  return ran instanceof Promise
    ? ran.then((one) => concluded(planned, one, created, began))
    : concluded(planned, ran, created, began);
}

function concluded(planned: Planned, { entries, subject }: Ran, created: string, began: number): HookOutcome {
  return { planned, entry: hookEntry(planned.hook, entries, created, performance.now() - began), subject };
}

/** Whether a request meets a guardrail at all: some are sent on unread, and what is embedded is never changed. */
export const isMet = ({ hook }: Planned, subject: Subject): boolean =>
  (isGuarded(subject.request.operation) || applicable(hook, subject).length > 0) &&
  !(hook.type === "mutator" && subject.request.operation === "embed");

/** Where the body is not read, only checks that need none are run. */
const applicable = ({ checks }: Hook, { request }: Subject): readonly HookCheck[] =>
  isGuarded(request.operation) ? checks : checks.filter(({ check }) => check?.bodiless);

export const isGuarded = (operation: string | undefined): boolean =>
  operation === "chat" || operation === "complete" || operation === "embed";

interface Ran {
  readonly entries: readonly CheckEntry[];
  readonly subject: Subject;
}

function together(
  checks: readonly HookCheck[],
  planned: Planned,
  subject: Subject,
  around: Around,
): Ran | Promise<Ran> {
  const outcomes: (CheckOutcome | Promise<CheckOutcome>)[] = [];
  let later = false;
  for (const check of checks) {
    const outcome = runCheck(check, planned, subject, around);
    later ||= outcome instanceof Promise;
    outcomes.push(outcome);
  }
  return later
    ? Promise.all(outcomes).then((all) => merged(all, subject))
    : merged(outcomes as CheckOutcome[], subject);
}

/** What several checks of one subject came to: their changes are made in the order of the checks. */
function merged(outcomes: readonly CheckOutcome[], subject: Subject): Ran {
  const entries: CheckEntry[] = [];
  let after = subject;
  for (const { entry, result, after: own } of outcomes) {
    entries.push(entry);
    // The first change has been made already.
    if (result) after = after === subject ? own : after.after(result);
  }
  return { entries, subject: after };
}

async function inOrder(checks: readonly HookCheck[], planned: Planned, subject: Subject, around: Around): Promise<Ran> {
  const entries: CheckEntry[] = [];
  let after = subject;
  for (const check of checks) {
    const outcome = await runCheck(check, planned, after, around);
    entries.push(outcome.entry);
    after = outcome.after;
  }
  return { entries, subject: after };
}

/** What a guardrail said, as it is written down. `took` and `streamDelay`: milliseconds. */
export function hookEntry(
  hook: Hook,
  checks: readonly CheckEntry[],
  created: string,
  took: number,
  streamDelay?: number,
): HookEntry {
  const verdict = hook.type === "mutator" || checks.every(isGood);
  const entry = {
    verdict,
    id: hook.id,
    transformed: checks.some(isTransformed),
    checks,
    feedback: feedbackFor(hook, checks),
    execution_time: Math.round(took),
    async: hook.async,
    type: hook.type,
    created_at: created,
    deny: hook.deny && !verdict,
  };
  return streamDelay === undefined ? entry : Object.assign(entry, { stream_delay: Math.round(streamDelay) });
}

const isTransformed = ({ transformed }: CheckEntry): boolean => transformed;
