import type { Cadence, PeriodRule, UsageLimits } from "../../core/index.ts";
import {
  dollarsText,
  type Limited,
  type LimitRefusal,
  picodollarsOfNumber,
  type UsagePolicy,
} from "../../core/index.ts";

/** One budget a request is counted against. Amounts are picodollars, tokens or requests. */
export interface Budget {
  /** Names its account; the period is not in it. */
  readonly base: string;
  readonly type: UsagePolicy["type"];
  readonly limit: bigint;
  readonly alert: bigint | undefined;
  /** Of the record that says so, which each change raises, or since when its file is as it is; undefined of what a token says. */
  readonly version: number | undefined;
  readonly period: PeriodRule;
  /** When it was reset by hand, where the thing that has it says so. */
  readonly resetAt: string | undefined;
  readonly enforcement: Enforcement;
  readonly level: LimitRefusal["level"];
  /** The id of the key, the workspace, the policy. */
  readonly id: string;
  readonly subject: string;
  readonly policy?: { readonly id: string; readonly valueKey: string; readonly workspace?: string | undefined };
  readonly onStoreError: UsagePolicy["onStoreError"] | undefined;
}

/** `soft` counts afterwards; `hard` makes room before. */
export type Enforcement = "soft" | "hard";

export type BudgetOfThing = Budget & { readonly type: UsageLimits["type"] };

/** The budgets of keys, workspaces and providers. */
export const budgetsOfThing = (thing: Limited, enforcement: Enforcement): BudgetOfThing[] =>
  thing.usage.flatMap((limits, at) => {
    // Tokens may bring several of one kind, each with a period of its own: the first has the plain name.
    const before = thing.usage.slice(0, at).filter(({ type }) => type === limits.type).length;
    return budgetOfThing(thing, limits, enforcement, before === 0 ? "" : `:${before + 1}`);
  });

function budgetOfThing(thing: Limited, limits: UsageLimits, enforcement: Enforcement, suffix: string): BudgetOfThing[] {
  const { level, id, subject, resetAt } = thing;
  const { type, credit_limit, alert_threshold, periodic_reset, periodic_reset_days, next_usage_reset_at } = limits;
  // Without a limit there is nothing to stay within.
  if (credit_limit === null) return [];
  const cadence: Cadence | undefined =
    periodic_reset_days === null ? (periodic_reset ?? undefined) : { days: periodic_reset_days };
  return [
    {
      base: `usage:${level}:${id}:${type}${suffix}`,
      type,
      limit: amountOf(type, credit_limit),
      version: thing.version,
      alert: alert_threshold === null ? undefined : amountOf(type, alert_threshold),
      period: {
        cadence,
        next: next_usage_reset_at === null ? undefined : Date.parse(next_usage_reset_at),
        since: thing.since ?? 0,
        weekStart: 0,
      },
      resetAt: resetAt ?? undefined,
      enforcement,
      level,
      id,
      subject,
      onStoreError: undefined,
    },
  ];
}

/** What of a policy is the same for whoever it counts, made once for each of them. */
const termsOfPolicies = new WeakMap<UsagePolicy, Pick<Budget, "limit" | "alert" | "period">>();

function termsOf(policy: UsagePolicy): Pick<Budget, "limit" | "alert" | "period"> {
  const known = termsOfPolicies.get(policy);
  if (known) return known;
  const { type, creditLimit, alertThreshold, period, nextResetAt } = policy;
  const terms: Pick<Budget, "limit" | "alert" | "period"> = {
    limit: amountOf(type, creditLimit),
    alert: alertThreshold === null ? undefined : amountOf(type, alertThreshold),
    period: { cadence: period, next: nextResetAt, since: 0, weekStart: 1 },
  };
  termsOfPolicies.set(policy, terms);
  return terms;
}

export const budgetOfPolicy = (policy: UsagePolicy, valueKey: string): Budget => {
  const { id, name, workspace, type, enforcement, onStoreError, version } = policy;
  const { limit, alert, period } = termsOf(policy);
  return {
    base: `usage:policy:${id}:${valueKey}`,
    type,
    limit,
    alert,
    version,
    period,
    resetAt: undefined,
    enforcement,
    level: "policy",
    id,
    subject: name ?? id,
    policy: { id, valueKey, workspace },
    onStoreError,
  };
};

export const isHard = ({ budget }: { readonly budget: Budget }): boolean => budget.enforcement === "hard";

export const isHardCost = (one: { readonly budget: Budget }): boolean => isHard(one) && one.budget.type === "cost";

/** A limit in the unit of its counter: whole tokens and requests are below 2.5 where they are below 3. */
const amountOf = (type: Budget["type"], limit: number): bigint =>
  type === "cost" ? picodollarsOfNumber(limit) : BigInt(Math.ceil(limit));

/** An amount as people and the API read it: dollars with fractions, tokens, requests. */
export const shownAmount = (type: Budget["type"], amount: bigint): number =>
  type === "cost" ? Number(dollarsText(amount)) : Number(amount);

/** The same with its unit: `0.4 USD`. */
export const amountInWords = (type: Budget["type"], amount: bigint): string =>
  `${type === "cost" ? dollarsText(amount) : amount} ${unitNames[type]}`;

const unitNames = { cost: "USD", tokens: "tokens", requests: "requests" } as const;

/** `20 USD, weekly` */
export function wordingOf({ type, limit, period: { cadence } }: Budget): string {
  const often =
    cadence === undefined ? "" : typeof cadence === "string" ? `, ${cadence}` : `, every ${cadence.days} days`;
  return `${amountInWords(type, limit)}${often}`;
}
