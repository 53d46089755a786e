import type { Planned } from "../plan.ts";
import type { Around } from "./run-check.ts";
import { type HookOutcome, isMet, runHook } from "./run-hook.ts";
import type { Subject } from "./subject.ts";

/** What the guardrails of one side came to, those that somebody waits for. */
export interface SideOutcome {
  readonly outcomes: readonly HookOutcome[];
  readonly subject: Subject;
}

/**
 * Runs guardrails beside each other, and mutators after them, one by one. Where several changed the subject, all but the
 * first are run again on what the ones before left: a change is never undone by another one that did not see it. What is
 * enforced judges what the others have left as well: nobody gets around it by a change of their own.
 */
export function runSide(
  planned: readonly Planned[],
  subject: Subject,
  around: Around,
): SideOutcome | Promise<SideOutcome> {
  const outcomes: (HookOutcome | Promise<HookOutcome>)[] = [];
  const mutators: Planned[] = [];
  let after = subject;
  let inOneGo = true;
  let changedByOthers = false;
  for (const one of planned) {
    if (one.hook.async || !isMet(one, subject)) continue;
    if (one.hook.type === "mutator") {
      mutators.push(one);
      continue;
    }
    const outcome = runHook(one, subject, around);
    outcomes.push(outcome);
    if (outcome instanceof Promise || (outcome.subject !== subject && after !== subject)) inOneGo = false;
    else if (outcome.subject !== subject) {
      after = outcome.subject;
      changedByOthers = !one.enforced;
    }
  }
  if (inOneGo && mutators.length === 0 && !(changedByOthers && planned.some(isEnforced)))
    return { outcomes: outcomes as HookOutcome[], subject: after };
  return inTurn(outcomes, mutators, subject, around).then((left) => judgedAgain(left, around));
}

const isEnforced = ({ enforced, hook }: Planned): boolean => enforced === true && !hook.async;
const denies = ({ entry }: HookOutcome): boolean => entry.deny;

/** Has what is enforced look at what others have made of its subject. Of each the verdict counts that is the worse one. */
async function judgedAgain(left: SideOutcome, around: Around): Promise<SideOutcome> {
  const { outcomes } = left;
  const changed = outcomes.some(({ planned, entry }) => !planned.enforced && entry.transformed);
  if (!changed || !outcomes.some(({ planned }) => isEnforced(planned)) || outcomes.some(denies)) return left;
  const judged: HookOutcome[] = [];
  let { subject } = left;
  for (const outcome of outcomes) {
    const again = isEnforced(outcome.planned) ? await runHook(outcome.planned, subject, around) : outcome;
    if (again !== outcome) subject = again.subject;
    judged.push(again.entry.verdict && !again.entry.transformed ? outcome : again);
  }
  return { outcomes: judged, subject };
}

async function inTurn(
  started: readonly (HookOutcome | Promise<HookOutcome>)[],
  mutators: readonly Planned[],
  subject: Subject,
  around: Around,
): Promise<SideOutcome> {
  const outcomes = [...(await Promise.all(started))];
  let after = subject;
  for (const outcome of outcomes) {
    if (outcome.subject === subject) continue;
    after = after === subject ? outcome.subject : (await runHook(outcome.planned, after, around)).subject;
  }
  // Nobody changes what is denied.
  if (outcomes.some(denies)) return { outcomes, subject: after };
  for (const mutator of mutators) {
    const outcome = await runHook(mutator, after, around);
    outcomes.push(outcome);
    after = outcome.subject;
  }
  return { outcomes, subject: after };
}
