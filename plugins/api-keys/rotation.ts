import { fields, GatewayError, z } from "../../core/index.ts";

/** When the secret of a key is exchanged without anybody asking (control-plane.md section 5.4). */
export interface RotationPolicy {
  /** Each Monday, or each first day of the month, at 00:00 UTC. */
  readonly rotation_period: "weekly" | "monthly" | null;
  readonly rotation_period_days: number | null;
  /** ISO 8601, at midnight UTC. */
  readonly next_rotation_at: string | null;
  /** How long the old secret stays good. */
  readonly key_transition_period_ms: number;
}

export const shortestTransition = 1_800_000;
const day = 24 * 60 * 60_000;

const transition = z
  .int()
  .min(shortestTransition)
  .describe("How long the old secret stays good, in milliseconds; half an hour unless said otherwise.");

export const rotationPolicy = z.object({
  rotation_period: z.enum(["weekly", "monthly"]).nullable().default(null),
  rotation_period_days: z.int().min(1).max(365).nullable().default(null),
  next_rotation_at: fields.midnight.nullable().default(null),
  key_transition_period_ms: transition.default(shortestTransition),
});

export const rotateBody = z.object({ key_transition_period_ms: transition.optional() });

/** How long a period is at least, in milliseconds; undefined without one. */
export function periodOf({ rotation_period, rotation_period_days }: CadenceOf): number | undefined {
  if (rotation_period === "weekly") return 7 * day;
  if (rotation_period === "monthly") return 28 * day;
  return rotation_period_days === null ? undefined : rotation_period_days * day;
}

type CadenceOf = Pick<RotationPolicy, "rotation_period" | "rotation_period_days">;

/** The first date of a period after a time, at midnight UTC; null without a period. */
export function nextRotation({ rotation_period, rotation_period_days }: CadenceOf, now: number): string | null {
  const date = new Date(now);
  date.setUTCHours(0, 0, 0, 0);
  if (rotation_period === "weekly") date.setUTCDate(date.getUTCDate() + (7 - ((date.getUTCDay() + 6) % 7)));
  else if (rotation_period === "monthly") date.setUTCMonth(date.getUTCMonth() + 1, 1);
  else if (rotation_period_days !== null) date.setUTCDate(date.getUTCDate() + rotation_period_days);
  else return null;
  return date.toISOString();
}

/** The policy after its date has come: with the next one, or none at all where it was for once. */
export function afterRotation(policy: RotationPolicy | null, now: number): RotationPolicy | null {
  if (!policy) return null;
  const next = nextRotation(policy, now);
  return next === null ? null : { ...policy, next_rotation_at: next };
}

/** A policy as it is kept, with its first date. Throws 400 AB01 where the parts of it contradict each other. */
export function checkedPolicy(
  given: RotationPolicy,
  { now, enforcedDays }: { readonly now: number; readonly enforcedDays: number | undefined },
): RotationPolicy {
  const { rotation_period, rotation_period_days, next_rotation_at, key_transition_period_ms } = given;
  if (rotation_period !== null && rotation_period_days !== null)
    throw invalid("rotation_period_days", "excludes rotation_period: give one of them");
  if (enforcedDays !== undefined) refuseOwnCadence(given, enforcedDays);
  const next = next_rotation_at ?? nextRotation(given, now);
  if (next === null) throw invalid("rotation_period", "says how often, or next_rotation_at when: give one of them");
  if (Date.parse(next) <= now) throw invalid("next_rotation_at", "must be at a midnight (UTC) still to come");
  refuseLongTransition(given, key_transition_period_ms, "rotation_policy.key_transition_period_ms");
  return { ...given, next_rotation_at: next };
}

/** The transition of a rotation has to end before the next one. */
export function refuseLongTransition(policy: CadenceOf | null, milliseconds: number, param: string): void {
  const period = policy ? periodOf(policy) : undefined;
  if (period === undefined || milliseconds < period) return;
  throw new GatewayError("record_invalid", `${param}: must be shorter than the period of ${period} ms.`, { param });
}

function refuseOwnCadence(given: RotationPolicy, days: number): void {
  const { rotation_period: period, rotation_period_days } = given;
  const asked = period === null ? rotation_period_days : daysOf[period];
  if (asked !== days)
    throw invalid("rotation_period_days", `keys of people are rotated every ${days} days here, and not otherwise`);
  if (given.next_rotation_at !== null)
    throw invalid("next_rotation_at", `is not to be chosen: keys of people are rotated every ${days} days here`);
}

/** What a period counts as where a cadence is enforced. */
const daysOf = { weekly: 7, monthly: 30 } as const;

/** What a key gets where a cadence is enforced and none is asked for. */
export const enforcedPolicy = (days: number, now: number): RotationPolicy => {
  const cadence = { rotation_period: null, rotation_period_days: days };
  return { ...cadence, next_rotation_at: nextRotation(cadence, now), key_transition_period_ms: shortestTransition };
};

const invalid = (field: string, what: string) =>
  new GatewayError("record_invalid", `rotation_policy.${field}: ${what}.`, { param: `rotation_policy.${field}` });
