import { GatewayError, type OrganisationsService } from "../../core/index.ts";
import type { KeyKind } from "./kinds.ts";
import { checkedPolicy, enforcedPolicy, type RotationPolicy } from "./rotation.ts";

/** What keys of people have to keep to (control-plane.md section 2.8). */
export interface UserKeyRules {
  /** Days between two rotations. */
  readonly rotationDays?: number | undefined;
  /** Days after which a key expires that says nothing of it, and days it may say at most. */
  readonly defaultDays?: number | undefined;
  readonly maxDays?: number | undefined;
  /** Keys of people in one workspace at most. */
  readonly limit?: number | undefined;
}

const day = 24 * 60 * 60_000;

export type RulesFinder = (kind: KeyKind, organisation: string, workspace: string | undefined) => Promise<UserKeyRules>;

/**
 * The rules for a key: what its organisation or workspace has decided, and else what the config file says. Those for keys of
 * people bind no service.
 */
export const rulesFinder =
  (own: UserKeyRules, { settings }: Pick<OrganisationsService, "settings">): RulesFinder =>
  async (kind, organisation, workspace) => {
    if (kind !== "workspace-user") return {};
    const { rotationDays, defaultDays, maxDays, most } = (await settings(organisation, workspace)).userKeys;
    return {
      rotationDays: rotationDays ?? own.rotationDays,
      defaultDays: defaultDays ?? own.defaultDays,
      maxDays: maxDays ?? own.maxDays,
      limit: most ?? own.limit,
    };
  };

/** When a key expires: as it says, or as is usual. Throws 400 AB01 for a time that is over, or too far away. */
export function checkedExpiry(
  given: string | null | undefined,
  { defaultDays, maxDays }: UserKeyRules,
  now: number,
): string | null {
  if (given === undefined) {
    // They may have been decided in different places.
    const days = defaultDays === undefined ? maxDays : Math.min(defaultDays, maxDays ?? defaultDays);
    return days === undefined ? null : new Date(now + days * day).toISOString();
  }
  if (given !== null && Date.parse(given) <= now) throw invalid("expires_at", "must be in the future");
  if (maxDays !== undefined && (given === null || Date.parse(given) > now + maxDays * day))
    throw invalid("expires_at", `may be ${maxDays} days away at most for keys of people`);
  return given;
}

/** The policy of a key that asks for one, for none (null), or says nothing of it. */
export function policyFor(
  given: RotationPolicy | null | undefined,
  { rotationDays }: UserKeyRules,
  now: number,
): RotationPolicy | null {
  if (given) return checkedPolicy(given, { now, enforcedDays: rotationDays });
  if (rotationDays === undefined) return null;
  if (given === null) throw invalid("rotation_policy", `keys of people are rotated every ${rotationDays} days here`);
  return enforcedPolicy(rotationDays, now);
}

const invalid = (param: string, what: string) => new GatewayError("record_invalid", `${param}: ${what}.`, { param });
