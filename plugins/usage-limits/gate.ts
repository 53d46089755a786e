import {
  type Attempt,
  type Exchange,
  type GatewayRequest,
  groupOf,
  isGivenUp,
  type LimitFinder,
  type LimitGate,
  type LimitPhase,
  refuseGivenUp,
  type UsagePolicy,
} from "../../core/index.ts";
import type { Account } from "./account.ts";
import { type Budget, isHard, isHardCost } from "./budgets.ts";
import { admittedWith, Charged, chargedAtAdmission, chargedAtTarget, holdBeside, isCharged } from "./charged.ts";
import { amountOf, charging, countOpened } from "./charges.ts";
import type { Expectations } from "./expectations.ts";
import { foresee } from "./foresight.ts";
import { budgetExceeded, tell, tightestOf } from "./refusals.ts";
import { Rooms, type RoomsInput } from "./rooms.ts";
import { claimOf, heldAtTarget, roomOfLeft, type Wanted } from "./wanted.ts";

export interface GateInput extends RoomsInput {
  readonly finder: LimitFinder<UsagePolicy, Budget>;
  readonly expectations: Expectations;
  readonly holdFor: number;
}

type Now<Value> = Value | Promise<Value>;

/** Refuses requests whose budgets are used up, and makes room in those that must not be overspent. */
export class BudgetGate implements LimitGate {
  readonly #input: GateInput;
  readonly #rooms: Rooms;
  readonly settles = isCharged;
  readonly settle: LimitGate["settle"];

  constructor(input: GateInput) {
    this.#input = input;
    this.#rooms = new Rooms(input);
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
    return this.#rooms.make({ exchange, holder: exchange, wanted, granted: concluded });
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
      return wanted.length === 0
        ? undefined
        : this.#rooms.make({ exchange, holder: attempt, request, wanted, granted: nothingMore });
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
    return wanted.length === 0
      ? concluded()
      : this.#rooms.make({ exchange, holder: attempt, request, wanted, granted: concluded });
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

  /** Of a target that is left nothing more is to come: what its calls said they used stays held until it is counted. */
  #letGoBefore(exchange: Exchange): void {
    const held = heldAtTarget.get(exchange);
    if (!held) return;
    heldAtTarget.set(exchange, undefined);
    const free = roomOfLeft(exchange.attempts, held.attempt, held.wanted);
    if (free.length > 0) void this.#rooms.letGo(exchange, free, held.by);
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
