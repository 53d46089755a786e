import {
  type Attempt,
  CountersError,
  type CountersService,
  callsOf,
  type Exchange,
  groupOf,
  type Logger,
  type Settlement,
  type SureCounters,
  totalTokens,
} from "../../core/index.ts";
import { expiryOf, placed } from "./claims.ts";
import type { RateRule } from "./rules.ts";
import { type Taken, takenAtAdmission, takenAtTarget } from "./taken.ts";

export interface SettlingInput {
  readonly sliding: boolean;
  readonly log: Logger;
}

/** What a turn of a session used is counted in the windows it ends in; the request was counted with the session. */
export function countingTurns({ counters, sliding, log }: SettlingInput & { readonly counters: SureCounters }) {
  return async (exchange: Exchange, rules: readonly RateRule[]): Promise<void> => {
    const tokens = tokensOf(exchange.attempts);
    const by = counters.store;
    const now = counters.now();
    const entries = rules
      .filter(({ type }) => type === "tokens")
      .map((rule) => placed(rule, now))
      .map((place) => ({ key: place.key, amount: tokens, expiresAt: expiryOf(place, sliding) }));
    if (tokens > 0n && entries.length > 0) await told(log, by, groupOf(exchange), entries);
  };
}

/** What a request used is counted when it is over, and what was held for it let go (policies.md section 5.4). */
export function settling({ sliding, log }: SettlingInput) {
  return (exchange: Exchange): undefined | Promise<unknown> => {
    const { attempts } = exchange;
    let work: Promise<unknown>[] | undefined;
    const admitted = takenAtAdmission.get(exchange);
    if (admitted) work = and(work, settled(admitted, tokensOf(attempts), 0));
    const original = exchange.role === "shadow" ? originalOf(exchange) : undefined;
    if (original) work = and(work, copied(original, tokensOf(attempts)));
    for (let at = 0; at < attempts.length; at++) {
      const taken = takenAtTarget.get(attempts[at] as Attempt);
      if (!taken) continue;
      const calls = callsOf(attempts, at);
      work = and(work, settled(taken, tokensOf(calls), calls.length - 1));
    }
    return work && Promise.all(work);
  };

  /** A copy of a request was let in with it, and uses tokens as the request does. */
  function copied({ by, group, tokens: rules }: Taken, tokens: bigint): undefined | Promise<unknown> {
    if (tokens === 0n || rules.length === 0) return undefined;
    const now = by.now();
    const places = rules.map(({ rule }) => placed(rule, now));
    return told(
      log,
      by,
      group,
      places.map((place) => ({ key: place.key, amount: tokens, expiresAt: expiryOf(place, sliding) })),
    );
  }

  function settled(taken: Taken, tokens: bigint, retries: number): undefined | Promise<unknown> {
    const { by, group, hold } = taken;
    const now = by.now();
    const entries = entriesOf(taken, tokens, retries, now, hold);
    if (entries.length === 0) return undefined;
    // Budgets are settled under the same ids.
    return told(log, by, group, entries, by.shared === "process" ? undefined : `rate ${hold}`);
  }

  function entriesOf(taken: Taken, tokens: bigint, retries: number, now: number, hold: string): Settlement[] {
    const entries: Settlement[] = [];
    for (const held of taken.tokens) {
      const current = placed(held.rule, now);
      const expiresAt = expiryOf(current, sliding);
      if (current.key === held.key) {
        entries.push({ key: held.key, amount: tokens, expiresAt, hold });
        continue;
      }
      // Tokens count in the window in which the answer ends.
      entries.push({ key: held.key, amount: 0n, expiresAt: expiryOf(held, sliding), hold });
      if (tokens > 0n) entries.push({ key: current.key, amount: tokens, expiresAt });
    }
    if (retries === 0) return entries;
    for (const rule of taken.requests) {
      const current = placed(rule, now);
      entries.push({ key: current.key, amount: BigInt(retries), expiresAt: expiryOf(current, sliding) });
    }
    return entries;
  }
}

function told(
  log: Logger,
  by: CountersService,
  group: string,
  entries: readonly Settlement[],
  once?: string,
): undefined | Promise<unknown> {
  const done = by.settle(group, entries, once);
  if (!(done instanceof Promise)) return undefined;
  return done.then(ignore, (error: unknown) => {
    // The windows of a store that was away begin anew (policies.md section 12.3, row 34).
    if (!(error instanceof CountersError)) throw error;
    log.debug("tokens were not counted: the store of the counters cannot be asked", { error });
  });
}

/** What nobody reported counts as nothing: a limit cannot be reached by what is not known. */
function tokensOf(attempts: readonly Attempt[]): bigint {
  let tokens = 0;
  for (const { usage } of attempts) tokens += totalTokens(usage) ?? 0;
  return BigInt(tokens);
}

/** Most requests have nothing to wait for: no list is made for them. */
function and(work: Promise<unknown>[] | undefined, more: undefined | Promise<unknown>): Promise<unknown>[] | undefined {
  if (!more) return work;
  if (!work) return [more];
  work.push(more);
  return work;
}

/** What the request was let in with that an exchange is a copy of. */
function originalOf({ trunk }: Exchange): Taken | undefined {
  for (let at = trunk; at; at = at.trunk) {
    const taken = takenAtAdmission.get(at);
    if (taken) return taken;
  }
  return undefined;
}

function ignore(): undefined {}
