import {
  type ManagedDocument,
  type OnStoreError,
  type RatePolicy,
  type ResourceParts,
  ResourceStore,
  type UsagePolicy,
} from "../../core/index.ts";
import type { KeptCondition, KeptGroup } from "./conditions.ts";
import type { Period } from "./periods.ts";

/** What every policy has. In the file it may be every workspace's. */
export interface PolicyDocument extends ManagedDocument {
  readonly name: string | null;
  readonly description: string | null;
  readonly conditions: readonly KeptCondition[];
  readonly group_by: readonly KeptGroup[];
  readonly status: "active" | "archived";
  /** Absent, or null, is as whoever counts does. */
  readonly on_store_error?: OnStoreError | null;
}

export interface UsageDocument extends PolicyDocument, Period {
  readonly type: UsagePolicy["type"];
  readonly credit_limit: number;
  readonly alert_threshold: number | null;
  /** ISO 8601, at midnight UTC. */
  readonly next_usage_reset_at: string | null;
  readonly last_reset_at: string | null;
  /** Absent of those that were made before there was a choice: soft. */
  readonly enforcement?: UsagePolicy["enforcement"];
}

export interface RateDocument extends PolicyDocument {
  readonly type: RatePolicy["type"];
  readonly unit: RatePolicy["unit"];
  readonly value: number;
  readonly target: RatePolicy["target"];
}

const store =
  <Document extends PolicyDocument>(collection: string, what: string, indexes: readonly (keyof Document & string)[]) =>
  (parts: ResourceParts<Document>): ResourceStore<Document> =>
    new ResourceStore<Document>({ collection, what, schemaVersion: 1, indexes, unseen: 404 }, parts);

export const usageStore = store<UsageDocument>("policy_usage_limits", "usage limits policy", ["status", "type"]);
export const rateStore = store<RateDocument>("policy_rate_limits", "rate limits policy", ["status", "type", "unit"]);
