import { type Exchange, type HookResults, slot } from "../../core/index.ts";
import type { Side } from "./config/fields.ts";
import type { Guarding, Late } from "./guarding.ts";
import type { HookEntry } from "./run/results.ts";
import { withoutTaken } from "./run/unquoted.ts";

/** Whose results they are. Retries of a target have those of its input in common, and each its own of its answer. */
const guardingOf = slot<HookResults, Guarding>("guardrails under way");

/** With the attempt, too: what checks said of a target is nothing of the next one's record. */
export function keepResults(results: HookResults, guarding: Guarding, exchange: Exchange): void {
  if (guarding.later) guardingOf.set(results, guarding);
  exchange.hookResults = results;
  if (exchange.attempt) exchange.attempt.hookResults = results;
}

export const resultsOf = (before: readonly HookEntry[], after: readonly HookEntry[]): HookResults =>
  ({ before_request_hooks: before, after_request_hooks: after }) as unknown as HookResults;

/** What checks said in an exchange, of every target that was tried, those of a race among them; each once. */
export function resultsIn({ attempts, hookResults }: Exchange): ReadonlySet<HookResults> {
  const found = new Set<HookResults>();
  for (const attempt of attempts) if (attempt.hookResults) found.add(attempt.hookResults);
  if (hookResults) found.add(hookResults);
  return found;
}

/** Whether anything was said in it. */
export const hasResults = ({ attempts, hookResults }: Exchange): boolean =>
  hookResults !== undefined || attempts.some((attempt) => attempt.hookResults !== undefined);

/** Whether there are checks that nobody waited for. */
export const lingers = ({ attempts, hookResults }: Exchange): boolean =>
  waits(hookResults) || attempts.some((attempt) => waits(attempt.hookResults));

const waits = (results: HookResults | undefined): boolean =>
  results !== undefined && guardingOf.get(results) !== undefined;

/**
 * Waits for the last of those nobody waited for, at whichever target, and puts what they said with what the others did.
 * `judged` is told of each of them, once.
 */
export async function lastSaid(
  exchange: Exchange,
  judged: (side: Side, entries: readonly HookEntry[]) => void,
): Promise<void> {
  const inputs = new Map<Guarding, readonly HookEntry[]>();
  for (const results of resultsIn(exchange)) {
    const guarding = guardingOf.get(results);
    if (!guarding?.later) continue;
    const late = await Promise.all(guarding.later);
    const said = (side: Side) => late.filter((one) => one.side === side);
    if (!inputs.has(guarding)) {
      const input = said("input").map(entryOf);
      judged("input", input);
      judged("output", said("output").map(entryOf));
      inputs.set(guarding, guarding.told(input));
    }
    const isOwn = ({ attempt }: Late) => !attempt || attempt.hookResults === results;
    const output = said("output").filter(isOwn).map(entryOf);
    replace(results, withLate(results, inputs.get(guarding) ?? [], output), exchange);
  }
}

const entryOf = ({ entry }: Late): HookEntry => entry;

function withLate(results: HookResults, input: readonly HookEntry[], output: readonly HookEntry[]): HookResults {
  const before = results.before_request_hooks as unknown as readonly HookEntry[];
  const after = results.after_request_hooks as unknown as readonly HookEntry[];
  return resultsOf([...before, ...input], [...after, ...withoutTaken(output, after)]);
}

function replace(results: HookResults, by: HookResults, exchange: Exchange): void {
  if (exchange.hookResults === results) exchange.hookResults = by;
  for (const attempt of exchange.attempts) if (attempt.hookResults === results) attempt.hookResults = by;
}
