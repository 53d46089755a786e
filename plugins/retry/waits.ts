import { type Outcome, retryAfterOf, type Walk } from "../../core/index.ts";
import type { RetryPolicy } from "./policy.ts";
import { isGuardrailStatus } from "./retryable.ts";

const firstWait = 1000;
/** What a leaf may wait because upstreams ask for it, all retries together. */
const allowance = 60_000;

const tooManyRequests = 429;

/** Tells the wait before each retry of a leaf; undefined when it would be too long (routing-config.md 8.3, 8.4). */
export function waitsOf(policy: RetryPolicy, walk: Walk): (outcome: Outcome, retry: number) => number | undefined {
  let left = allowance;
  return (outcome, retry) => {
    // An answer that was only not good enough may be asked for again at once (8.5).
    if (isGuardrailStatus(outcome)) return 0;
    const asked =
      policy.retryAfter && outcome.status === tooManyRequests ? retryAfterOf(outcome.headers, walk.now()) : undefined;
    if (asked === undefined) return backoff(retry, policy, walk);
    if (asked >= allowance || asked > left) return undefined;
    left -= asked;
    return asked;
  };
}

/** Twice as long each time: 1, 2, 4, 8, 16 seconds. With jitter, a moment in the upper half of it. */
function backoff(retry: number, { jitter }: RetryPolicy, walk: Walk): number {
  const full = firstWait * 2 ** (retry - 1);
  return jitter ? Math.round(full / 2 + (walk.random() * full) / 2) : full;
}
