import { serviceToken } from "../service-token.ts";
import type { OnStoreError } from "./counters.ts";

/** Policies that are kept, by the store or by the config file, for whoever limits requests by them (policies.md). */
export interface PoliciesService {
  /**
   * The active policies of a workspace, oldest first; without one, those that the file has for everybody. At hand once they
   * were asked for: a promise only where the store has to be asked. Rejects with `store_unavailable`.
   */
  usage(
    organisation: string | undefined,
    workspace: string | undefined,
  ): readonly UsagePolicy[] | Promise<readonly UsagePolicy[]>;
  rates(
    organisation: string | undefined,
    workspace: string | undefined,
  ): readonly RatePolicy[] | Promise<readonly RatePolicy[]>;
  /** Says who counts; one plugin does. Without one nothing has been used. */
  countedBy(counters: PolicyCounters): void;
  /** Said by who limits requests by policies of a kind, also where that is switched off: those of the file limit nothing without. */
  metBy?(kind: PolicyKind): void;
}

export type PolicyKind = "usage" | "rates";

interface Policy {
  readonly id: string;
  readonly name: string | null;
  /** The workspace it belongs to; absent of those that the file has for everybody. */
  readonly workspace?: string;
  /** All of them have to hold. */
  readonly conditions: readonly PolicyCondition[];
  /** Keys, in order: each combination of their values has a counter of its own. */
  readonly groupBy: readonly string[];
  /** Absent is as whoever counts does with the other limits. */
  readonly onStoreError?: OnStoreError;
}

export interface PolicyCondition {
  /** `api_key`, `metadata.team`, … (policies.md section 3.2). */
  readonly key: string;
  /** One of these has to match. */
  readonly values: readonly string[];
  /** And none of these. */
  readonly excludes: readonly string[];
}

export interface UsagePolicy extends Policy {
  readonly type: "cost" | "tokens" | "requests";
  /** US dollars for `cost`; 0 lets nothing through. */
  readonly creditLimit: number;
  readonly alertThreshold: number | null;
  /** Absent is cumulative. */
  readonly period?: "monthly" | "weekly" | { readonly days: number };
  /** Unix milliseconds; absent where nothing is reset. It may lie behind: then the period goes on from there. */
  readonly nextResetAt?: number;
  /** `soft` counts what was used afterwards, `hard` makes room for it before. */
  readonly enforcement: "soft" | "hard";
  /**
   * Of its record, which each change raises, or since when its file is as it is, Unix milliseconds: of two that are known, the one
   * with the higher version holds.
   */
  readonly version?: number;
}

export interface RatePolicy extends Policy {
  readonly type: "requests" | "tokens";
  readonly unit: "rpm" | "rph" | "rpd" | "rpw";
  /** In each window; 0 lets nothing through. */
  readonly value: number;
  readonly target: "llm" | "mcp_tools";
}

/** Whether its period was edited, or how much it allows alone. */
export type EditOfPolicy = "period" | "limits";

/** The counters of usage policies; those of callers of no organisation where none is named. */
export interface PolicyCounters {
  /** Every value key that was ever counted under a policy. */
  entities(organisation: string | undefined, policy: string): Promise<readonly PolicyEntity[]>;
  /** A policy was edited: its counters learn it at once where it matters before they are next asked for. */
  edited(organisation: string, policy: UsagePolicy, what: EditOfPolicy): Promise<unknown>;
  /** Sets a counter to zero; `entity` is its id. False where there is none. */
  reset(organisation: string | undefined, policy: string, entity: string): Promise<boolean>;
}

export interface PolicyEntity {
  readonly id: string;
  /** `metadata._user:ana` (policies.md section 4). */
  readonly valueKey: string;
  /** What it counts. A policy of the file may have come to be about something else since. */
  readonly type: UsagePolicy["type"];
  /** In its unit: dollars, tokens or requests. */
  readonly currentUsage: number;
  readonly status: "active" | "exhausted";
  readonly thresholdAlertSent: boolean;
  readonly exhaustedAlertSent: boolean;
}

export const Policies = serviceToken<PoliciesService>("policies");
