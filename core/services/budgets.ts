import type { Limited } from "../model/limited.ts";
import { serviceToken } from "../service-token.ts";

/**
 * What was used of the budgets of keys, workspaces, providers and shares of integrations, for those who show them. Whoever
 * counts is set up after those who show: it tells this service that it does.
 */
export interface BudgetsService {
  /**
   * Of each of these things of an organisation, what was used of each budget it has: one question to the store for all of
   * them. Undefined where nobody counts. Rejects with a `RecordError`.
   */
  usageOf(organisation: string, things: readonly Limited[]): Promise<UsageOfThings | undefined>;
  /**
   * Periods of these things were edited, or begun anew by hand: whoever counts learns it at once, and not when the things are
   * next asked for. What is under way is counted in the period that has begun.
   */
  edited(organisation: string, things: readonly Limited[]): Promise<unknown>;
  /** Says who counts; one plugin does. */
  countedBy(counter: BudgetCounter): void;
}

export interface BudgetCounter {
  usageOf(organisation: string, things: readonly Limited[]): Promise<UsageOfThings>;
  edited(organisation: string, things: readonly Limited[]): Promise<unknown>;
}

/** By the things that were asked about; one that has no budget has no entry. */
export type UsageOfThings = ReadonlyMap<Limited, readonly BudgetUsage[]>;

export interface BudgetUsage {
  /** A thing has one budget of a type at most. */
  readonly type: "cost" | "tokens";
  /** Dollars with fractions, or tokens; of the current period, as far as this process knows. */
  readonly currentUsage: number;
  readonly status: "active" | "exhausted";
  /** When the current period began, by hand or by itself, ISO 8601; null in the first one. */
  readonly lastResetAt: string | null;
  /** Null where nothing is reset by itself. */
  readonly nextResetAt: string | null;
  readonly thresholdAlertSent: boolean;
  readonly exhaustedAlertSent: boolean;
}

export const Budgets = serviceToken<BudgetsService>("budgets");
