import type { Outcome, Route, Target, Walk } from "../../core/index.ts";
import type { RetryPolicy } from "./policy.ts";
import { isRetryable, isSilence } from "./retryable.ts";
import { waitsOf } from "./waits.ts";

/** Said in place of a number when a leaf ends on something that would still be retried. */
const exhausted = -1;

/** Calls a target again while that may help, no more often than its policy says (routing-config.md section 8). */
export function* retrying(target: Target, policy: RetryPolicy, walk: Walk, inner: (target: Target) => Route): Route {
  const { attempts, statuses } = policy;
  const waitBefore = waitsOf(policy, walk);
  let next = target;
  let made = 0;
  for (let retries = 0; ; retries++) {
    const outcome = yield* inner(next);
    if (retries > 0 && !outcome.unsent) made++;
    // Whoever kept silent would let the client wait as long again: what else there is comes first.
    const isOver = !isRetryable(outcome, statuses) || (isSilence(outcome) && walk.alternatives);
    if (isOver || attempts === 0) return counted(outcome, made);
    const delayMs = retries < attempts ? waitBefore(outcome, retries + 1) : undefined;
    if (delayMs === undefined) return counted(outcome, exhausted);
    walk.note(target.path, `answered ${outcome.status}: retry ${retries + 1} of ${attempts} after ${delayMs} ms`);
    next = { ...target, retry: true, delayMs };
  }
}

/** Not a literal that begins with a spread: each of those has a hidden class of its own. */
const counted = (outcome: Outcome, retries: number): Outcome => Object.assign({ retries }, outcome, { retries });
