/** Something with limits of its own (policies.md section 1), as whoever enforces them knows it. */
export interface Limited {
  readonly level: LimitLevel;
  /** Names its counters: a key keeps its id when it is rotated. */
  readonly id: string;
  /** What people call it, in refusals: the name of a key, the slug of a workspace. */
  readonly subject: string;
  readonly usage: readonly UsageLimits[];
  readonly rate: readonly RateLimit[];
  /** When its budgets were last reset by hand, ISO 8601: what was used before does not count. */
  readonly resetAt?: string | null;
  /** When it was made, Unix milliseconds: periods of so many days are counted from then. */
  readonly since?: number;
  /** Of its record, which each change raises: of two that are known, the one with the higher version holds. */
  readonly version?: number;
}

export type LimitLevel = "api_key" | "token" | "workspace" | "integration" | "provider";

/** A budget: in US dollars for `cost`, in tokens for `tokens`. */
export interface UsageLimits {
  readonly credit_limit: number | null;
  readonly type: "cost" | "tokens";
  readonly alert_threshold: number | null;
  readonly periodic_reset: "monthly" | "weekly" | null;
  readonly periodic_reset_days: number | null;
  /** A midnight, UTC. */
  readonly next_usage_reset_at: string | null;
}

/** How many requests or tokens in a window; 0 lets none through. */
export interface RateLimit {
  readonly type: "requests" | "tokens";
  readonly unit: "rps" | "rpm" | "rph" | "rpd" | "rpw";
  readonly value: number;
}
