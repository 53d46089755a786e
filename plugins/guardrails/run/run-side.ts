import type { Planned } from "../plan.ts";
import type { Surroundings } from "./run-check.ts";
import { type HookOutcome, isMet, runHook } from "./run-hook.ts";
import type { Subject } from "./subject.ts";

type Around = Omit<Surroundings, "hook" | "trusted">;

/** What the guardrails of one side came to, those that somebody waits for. */
export interface SideOutcome {
  readonly outcomes: readonly HookOutcome[];
  readonly subject: Subject;
}

/**
 * Runs guardrails beside each other, and mutators after them, one by one. Where several changed the subject, all but the
 * first are run again on what the ones before left: a change is never undone by another one that did not see it.
 */
export function runSide(
  planned: readonly Planned[],
  subject: Subject,
  around: Around,
): SideOutcome | Promise<SideOutcome> {
  const waited = planned.filter((one) => !one.hook.async && isMet(one, subject));
  const guardrails = waited.filter(({ hook }) => hook.type === "guardrail");
  const mutators = waited.filter(({ hook }) => hook.type === "mutator");
  const outcomes = guardrails.map((one) => runHook(one, subject, around));
  if (mutators.length === 0 && !outcomes.some((one) => one instanceof Promise)) {
    const changing = (outcomes as HookOutcome[]).filter((one) => one.subject !== subject);
    const [only] = changing;
    if (changing.length <= 1) return { outcomes: outcomes as HookOutcome[], subject: only?.subject ?? subject };
  }
  return inTurn(outcomes, mutators, subject, around);
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
  if (outcomes.some(({ entry }) => entry.deny)) return { outcomes, subject: after };
  for (const mutator of mutators) {
    const outcome = await runHook(mutator, after, around);
    outcomes.push(outcome);
    after = outcome.subject;
  }
  return { outcomes, subject: after };
}
