import {
  type Attempt,
  CountersError,
  type CountersService,
  type Decided,
  type Exchange,
  type GatewayRequest,
  groupOf,
  isGivenUp,
  type LimitFinder,
  type LimitGate,
  type LimitPhase,
  RecordError,
  refuseGivenUp,
  type SureCounters,
  type UsagePolicy,
} from "../../core/index.ts";
import type { Account } from "./account.ts";
import type { Accounts } from "./accounts.ts";
import { type Budget, isHard, isHardCost } from "./budgets.ts";
import { admittedWith, Charged, chargedAtAdmission, chargedAtTarget, holdBeside, isCharged } from "./charged.ts";
import { amountOf, charging, countOpened } from "./charges.ts";
import type { Expectations } from "./expectations.ts";
import { foresee } from "./foresight.ts";
import { budgetExceeded, tell, tightestOf } from "./refusals.ts";
import {
  accountIn,
  claimIn,
  claimOf,
  heldAtTarget,
  isLost,
  lettingGo,
  roomOfLeft,
  type Wanted,
  whenLeft,
} from "./wanted.ts";

export interface GateInput {
  readonly finder: LimitFinder<UsagePolicy, Budget>;
  readonly accounts: Accounts;
  readonly counters: SureCounters;
  readonly expectations: Expectations;
  readonly holdFor: number;
  readonly now: () => number;
}

type Now<Value> = Value | Promise<Value>;

/** Refuses requests whose budgets are used up, and makes room in those that must not be overspent. */
export class BudgetGate implements LimitGate {
  readonly #input: GateInput;
  readonly settles = isCharged;
  readonly settle: LimitGate["settle"];

  constructor(input: GateInput) {
    this.#input = input;
    this.settle = charging(input.accounts);
  }

  admit(exchange: Exchange): Now<undefined> {
    const accounts = this.#accounts("admission", exchange);
    return accounts instanceof Promise
      ? accounts.then((found) => this.#admit(exchange, found))
      : this.#admit(exchange, accounts);
  }

  meet(exchange: Exchange, request: GatewayRequest): Now<undefined> {
    if (isGivenUp(exchange)) refuseGivenUp();
    this.#letGoBefore(exchange);
    const accounts = this.#accounts("target", exchange, request);
    return accounts instanceof Promise
      ? accounts.then((found) => this.#meet(exchange, request, found))
      : this.#meet(exchange, request, accounts);
  }

  async count(exchange: Exchange): Promise<void> {
    const { finder, accounts } = this.#input;
    if (exchange.role === "turn" && exchange.trunk) countOpened(accounts, exchange.trunk);
    await finder.learnt(exchange, async (budgets, attempts) => {
      for (const account of await this.#accountsOf(exchange, budgets))
        accounts.add(account, amountOf(account, attempts, 0n));
    });
  }

  async foresee(exchange: Exchange, request?: GatewayRequest): Promise<void> {
    const { expectations, counters, now, accounts: all } = this.#input;
    const accounts = await this.#accounts(request ? "target" : "admission", exchange, request);
    // Room for the money of the whole request is made at its targets.
    const ofAll = request ? (await this.#accounts("admission", exchange)).filter(isHardCost) : none;
    // A session that goes on is one request, which was let in.
    const goesOn = exchange.trunk !== undefined && exchange.endpoint.socket !== undefined;
    const met = [...ofAll, ...accounts].filter(({ budget }) => !goesOn || budget.type !== "requests");
    if (met.some(isHardCost)) await expectations.ready();
    const cost = request && met.some(isHardCost) ? expectations.cost(exchange, request) : undefined;
    const amountOf = (account: Account) =>
      isHard(account) ? this.#expected(account, request ?? exchange.request, cost) : undefined;
    foresee(
      exchange,
      met.map((account) => ({ account, amount: amountOf(account), ...all.knowledgeOf(account) })),
      now(),
    );
    counters.assure(accounts);
  }

  /** What a request may use of a budget; undefined of money where it has no price. */
  #expected({ budget: { type } }: Account, request: GatewayRequest | undefined, cost: bigint | undefined) {
    return type === "requests" ? 1n : type === "tokens" ? this.#input.expectations.tokens(request) : cost;
  }

  /** The accounts of the budgets a request meets, in the order they are looked at. */
  #accounts(phase: LimitPhase, exchange: Exchange, request?: GatewayRequest): Now<readonly Account[]> {
    const met = this.#input.finder.met(phase, exchange, request);
    return met instanceof Promise
      ? met.then((found) => this.#accountsOf(exchange, found))
      : this.#accountsOf(exchange, met);
  }

  #accountsOf(exchange: Exchange, budgets: readonly Budget[]): Now<readonly Account[]> {
    if (budgets.length === 0) return none;
    const group = groupOf(exchange);
    const caller = exchange.principal?.workspace;
    const found = budgets.map((budget) => this.#input.accounts.of(group, budget, caller));
    return found.some((one) => one instanceof Promise) ? Promise.all(found) : (found as Account[]);
  }

  #admit(exchange: Exchange, accounts: readonly Account[]): Now<undefined> {
    if (accounts.length === 0) return undefined;
    this.#refuseUsedUp(exchange, accounts);
    // What a request costs is not known before there is a target: room for it is made there, at one go with the rest.
    const counted = accounts.filter((account) => isHard(account) && account.budget.type !== "cost");
    const naming = this.#input.accounts.namer.name(counted);
    if (naming) return naming.then(() => this.#admit(exchange, accounts));
    const charged = new Charged({ group: groupOf(exchange), accounts, requests: 1n });
    const concluded = (): undefined => {
      chargedAtAdmission.set(exchange, charged);
      const tightest = tightestOf(accounts);
      if (tightest) tell(exchange, tightest, tightest.total, false);
    };
    if (counted.length === 0) return concluded();
    const wanted = counted.map((account) => this.#wantedOf(account, exchange.request, undefined, exchange.id, charged));
    return this.#claim(exchange, exchange, wanted, concluded);
  }

  #meet(exchange: Exchange, request: GatewayRequest, accounts: readonly Account[]): Now<undefined> {
    const { attempt } = exchange;
    if (!attempt) return undefined;
    const { accounts: all, expectations } = this.#input;
    const admitted = admittedWith(exchange);
    const anew = admitted?.learnAnew(all);
    if (anew) return anew.then(() => this.#meet(exchange, request, accounts));
    if (accounts.length === 0 && !admitted?.accounts.some(isHard)) return undefined;
    this.#refuseUsedUp(attempt, accounts);
    // Only room for money asks for a price.
    const isAsked = accounts.some(isHardCost) || admitted?.accounts.some(isHardCost);
    const naming = all.namer.name(admitted?.accounts ?? none) ?? all.namer.name(accounts);
    // Without one everybody would be let in: the first requests of all wait for prices to be read.
    const waiting = naming ?? (isAsked ? expectations.ready() : undefined);
    if (waiting) return waiting.then(() => this.#meet(exchange, request, accounts));
    const cost = isAsked ? expectations.cost(exchange, request) : undefined;
    const wanted = admitted ? this.#ofWholeRequest(exchange, attempt, request, admitted, cost) : [];
    // Most targets have no budgets.
    if (accounts.length === 0)
      return wanted.length === 0 ? undefined : this.#claim(exchange, attempt, wanted, nothingMore);
    const charged = new Charged({ group: groupOf(exchange), accounts, requests: 1n });
    const hold = `${exchange.id}/${exchange.attempts.indexOf(attempt)}`;
    for (const account of accounts)
      if (isHard(account)) wanted.push(this.#wantedOf(account, request, cost, hold, charged));
    const concluded = (): undefined => {
      chargedAtTarget.set(attempt, charged);
      // What the whole request was let in with may be tighter.
      const tightest = tightestOf(admitted ? [...admitted.accounts, ...accounts] : accounts);
      if (tightest) tell(attempt, tightest, tightest.total, false);
    };
    return wanted.length === 0 ? concluded() : this.#claim(exchange, attempt, wanted, concluded);
  }

  /**
   * Of budgets of the whole request room for its cost is made where the price is known: at each target in place of the one
   * before. Whoever is called beside it, rivals and copies, needs room besides, for tokens too; and so does a target that
   * is asked for more of them than the client did.
   */
  #ofWholeRequest(
    exchange: Exchange,
    attempt: Attempt,
    request: GatewayRequest,
    admitted: Charged,
    cost: bigint | undefined,
  ): Wanted[] {
    const isBeside = attempt.lane !== undefined || exchange.role === "shadow";
    let hold = exchange.id;
    if (isBeside) {
      hold = holdBeside.get(exchange) ?? `${exchange.id}/beside${exchange.attempts.indexOf(attempt)}`;
      holdBeside.set(exchange, hold);
    }
    const spent = cost === undefined ? 0n : this.#input.expectations.spentBefore(exchange, attempt);
    const wanted: Wanted[] = [];
    for (const account of admitted.accounts) {
      const { type } = account.budget;
      if (!isHard(account)) continue;
      if (type === "cost" || (type === "tokens" && (isBeside || this.#asksForMore(exchange, request))))
        wanted.push(this.#wantedOf(account, request, cost === undefined ? cost : cost + spent, hold, admitted));
    }
    return wanted;
  }

  #asksForMore({ request: admitted }: Exchange, request: GatewayRequest): boolean {
    const { expectations } = this.#input;
    return request !== admitted && expectations.tokens(request) > expectations.tokens(admitted);
  }

  #refuseUsedUp(holder: Exchange | Attempt, accounts: readonly Account[]): void {
    for (const account of accounts) {
      if (account.total < account.budget.limit) continue;
      tell(holder, account, account.total, true);
      throw budgetExceeded(account, account.total, this.#input.now());
    }
    this.#input.counters.assure(accounts);
  }

  #claim(
    exchange: Exchange,
    holder: Exchange | Attempt,
    wanted: readonly Wanted[],
    granted: () => undefined,
    tries = 3,
  ): Now<undefined> {
    const { counters, now, accounts: all } = this.#input;
    const known = wanted.map(({ account }) => account.known);
    const decide = ({ claimed, by }: Decided): Now<undefined> => {
      const isStore = by === counters.store;
      // A store that has forgotten what was used is told first: room that is not there must not be given away.
      const lost = isStore && tries > 0 ? wanted.filter((one, at) => isLost(one, claimed, at, known[at] ?? 0n)) : none;
      if (lost.length > 0)
        return Promise.all([
          claimed.granted && this.#letGo(exchange, wanted, by),
          ...lost.map(({ account }) => {
            account.saidLess = true;
            return all.restore(account).catch(orGoOn);
          }),
        ]).then(() => this.#claim(exchange, holder, wanted, granted, tries - 1));
      if (claimed.granted) {
        if (isGivenUp(exchange)) return this.#letGo(exchange, wanted, by).then(refuseGivenUp);
        for (const { account, charged, hold } of wanted) charged.held(account, hold, isStore ? undefined : by);
        if (holder !== exchange) heldAtTarget.set(exchange, { attempt: holder as Attempt, wanted, by });
        whenLeft(exchange, holder, wanted, (room) => void this.#letGo(exchange, room, by));
        return granted();
      }
      const { account, claim } = wanted[claimed.at] as Wanted;
      const current = (claimed.totals[claimed.at] ?? 0n) + (isStore ? 0n : account.total);
      tell(holder, account, current, true);
      throw budgetExceeded(account, current, now(), claim.hold && claim.amount);
    };
    const decided = counters.claim(groupOf(exchange), wanted.map(claimIn), wanted.map(accountIn), (claims) =>
      // Counting by itself this process knows of holds only: what was used stays used.
      claims.map((claim, at) => ({ ...claim, limit: claim.limit - (wanted[at]?.account.total ?? 0n) })),
    );
    return decided instanceof Promise ? decided.then(decide) : decide(decided);
  }

  /** Of a target that is left nothing more is to come: what its calls said they used stays held until it is counted. */
  #letGoBefore(exchange: Exchange): void {
    const held = heldAtTarget.get(exchange);
    if (!held) return;
    heldAtTarget.set(exchange, undefined);
    const free = roomOfLeft(exchange.attempts, held.attempt, held.wanted);
    if (free.length > 0) void this.#letGo(exchange, free, held.by);
  }

  /** Room that was made where there may be none, or for nobody: what is refused after all holds nothing. */
  async #letGo(exchange: Exchange, wanted: readonly Wanted[], by: CountersService): Promise<void> {
    try {
      await by.settle(groupOf(exchange), lettingGo(wanted));
    } catch (error) {
      // What a store that is gone again still holds ends by itself.
      if (!(error instanceof CountersError)) throw error;
    }
  }

  #wantedOf(
    account: Account,
    request: GatewayRequest | undefined,
    cost: bigint | undefined,
    hold: string,
    charged: Charged,
  ): Wanted {
    const { holdFor, now } = this.#input;
    const amount = this.#expected(account, request, cost);
    return { account, claim: claimOf(account, amount, { id: hold, until: now() + holdFor }), hold, charged };
  }
}

const none: readonly never[] = [];

function nothingMore(): undefined {}

/** What stores cannot say now is learnt when they are back: until then room is made by what is known. */
function orGoOn(error: unknown): undefined {
  if (!(error instanceof CountersError || error instanceof RecordError)) throw error;
}
