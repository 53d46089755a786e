import type { CollectionDefinition, StoredRecord } from "../../core/index.ts";
import type { EditedPeriod, KeptPeriod } from "./kept-period.ts";

/** The limits an account was last judged by, as they are kept. */
export interface JudgedBy {
  /** Of what has them. */
  readonly version: number;
  /** When somebody who goes by them wrote last, Unix milliseconds. Absent where it was written before it was kept. */
  readonly saidAt?: number;
  /** In the unit of its counter, in decimal digits. */
  readonly limit: string;
  readonly alert: string | null;
  /** Absent where it was written before it was kept. */
  readonly period?: KeptPeriod;
}

/** What a process that ended could not tell the counter of the period. */
export interface Untold {
  /** Whoever tells it tells it by this name: told again, it is counted once. */
  readonly id: string;
  /** In the unit of the counter, in decimal digits. */
  readonly amount: string;
}

/** An account, as it is kept: what the management API shows, and what counters are restored from. */
export interface AccountDocument {
  readonly level: string;
  /** The id of the key, the workspace, the provider or the policy. */
  readonly subject: string;
  /** Of policies. */
  readonly value_key: string | null;
  readonly type: "cost" | "tokens" | "requests";
  /** Names the period that `total` is of. */
  readonly epoch: string;
  /** Picodollars, tokens or requests, in decimal digits: a JSON number would be rounded. */
  readonly total: string;
  /** What of it the counter does not have. */
  readonly untold?: readonly Untold[];
  /** The same in dollars, tokens or requests. */
  readonly current_usage: number;
  readonly status: "active" | "exhausted";
  readonly threshold_sent: boolean;
  readonly exhausted_sent: boolean;
  /** ISO 8601. */
  readonly next_reset_at: string | null;
  readonly last_reset_at: string | null;
  /** Nothing was ever counted of it: all it says is what its period is called. */
  readonly unused?: true;
  /** The last edit of its period. */
  readonly period?: EditedPeriod;
  readonly limits?: JudgedBy;
}

export const accountsCollection: CollectionDefinition<AccountDocument> = {
  name: "usage_accounts",
  schemaVersion: 1,
  indexes: ["subject", "status"],
};

export type KeptAccount = StoredRecord<AccountDocument>;

/** What of the total of a record its counter does not have. */
export const untoldIn = ({ untold = [] }: Pick<AccountDocument, "untold">): bigint =>
  untold.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
