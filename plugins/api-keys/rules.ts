import { GatewayError, type OrganisationsService } from "../../core/index.ts";
import { isExpired } from "./document.ts";
import type { Issued, KeyRecord, Keys, NewKey } from "./keys.ts";
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

/**
 * Makes a key, unless its workspace has as many keys of people as it may: 400 AB01. Of several that are made at the same
 * time, one is made after the other; those that other processes made too late are taken back before anybody has them.
 */
export function issueWithin(
  keys: Keys,
  organisation: string,
  key: NewKey,
  { limit }: UserKeyRules,
  now: number,
): Promise<Issued> {
  if (limit === undefined) return keys.issue(organisation, key);
  return inTurn(`${organisation} ${key.workspace_id}`, () => issueBelow(limit, keys, organisation, key, now));
}

/** What is under way, by whose it is. */
const underWay = new Map<string, Promise<unknown>>();

async function inTurn<Made>(whose: string, make: () => Promise<Made>): Promise<Made> {
  const before = underWay.get(whose);
  const own = before ? before.then(make, make) : make();
  underWay.set(whose, own);
  try {
    return await own;
  } finally {
    if (underWay.get(whose) === own) underWay.delete(whose);
  }
}

async function issueBelow(limit: number, keys: Keys, organisation: string, key: NewKey, now: number): Promise<Issued> {
  const where = { workspace_id: key.workspace_id, type: key.type };
  const refuseBeyond = async (issued?: KeyRecord) => {
    const { total } = await keys.store.select(organisation, {
      where: where as { workspace_id: string },
      filter: (one) => !isExpired(one.document, now) && (issued === undefined || isBefore(one, issued)),
    });
    if (total < limit) return;
    if (issued) await keys.remove(issued);
    throw invalid("user_id", `this workspace has ${total} keys of people, and may have ${limit}`);
  };
  await refuseBeyond();
  const issued = await keys.issue(organisation, key);
  await refuseBeyond(issued.record);
  return issued;
}

const isBefore = (one: KeyRecord, other: KeyRecord): boolean =>
  one.createdAt === other.createdAt ? one.id < other.id : one.createdAt < other.createdAt;

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
