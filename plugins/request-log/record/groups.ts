import type { Attempt, Exchange } from "../../../core/index.ts";

/** A target with its retries, up to an answer that was judged: what one record is about. */
export interface AttemptGroup {
  readonly first: Attempt;
  /** The request as the target is asked; retries are asked the same. */
  readonly asked: Attempt["asked"];
  /** The one that counts. */
  readonly last: Attempt;
  /** All of them, in order. */
  readonly attempts: readonly Attempt[];
}

/**
 * The attempts of an exchange by target, in the order they began; the one that answered stands last. Where an answer was
 * asked for again for what guardrails said of it, each is one of its own (routing-config.md section 8.5).
 */
export function groupsOf({ attempts, attempt: answering }: Pick<Exchange, "attempts" | "attempt">): AttemptGroup[] {
  const groups: AttemptGroup[] = [];
  for (const attempt of attempts) {
    const at = attempt.target.retry ? groups.findLastIndex(({ last }) => isSame(last, attempt)) : -1;
    const group = groups[at];
    const { asked = attempt.asked } = group ?? {};
    if (!group || isJudged(group.last)) groups.push({ first: attempt, asked, last: attempt, attempts: [attempt] });
    else groups[at] = { first: group.first, asked, last: attempt, attempts: [...group.attempts, attempt] };
  }
  const final = groups.findIndex(({ last }) => last === answering);
  if (final >= 0 && final < groups.length - 1) groups.push(...groups.splice(final, 1));
  return groups;
}

/** Attempts that run side by side are told apart by their lanes. */
const isSame = (one: Attempt, other: Attempt): boolean =>
  one.target.path === other.target.path && one.lane === other.lane;

/** The statuses of answers that a guardrail did not pass. */
const judged: ReadonlySet<number | undefined> = new Set([246, 446]);

const isJudged = ({ recordedStatus, outcome }: Attempt): boolean => judged.has(recordedStatus ?? outcome?.status);

/** 0: no retry was needed; n: the n-th one succeeded; -1: none did (observability.md section 4). */
export function retriesOf({ last, attempts }: AttemptGroup): number {
  const { outcome } = last;
  const calls = attempts.filter((attempt) => !attempt.outcome?.unsent).length;
  if (outcome?.retries !== undefined) return outcome.retries;
  if (outcome?.ok) return calls - 1;
  return calls > 1 ? -1 : 0;
}
