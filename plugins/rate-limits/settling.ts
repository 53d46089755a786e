import {
  type Attempt,
  CountersError,
  callsOf,
  type Exchange,
  type Logger,
  type Settlement,
  totalTokens,
} from "../../core/index.ts";
import { expiryOf, placed } from "./claims.ts";
import { type Taken, takenAtAdmission, takenAtTarget } from "./taken.ts";

export interface SettlingInput {
  readonly sliding: boolean;
  readonly log: Logger;
}

/** What a request used is counted when it is over, and what was held for it let go (policies.md section 5.4). */
export function settling({ sliding, log }: SettlingInput) {
  return (exchange: Exchange): undefined | Promise<undefined> => {
    const work: (undefined | Promise<unknown>)[] = [];
    const admitted = takenAtAdmission.get(exchange);
    if (admitted) work.push(settled(admitted, tokensOf(exchange.attempts), 0));
    for (const [at, attempt] of exchange.attempts.entries()) {
      const taken = takenAtTarget.get(attempt);
      if (!taken) continue;
      const calls = callsOf(exchange.attempts, at);
      work.push(settled(taken, tokensOf(calls), calls.length - 1));
    }
    if (work.some((one) => one instanceof Promise)) return Promise.all(work).then(ignore);
    return undefined;
  };

  function settled(taken: Taken, tokens: bigint, retries: number): undefined | Promise<unknown> {
    const { by, group, hold } = taken;
    const now = by.now();
    const entries = entriesOf(taken, tokens, retries, now, hold);
    if (entries.length === 0) return undefined;
    const done = by.settle(group, entries, hold);
    if (!(done instanceof Promise)) return undefined;
    return done.then(ignore, (error: unknown) => {
      // The windows of a store that was away begin anew (policies.md section 12.3, row 34).
      if (!(error instanceof CountersError)) throw error;
      log.debug("tokens were not counted: the store of the counters cannot be asked", { error });
    });
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

/** What nobody reported counts as nothing: a limit cannot be reached by what is not known. */
function tokensOf(attempts: readonly Attempt[]): bigint {
  let tokens = 0;
  for (const { usage } of attempts) tokens += totalTokens(usage) ?? 0;
  return BigInt(tokens);
}

function ignore(): undefined {}
