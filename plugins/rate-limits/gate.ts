import {
  type Claimed,
  type Decided,
  type Exchange,
  expectedTokens,
  type GatewayRequest,
  groupOf,
  isLimited,
  type Limited,
  type LimitedThings,
  limitExceeded,
  limitFactsOf,
  policyMatcher,
  type RatePolicy,
  refusalReason,
  type SureCounters,
} from "../../core/index.ts";
import { claimOf, type Placed, placed } from "./claims.ts";
import { type RateRule, ruleOfPolicy, rulesOfThings, wordingOf } from "./rules.ts";
import { Taken, takenAtAdmission, takenAtTarget } from "./taken.ts";
import { headersOf, tightestOf } from "./told.ts";

export interface GateInput {
  readonly things: LimitedThings;
  /** The policies a request may meet; undefined where nobody keeps any. */
  readonly policies: (exchange: Exchange) => readonly RatePolicy[] | Promise<readonly RatePolicy[]>;
  readonly counters: SureCounters;
  readonly sliding: boolean;
  /** How long expected tokens are held at most, in milliseconds. */
  readonly holdFor: number;
  /** Tokens of an answer that the request sets no bound for. */
  readonly expectedOutput: number;
}

type Phase = "admission" | "target";

/** Lets requests through that stay within the rates they meet, once at admission and at each of their targets. */
export class RateGate {
  readonly #input: GateInput;
  readonly #rulesOf = rulesOfThings();
  readonly #inForce = policyMatcher<RatePolicy>(({ target }) => target === "llm");

  constructor(input: GateInput) {
    this.#input = input;
  }

  /** Throws, or rejects with, the refusal. A promise only where something has to be asked. */
  admit(exchange: Exchange): undefined | Promise<undefined> {
    if (!isLimited(exchange)) return undefined;
    const rules = this.rules("admission", exchange);
    if (rules instanceof Promise) return rules.then((known) => this.#take("admission", exchange, known));
    return this.#take("admission", exchange, rules);
  }

  /** The same before the first call of a target. */
  meet(exchange: Exchange, request: GatewayRequest): undefined | Promise<undefined> {
    if (!isLimited(exchange)) return undefined;
    const rules = this.rules("target", exchange, request);
    if (rules instanceof Promise) return rules.then((known) => this.#take("target", exchange, known, request));
    return this.#take("target", exchange, rules, request);
  }

  /** The rules a request meets, in the order they are looked at. */
  rules(
    phase: Phase,
    exchange: Exchange,
    request?: GatewayRequest,
  ): readonly RateRule[] | Promise<readonly RateRule[]> {
    const { things, policies } = this.#input;
    const provider = exchange.attempt?.target.provider;
    const limited =
      phase === "admission" ? things.atAdmission(exchange) : things.atTarget(exchange, provider?.slug ?? "");
    const kept = policies(exchange);
    if (limited instanceof Promise || kept instanceof Promise)
      return Promise.all([limited, kept]).then(([one, two]) => this.#rules(phase, exchange, request, one, two));
    if (limited.length === 0 && kept.length === 0) return none;
    return this.#rules(phase, exchange, request, limited, kept);
  }

  #rules(
    phase: Phase,
    exchange: Exchange,
    request: GatewayRequest | undefined,
    limited: readonly Limited[],
    kept: readonly RatePolicy[],
  ): readonly RateRule[] {
    const own = this.#rulesOf(limited);
    if (kept.length === 0) return own;
    const facts = limitFactsOf(exchange, phase === "target" ? request : undefined);
    const inForce = this.#inForce(kept, phase, facts);
    if (inForce.length === 0) return own;
    return [...own, ...inForce.map(({ policy, valueKey }) => ruleOfPolicy(policy, valueKey(facts)))];
  }

  #take(
    phase: Phase,
    exchange: Exchange,
    rules: readonly RateRule[],
    request = exchange.request,
  ): undefined | Promise<undefined> {
    if (rules.length === 0) return undefined;
    const { counters, sliding, holdFor, expectedOutput } = this.#input;
    const now = counters.now();
    const places = rules.map((rule) => placed(rule, now));
    const hold = { id: holdId(phase, exchange), until: now + holdFor };
    const expected = rules.some(({ type }) => type === "tokens") ? tokensOf(request, expectedOutput) : 0n;
    const claims = places.map((place) => claimOf(place, { now, sliding, expected, hold }));
    const group = groupOf(exchange);
    const decided = counters.claim(group, claims, rules);
    const concluded = ({ claimed, by }: Decided): undefined => {
      if (!claimed.granted) throw refuse(phase, exchange, places, claimed, now);
      keep(phase, exchange, { places, totals: claimed.totals, by, group, hold: hold.id, now });
    };
    if (decided instanceof Promise) return decided.then(concluded);
    return concluded(decided);
  }
}

const none: readonly RateRule[] = [];

/** Rivals share the list of attempts, and may come to this at the same moment. */
const holdId = (phase: Phase, { id, attempt, attempts }: Exchange): string =>
  phase === "target" && attempt ? `${id}/${attempts.indexOf(attempt)}` : id;

function tokensOf(request: GatewayRequest | undefined, usualOutput: number): bigint {
  const { input, output } = expectedTokens(request, usualOutput);
  return BigInt(input + output);
}

interface Kept {
  readonly places: readonly Placed[];
  readonly totals: readonly bigint[];
  readonly by: Decided["by"];
  readonly group: string;
  readonly hold: string;
  readonly now: number;
}

function keep(phase: Phase, exchange: Exchange, { places, totals, by, group, hold, now }: Kept): void {
  const tightest = tightestOf(places, totals);
  const share = tightest?.share ?? 1;
  const taken = new Taken({
    by,
    group,
    hold,
    tokens: places.filter(({ rule }) => rule.type === "tokens"),
    requests: places.filter(({ rule }) => rule.type === "requests").map(({ rule }) => rule),
    share,
  });
  if (phase === "admission") {
    takenAtAdmission.set(exchange, taken);
    if (tightest) exchange.told = Object.assign(exchange.told ?? {}, headersOf(tightest, now));
    return;
  }
  const { attempt } = exchange;
  if (!attempt) return;
  takenAtTarget.set(attempt, taken);
  if (tightest && share < (takenAtAdmission.get(exchange)?.share ?? 1))
    attempt.told = Object.assign(attempt.told ?? {}, headersOf(tightest, now));
}

function refuse(
  phase: Phase,
  exchange: Exchange,
  places: readonly Placed[],
  { at, totals }: Claimed & { readonly granted: false },
  now: number,
): Error {
  const place = places[at] as Placed;
  const { rule, window } = place;
  const { level, subject, type, unit, limit, policy } = rule;
  const current = totals[at] ?? 0n;
  const told = {
    ...headersOf({ place, left: 0n, share: 0 }, now),
    "limit-source": refusalReason({ kind: "rate", level }),
  };
  const holder = phase === "admission" ? exchange : exchange.attempt;
  if (holder) holder.told = Object.assign(holder.told ?? {}, told);
  return limitExceeded(
    {
      kind: "rate",
      level,
      subject,
      wording: wordingOf(rule),
      type,
      unit,
      limit: Number(limit),
      current: Number(current),
      resetsAt: window.end,
      ...(policy && { policy }),
    },
    now,
  );
}
