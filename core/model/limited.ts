import type { RateLimit, UsageLimits } from "../resource-kit/fields.ts";

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
}

export type LimitLevel = "api_key" | "token" | "workspace" | "integration" | "provider";
