import {
  type Claim,
  type Decided,
  type Exchange,
  type ExpectedTokens,
  expectedTokens,
  type GatewayRequest,
  groupOf,
  isLimited,
  type Limited,
  type LimitedThings,
  limitFactsOf,
  type PricesService,
  picodollarsOf,
  policyMatcher,
  type SureCounters,
  type UsagePolicy,
} from "../../core/index.ts";
import type { Account } from "./account.ts";
import type { Accounts } from "./accounts.ts";
import { type Budget, budgetOfPolicy, budgetsOfThings, type Enforcement } from "./budgets.ts";
import { Charged, chargedAtAdmission, chargedAtTarget } from "./charged.ts";
import { budgetExceeded, tell, tightestOf } from "./refusals.ts";

export interface GateInput {
  readonly things: LimitedThings;
  readonly policies: (exchange: Exchange) => readonly UsagePolicy[] | Promise<readonly UsagePolicy[]>;
  readonly accounts: Accounts;
  readonly counters: SureCounters;
  readonly prices: PricesService | undefined;
  /** How budgets of keys, workspaces and providers hold; policies say it themselves. */
  readonly enforcement: Enforcement;
  readonly holdFor: number;
  readonly expectedOutput: number;
  readonly now: () => number;
}

export type Phase = "admission" | "target";

type Now<Value> = Value | Promise<Value>;

/** Refuses requests whose budgets are used up, and makes room in those that must not be overspent. */
export class BudgetGate {
  readonly #input: GateInput;
  readonly #budgetsOf: (things: readonly Limited[]) => readonly Budget[];
  readonly #inForce = policyMatcher<UsagePolicy>();

  constructor(input: GateInput) {
    this.#input = input;
    this.#budgetsOf = budgetsOfThings(input.enforcement);
  }

  admit(exchange: Exchange): Now<undefined> {
    if (!isLimited(exchange)) return undefined;
    return then(this.accounts("admission", exchange), (accounts) => this.#admit(exchange, accounts));
  }

  /** The same before the first call of a target. */
  meet(exchange: Exchange, request: GatewayRequest): Now<undefined> {
    if (!isLimited(exchange)) return undefined;
    return then(this.accounts("target", exchange, request), (accounts) => this.#meet(exchange, request, accounts));
  }

  /** The accounts of the budgets a request meets, in the order they are looked at. */
  accounts(phase: Phase, exchange: Exchange, request?: GatewayRequest): Now<readonly Account[]> {
    return then(this.#budgets(phase, exchange, request), (budgets) => {
      if (budgets.length === 0) return none;
      const group = groupOf(exchange);
      const found = budgets.map((budget) => this.#input.accounts.of(group, budget));
      return found.some((one) => one instanceof Promise) ? Promise.all(found) : (found as Account[]);
    });
  }

  #budgets(phase: Phase, exchange: Exchange, request: GatewayRequest | undefined): Now<readonly Budget[]> {
    const { things, policies } = this.#input;
    const slug = exchange.attempt?.target.provider.slug ?? "";
    const limited = phase === "admission" ? things.atAdmission(exchange) : things.atTarget(exchange, slug);
    const kept = policies(exchange);
    const all = (own: readonly Limited[], policed: readonly UsagePolicy[]): readonly Budget[] => {
      if (policed.length === 0) return this.#budgetsOf(own);
      const facts = limitFactsOf(exchange, phase === "target" ? request : undefined);
      const inForce = this.#inForce(policed, phase, facts);
      return [
        ...this.#budgetsOf(own),
        ...inForce.map(({ policy, valueKey }) => budgetOfPolicy(policy, valueKey(facts))),
      ];
    };
    if (limited instanceof Promise || kept instanceof Promise)
      return Promise.all([limited, kept]).then(([own, policed]) => all(own, policed));
    return all(limited, kept);
  }

  #admit(exchange: Exchange, accounts: readonly Account[]): Now<undefined> {
    if (accounts.length === 0) return undefined;
    this.#refuseUsedUp(exchange, accounts);
    const hold = exchange.id;
    const charged = (by?: Decided["by"]): undefined => {
      const held = new Set(by ? accounts.filter(isHard) : none);
      chargedAtAdmission.set(exchange, new Charged({ group: groupOf(exchange), accounts, held, hold, by }));
      const tightest = tightestOf(accounts);
      if (tightest) tell(exchange, tightest, tightest.total, false);
    };
    const hard = accounts.filter(isHard);
    if (hard.length === 0) return charged();
    // What a request costs is not known before there is a target: then there is room for anything, or none.
    const claims = hard.map((account) => this.#claimOf(account, exchange.request, undefined, hold));
    return this.#claim(exchange, exchange, hard, claims, charged);
  }

  #meet(exchange: Exchange, request: GatewayRequest, accounts: readonly Account[]): Now<undefined> {
    const { attempt } = exchange;
    if (!attempt) return undefined;
    const admitted = chargedAtAdmission.get(exchange);
    // Of budgets of the whole request room is made here, where the price is known.
    const costs = (admitted?.accounts ?? none).filter((account) => isHard(account) && account.budget.type === "cost");
    if (accounts.length === 0 && costs.length === 0) return undefined;
    this.#refuseUsedUp(attempt, accounts);
    const hold = `${exchange.id}/${exchange.role ?? ""}${exchange.attempts.length}`;
    const charged = (by?: Decided["by"]): undefined => {
      if (accounts.length === 0) return;
      const held = new Set(by ? accounts.filter(isHard) : none);
      chargedAtTarget.set(attempt, new Charged({ group: groupOf(exchange), accounts, held, hold, by }));
      const tightest = tightestOf(accounts);
      if (tightest) tell(attempt, tightest, tightest.total, false);
    };
    const hard = accounts.filter(isHard);
    if (hard.length === 0 && costs.length === 0) return charged();
    const cost = this.#expectedCost(exchange, request);
    const claims = [
      ...costs.map((account) => this.#claimOf(account, request, cost, exchange.id)),
      ...hard.map((account) => this.#claimOf(account, request, cost, hold)),
    ];
    return this.#claim(exchange, attempt, [...costs, ...hard], claims, charged);
  }

  #refuseUsedUp(holder: Exchange | NonNullable<Exchange["attempt"]>, accounts: readonly Account[]): void {
    for (const account of accounts) {
      if (account.total < account.budget.limit) continue;
      tell(holder, account, account.total, true);
      throw budgetExceeded(account, account.total, this.#input.now());
    }
    this.#input.counters.assure(accounts);
  }

  #claim(
    exchange: Exchange,
    holder: Exchange | NonNullable<Exchange["attempt"]>,
    accounts: readonly Account[],
    claims: readonly Claim[],
    granted: (by: Decided["by"]) => undefined,
    again = false,
  ): Now<undefined> {
    const { counters, now, accounts: all } = this.#input;
    return then(counters.claim(groupOf(exchange), claims, accounts), ({ claimed, by }) => {
      const lost = again ? [] : accounts.filter((account, at) => (claimed.totals[at] ?? 0n) < account.known);
      // A store that has forgotten what was used is told first: room that is not there must not be given away.
      if (lost.length > 0 && by === counters.store)
        return Promise.all(lost.map((account) => all.restore(account))).then(() =>
          this.#claim(exchange, holder, accounts, claims, granted, true),
        );
      if (claimed.granted) return granted(by);
      const account = accounts[claimed.at] as Account;
      const current = claimed.totals[claimed.at] ?? 0n;
      tell(holder, account, current, true);
      throw budgetExceeded(account, current, now());
    });
  }

  #claimOf(account: Account, request: GatewayRequest | undefined, cost: bigint | undefined, hold: string): Claim {
    const { holdFor, now } = this.#input;
    const { limit, type } = account.budget;
    const amount = type === "requests" ? 1n : type === "tokens" ? this.#expectedTokens(request) : cost;
    const place = { key: account.key, limit, expiresAt: account.expiresAt };
    if (amount === undefined) return { ...place, rule: "below", amount: 0n };
    return { ...place, rule: "within", amount, hold: { id: hold, until: now() + holdFor } };
  }

  #expectedTokens(request: GatewayRequest | undefined): bigint {
    const { input, output } = this.#expected(request);
    return BigInt(input + output);
  }

  #expected(request: GatewayRequest | undefined): ExpectedTokens {
    return expectedTokens(request, this.#input.expectedOutput);
  }

  /** What the call of the target under way will cost, if it uses what is expected; undefined where it has no price. */
  #expectedCost(exchange: Exchange, request: GatewayRequest): bigint | undefined {
    const { prices } = this.#input;
    const { attempt } = exchange;
    if (!prices || !attempt) return undefined;
    const { input, output } = this.#expected(request);
    const { amount } = prices.costOf(
      { exchange, attempt: { target: attempt.target, asked: request } },
      { inputTokens: input, outputTokens: output },
    );
    return amount === undefined ? undefined : picodollarsOf(amount);
  }
}

const none: readonly never[] = [];

const isHard = ({ budget }: Account): boolean => budget.enforcement === "hard";

/** Goes on with what is there at once, without waiting. */
const then = <Value, Next>(value: Now<Value>, go: (value: Value) => Now<Next>): Now<Next> =>
  value instanceof Promise ? value.then(go) : go(value);
