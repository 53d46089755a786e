import type { Attempt, Exchange } from "../../../core/index.ts";

/** A target with its retries: what one record is about. */
export interface AttemptGroup {
  readonly first: Attempt;
  /** The one that counts. */
  readonly last: Attempt;
  /** How many calls it was. */
  readonly calls: number;
}

/** The attempts of an exchange by target, in the order they began; the one that answered stands last. */
export function groupsOf({ attempts, attempt: answering }: Pick<Exchange, "attempts" | "attempt">): AttemptGroup[] {
  const groups: AttemptGroup[] = [];
  for (const attempt of attempts) {
    const at = attempt.target.retry ? groups.findLastIndex(({ last }) => isSame(last, attempt)) : -1;
    const group = groups[at];
    if (group) groups[at] = { ...group, last: attempt, calls: group.calls + 1 };
    else groups.push({ first: attempt, last: attempt, calls: 1 });
  }
  const final = groups.findIndex(({ last }) => last === answering);
  if (final >= 0 && final < groups.length - 1) groups.push(...groups.splice(final, 1));
  return groups;
}

/** Attempts that run side by side are told apart by their lanes. */
const isSame = (one: Attempt, other: Attempt): boolean =>
  one.target.path === other.target.path && one.lane === other.lane;

/** 0: no retry was needed; n: the n-th one succeeded; -1: none did (observability.md section 4). */
export function retriesOf({ last, calls }: AttemptGroup): number {
  const { outcome } = last;
  if (outcome?.retries !== undefined) return outcome.retries;
  if (outcome?.ok) return calls - 1;
  return calls > 1 ? -1 : 0;
}
