import {
  type Attempt,
  CountersError,
  type CountersService,
  callsOf,
  countedTokens,
  type Exchange,
  groupOf,
  type Logger,
  type Settlement,
  type SureCounters,
} from "../../core/index.ts";
import { expiryOf, type Placed, placed } from "./claims.ts";
import type { RateRule } from "./rules.ts";
import { type Taken, takenAtAdmission, takenAtTarget } from "./taken.ts";

export interface SettlingInput {
  readonly sliding: boolean;
  readonly log: Logger;
}

/**
 * Tokens that nobody was asked about, of turns of a session and of batch jobs, are counted in the windows in which they
 * become known. The request was counted with the session; a job's lines are none.
 */
export function countingLearnt({ counters, sliding, log }: SettlingInput & { readonly counters: SureCounters }) {
  return async (exchange: Exchange, rules: readonly RateRule[], attempts: readonly Attempt[]): Promise<void> => {
    const tokens = tokensOf(attempts);
    const entries = raised(rules.filter(isAboutTokens), tokens, counters.now(), sliding);
    if (tokens > 0n && entries.length > 0) await told(log, counters.store, groupOf(exchange), entries);
  };
}

/** A retry counts when it is sent, where its target was counted first; nobody waits for that (policies.md section 5.4). */
export function countingRetries({ sliding, log }: SettlingInput) {
  return ({ attempt, attempts }: Exchange): void => {
    const taken = attempt && takenFor(attempt, attempts);
    if (!taken || taken.requests.length === 0) return;
    const { by, group, requests } = taken;
    told(log, by, group, raised(requests.map(ruleOf), 1n, by.now(), sliding))?.catch((error: unknown) =>
      log.error("a retry was not counted", { error }),
    );
  };
}

/** What the first call of an attempt's target has taken. */
function takenFor({ target, lane }: Attempt, attempts: readonly Attempt[]): Taken | undefined {
  const taken = attempts.findLast(
    (one) => one.target.path === target.path && one.lane === lane && takenAtTarget.get(one) !== undefined,
  );
  return taken && takenAtTarget.get(taken);
}

export const isAboutTokens = ({ type }: RateRule): boolean => type === "tokens";

/** Each rule's counter of this moment, raised by as much. */
const raised = (rules: readonly RateRule[], amount: bigint, now: number, sliding: boolean): Settlement[] =>
  rules.map((rule) => {
    const place = placed(rule, now);
    return { key: place.key, amount, expiresAt: expiryOf(place, sliding) };
  });

/** Requests were counted when they were let in: most that meet no rate of tokens leave nothing to be done. */
export function hasToSettle(exchange: Exchange): boolean {
  if (exchange.role === "shadow" || isToSettle(takenAtAdmission.get(exchange), !isRefused(exchange))) return true;
  return exchange.attempts.some((attempt) => isToSettle(takenAtTarget.get(attempt), isSent(attempt)));
}

const isToSettle = (taken: Taken | undefined, sent: boolean): taken is Taken =>
  taken !== undefined && (taken.tokens.length > 0 || (!sent && taken.requests.length > 0));

/** A call that came to nothing before it was sent is no request. */
const isSent = ({ sentAt }: Attempt): boolean => sentAt !== undefined;

/** A request that limits let go to no target is none: what is refused raises no counter (policies.md section 5.2). */
function isRefused({ attempts }: Exchange): boolean {
  const code = attempts.at(-1)?.outcome?.code;
  return (code === "budget_exhausted" || code === "rate_limited") && !attempts.some(isSent);
}

/** What a request used is counted when it is over, and what was held for it let go (policies.md section 5.4). */
export function settling({ sliding, log }: SettlingInput) {
  return (exchange: Exchange): undefined | Promise<unknown> => {
    const { attempts } = exchange;
    let work: Promise<unknown>[] | undefined;
    const admitted = takenAtAdmission.get(exchange);
    const isLetIn = !isRefused(exchange);
    if (isToSettle(admitted, isLetIn)) work = and(work, settled(admitted, tokensOf(attempts), isLetIn));
    const original = exchange.role === "shadow" ? originalOf(exchange) : undefined;
    if (original) work = and(work, copied(original, tokensOf(attempts)));
    for (let at = 0; at < attempts.length; at++) {
      const attempt = attempts[at] as Attempt;
      const taken = takenAtTarget.get(attempt);
      const sent = isSent(attempt);
      if (isToSettle(taken, sent)) work = and(work, settled(taken, tokensOf(callsOf(attempts, at)), sent));
    }
    return work && Promise.all(work);
  };

  /** A copy of a request was let in with it, and uses tokens as the request does. */
  function copied({ by, group, tokens: rules }: Taken, tokens: bigint): undefined | Promise<unknown> {
    if (tokens === 0n || rules.length === 0) return undefined;
    return told(log, by, group, raised(rules.map(ruleOf), tokens, by.now(), sliding));
  }

  function settled(taken: Taken, tokens: bigint, sent: boolean): undefined | Promise<unknown> {
    const { by, group, hold } = taken;
    const entries = entriesOf(taken, tokens, by.now(), hold);
    if (!sent) entries.push(...takenBack(taken.requests, taken.claimedAt, sliding));
    // Budgets are settled under the same ids.
    return told(log, by, group, entries, by.shared === "process" ? undefined : `rate ${hold}`);
  }

  function entriesOf(taken: Taken, tokens: bigint, now: number, hold: string): Settlement[] {
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
    return entries;
  }
}

/** Tokens held for whom nobody waits any more. */
export async function letGo({ places, by, group, hold }: Held, sliding: boolean, log: Logger): Promise<void> {
  await settleAll(heldIn(places, hold, sliding), by, group, log);
}

/** All that was taken for a call that is not made. */
export async function giveBack(held: Held, sliding: boolean, log: Logger): Promise<void> {
  const { places, by, group, hold, claimedAt } = held;
  const requests = places.filter(({ rule }) => !isAboutTokens(rule));
  await settleAll([...heldIn(places, hold, sliding), ...takenBack(requests, claimedAt, sliding)], by, group, log);
}

const heldIn = (places: readonly Placed[], hold: string, sliding: boolean): Settlement[] =>
  places
    .filter(({ rule }) => isAboutTokens(rule))
    .map((place) => ({ key: place.key, amount: 0n, expiresAt: expiryOf(place, sliding), hold }));

/** Of windows that still have it: those that began anew, because their counters were lost, never did. */
const takenBack = (places: readonly Placed[], claimedAt: number, sliding: boolean): Settlement[] =>
  places.map((place) => ({ key: place.key, amount: -1n, since: claimedAt, expiresAt: expiryOf(place, sliding) }));

async function settleAll(
  entries: readonly Settlement[],
  by: CountersService,
  group: string,
  log: Logger,
): Promise<void> {
  if (entries.length > 0) await told(log, by, group, entries);
}

interface Held {
  readonly places: readonly Placed[];
  readonly by: CountersService;
  readonly group: string;
  readonly hold: string;
  readonly claimedAt: number;
}

const ruleOf = ({ rule }: Placed): RateRule => rule;

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
  let tokens = 0n;
  for (const { usage } of attempts) tokens += countedTokens(usage);
  return tokens;
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
