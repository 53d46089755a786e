import {
  type AlongClaims,
  type Claim,
  type Claimed,
  type Decided,
  type Exchange,
  expectedTokens,
  type GatewayRequest,
  groupOf,
  isGivenUp,
  type LimitFinder,
  type LimitGate,
  type LimitPhase,
  type Logger,
  mostCounted,
  type RatePolicy,
  type RatesService,
  refusalReason,
  refuseGivenUp,
  rootOf,
  slot,
  whenFailed,
  whenGivenUp,
} from "../../core/index.ts";
import { claimOf, type Placed, placed, roomAgainAt } from "./claims.ts";
import { foresee, type Looking } from "./foresight.ts";
import { rateExceeded } from "./refusals.ts";
import type { RateRule } from "./rules.ts";
import { countingLearnt, countingRetries, giveBack, hasToSettle, isAboutTokens, letGo, settling } from "./settling.ts";
import { Taken, takenAtAdmission, takenAtTarget } from "./taken.ts";
import { headersOf, tightestOf } from "./told.ts";

export interface GateInput extends Looking {
  readonly finder: LimitFinder<RatePolicy, RateRule>;
  /** How long expected tokens are held at most, in milliseconds. */
  readonly holdFor: number;
  /** Tokens of an answer that the request sets no bound for. */
  readonly expectedOutput: number;
  readonly log: Logger;
}

/** Lets requests through that stay within the rates they meet, once at admission and at each of their targets. */
export class RateGate implements LimitGate, RatesService {
  readonly #input: GateInput;
  readonly settles = hasToSettle;
  readonly settle: LimitGate["settle"];
  readonly #countLearnt: ReturnType<typeof countingLearnt>;
  readonly #countAgain: ReturnType<typeof countingRetries>;

  constructor(input: GateInput) {
    this.#input = input;
    this.settle = settling(input);
    this.#countLearnt = countingLearnt(input);
    this.#countAgain = countingRetries(input);
  }

  admit(exchange: Exchange): undefined | Promise<undefined> {
    // Budgets have taken them along.
    if (takenAtAdmission.get(exchange)) return undefined;
    const met = this.#input.finder.met("admission", exchange);
    if (met instanceof Promise) return met.then((known) => this.#take("admission", exchange, known));
    return this.#take("admission", exchange, met);
  }

  meet(exchange: Exchange, request: GatewayRequest): undefined | Promise<undefined> {
    if (isGivenUp(exchange)) refuseGivenUp();
    if (exchange.attempt && takenAtTarget.get(exchange.attempt)) return undefined;
    this.#letGoBefore(exchange);
    const holding = this.#holdMore(exchange, request);
    return holding ? holding.then(() => this.#meet(exchange, request)) : this.#meet(exchange, request);
  }

  #meet(exchange: Exchange, request: GatewayRequest): undefined | Promise<undefined> {
    const met = this.#input.finder.met("target", exchange, request);
    if (met instanceof Promise) return met.then((known) => this.#take("target", exchange, known, request));
    return this.#take("target", exchange, met, request);
  }

  along(phase: LimitPhase, exchange: Exchange, request = exchange.request): AlongClaims | undefined {
    const { finder, counters, sliding, log } = this.#input;
    if (phase === "target") {
      if (isGivenUp(exchange) || !request || this.#asksForMore(exchange, request)) return undefined;
      this.#letGoBefore(exchange);
    }
    const rules = finder.met(phase, exchange, request);
    if (rules instanceof Promise || rules.length === 0) return undefined;
    const asked = this.#asked(phase, exchange, rules, request);
    return {
      claims: asked.claims,
      granted: (claimed, by) => {
        counters.answered();
        this.#keep(phase, exchange, keptOf(asked, claimed, by));
      },
      giveBack: (claimedAt, by) => giveBack({ ...asked, claimedAt, by }, sliding, log),
    };
  }

  count(exchange: Exchange): Promise<void> {
    return this.#input.finder.learnt(exchange, (rules, attempts) => this.#countLearnt(exchange, rules, attempts));
  }

  again(exchange: Exchange): void {
    this.#countAgain(exchange);
  }

  async foresee(exchange: Exchange, request?: GatewayRequest): Promise<void> {
    const rules = await this.#input.finder.met(request ? "target" : "admission", exchange, request);
    await foresee(exchange, rules, this.#input);
  }

  /**
   * A target may be asked for more tokens than the client asked for, because a config says so: so many are held from then
   * on by what the whole request was let in with. Nobody is refused for it. Calls side by side share one hold: that of who
   * is asked for the most. Copies hold nothing, and are counted when they are over.
   */
  #holdMore(exchange: Exchange, request: GatewayRequest): undefined | Promise<void> {
    const more = this.#asksForMore(exchange, request);
    if (!more) return undefined;
    const { taken, expected } = more;
    const { sliding, holdFor, log } = this.#input;
    taken.expected = expected;
    const now = taken.by.now();
    const taking = { now, sliding, expected, hold: { id: taken.hold, until: now + holdFor } };
    const claims = taken.tokens.map((place) => ({ ...claimOf(place, taking), limit: mostCounted }));
    const failed = (error: unknown) => log.warn("tokens a target is asked for are not held", { error });
    try {
      const claimed = taken.by.claim(taken.group, claims);
      return claimed instanceof Promise ? claimed.then(() => undefined, failed) : undefined;
    } catch (error) {
      return void failed(error);
    }
  }

  #asksForMore(exchange: Exchange, request: GatewayRequest) {
    const taken = takenAtAdmission.get(rootOf(exchange));
    if (!taken || taken.tokens.length === 0 || request === exchange.request) return undefined;
    const expected = tokensOf(request, this.#input.expectedOutput);
    return expected > taken.expected ? { taken, expected } : undefined;
  }

  /** Of a target that is left, or given up, nothing more is to come: what it used is counted when the request is over. */
  #letGoBefore(exchange: Exchange): void {
    const { sliding, log } = this.#input;
    const held = heldAtTarget.get(exchange);
    if (!held) return;
    heldAtTarget.set(exchange, undefined);
    letGo(held, sliding, log).catch((error: unknown) => log.error("tokens held at a target are held on", { error }));
  }

  #take(
    phase: LimitPhase,
    exchange: Exchange,
    rules: readonly RateRule[],
    request = exchange.request,
  ): undefined | Promise<undefined> {
    if (rules.length === 0) return undefined;
    const { counters, sliding, log } = this.#input;
    const asked = this.#asked(phase, exchange, rules, request);
    const decided = counters.claim(asked.group, asked.claims, rules);
    const concluded = ({ claimed, by }: Decided): undefined | Promise<undefined> => {
      if (claimed.granted) {
        const kept = keptOf(asked, claimed, by);
        if (isGivenUp(exchange)) return giveBack(kept, sliding, log).then(refuseGivenUp);
        return this.#keep(phase, exchange, kept);
      }
      const { at, totals } = claimed;
      const { places, now, group } = asked;
      const refusal = { phase, exchange, place: places[at] as Placed, current: totals[at], now };
      if (sliding) return refuseSliding(refusal, group, by);
      throw refuse(refusal);
    };
    if (decided instanceof Promise) return decided.then(concluded);
    return concluded(decided);
  }

  /** What a request claims of the rates it meets. */
  #asked(
    phase: LimitPhase,
    exchange: Exchange,
    rules: readonly RateRule[],
    request: GatewayRequest | undefined,
  ): Asked {
    const { counters, sliding, holdFor, expectedOutput } = this.#input;
    const now = counters.now();
    const expected = rules.some(isAboutTokens) ? tokensOf(request, expectedOutput) : 0n;
    const hold = holdId(phase, exchange);
    const taking = { now, sliding, expected, hold: { id: hold, until: now + holdFor } };
    const places: Placed[] = [];
    const claims: Claim[] = [];
    for (const rule of rules) {
      const place = placed(rule, now);
      places.push(place);
      claims.push(claimOf(place, taking));
    }
    return { places, claims, group: groupOf(exchange), hold, expected, now };
  }

  #keep(phase: LimitPhase, exchange: Exchange, kept: Kept): undefined {
    keep(phase, exchange, kept);
    if (phase !== "target" || kept.expected === 0n) return;
    heldAtTarget.set(exchange, kept);
    for (const left of [whenGivenUp, whenFailed]) left(exchange, () => this.#letGoBefore(exchange));
  }
}

/** What is held for the target an exchange is at. */
const heldAtTarget = slot<Exchange, Kept | undefined>("tokens held at a target");

/** Rivals share the list of attempts, and may come to this at the same moment. */
const holdId = (phase: LimitPhase, { id, attempt, attempts }: Exchange): string =>
  phase === "target" && attempt ? `${id}/${attempts.indexOf(attempt)}` : id;

function tokensOf(request: GatewayRequest | undefined, usualOutput: number): bigint {
  const { input, output } = expectedTokens(request, usualOutput);
  return BigInt(input + output);
}

/** Most requests meet rates of one type: no list is made for them. */
function ofType(type: RateRule["type"], places: readonly Placed[]): readonly Placed[] {
  if (places.every(({ rule }) => rule.type === type)) return places;
  return places.some(({ rule }) => rule.type === type) ? places.filter(({ rule }) => rule.type === type) : none;
}

const none: readonly Placed[] = [];

interface Asked {
  readonly places: readonly Placed[];
  readonly claims: readonly Claim[];
  readonly group: string;
  readonly hold: string;
  readonly expected: bigint;
  readonly now: number;
}

type Granted = Extract<Claimed, { granted: true }>;

type Kept = Omit<Asked, "claims"> & Pick<Granted, "totals" | "claimedAt"> & Pick<Decided, "by">;

const keptOf = (
  { places, group, hold, expected, now }: Asked,
  { totals, claimedAt }: Granted,
  by: Decided["by"],
): Kept => ({ places, totals, by, group, hold, claimedAt, expected, now });

function keep(phase: LimitPhase, exchange: Exchange, kept: Kept): void {
  const { places, totals, by, group, hold, claimedAt, expected, now } = kept;
  const tightest = tightestOf(places, totals);
  const share = tightest?.share ?? 1;
  const taken = new Taken({
    by,
    group,
    claimedAt,
    hold,
    expected,
    tokens: ofType("tokens", places),
    requests: ofType("requests", places),
    share,
  });
  if (phase === "admission") {
    takenAtAdmission.set(exchange, taken);
    if (tightest) tell(exchange, headersOf(tightest, now));
    return;
  }
  const { attempt } = exchange;
  if (!attempt) return;
  takenAtTarget.set(attempt, taken);
  if (tightest && share < (takenAtAdmission.get(rootOf(exchange))?.share ?? 1)) tell(attempt, headersOf(tightest, now));
}

function tell(holder: Pick<Exchange, "told">, headers: Record<string, string>): void {
  holder.told = holder.told ? Object.assign(holder.told, headers) : headers;
}

interface Refusal {
  readonly phase: LimitPhase;
  readonly exchange: Exchange;
  readonly place: Placed;
  readonly current: bigint | undefined;
  readonly now: number;
}

/** Nobody comes back in vain: where windows slide, the next one begins with what counts of this one. */
async function refuseSliding(refusal: Refusal, group: string, by: Decided["by"]): Promise<undefined> {
  const { place, now } = refusal;
  const known = await roomAgainAt(place, group, by).catch(() => place.window.end);
  throw refuse(refusal, known > now ? known : place.window.end);
}

function refuse({ phase, exchange, place, current = 0n, now }: Refusal, resetsAt = place.window.end): Error {
  const told = {
    ...headersOf({ place, left: 0n, share: 0 }, now, resetsAt),
    "limit-source": refusalReason({ kind: "rate", level: place.rule.level }),
  };
  const holder = phase === "admission" ? exchange : exchange.attempt;
  if (holder) tell(holder, told);
  return rateExceeded(place, current, now, resetsAt);
}
