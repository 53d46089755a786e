import type { Limited, LimitRefusal, RateLimit, RatePolicy } from "../../core/index.ts";
import { unitNames } from "./windows.ts";

/** One rate a request has to stay within. */
export interface RateRule {
  /** Names the counter but for its window. */
  readonly base: string;
  readonly type: RateLimit["type"];
  readonly unit: RateLimit["unit"];
  readonly limit: bigint;
  readonly level: LimitRefusal["level"];
  readonly subject: string;
  readonly policy?: { readonly id: string; readonly valueKey: string };
  readonly onStoreError: RatePolicy["onStoreError"] | undefined;
}

/** The rates of keys, workspaces and providers. */
export const rulesOfThing = ({ level, id, subject, rate }: Limited): readonly RateRule[] =>
  rate.map(({ type, unit, value }) => ({
    base: `rate:${level}:${id}:${type}:${unit}`,
    type,
    unit,
    limit: BigInt(value),
    level,
    subject,
    onStoreError: undefined,
  }));

export const ruleOfPolicy = (
  { id, name, type, unit, value, onStoreError }: RatePolicy,
  valueKey: string,
): RateRule => ({
  base: `rate:policy:${id}:${valueKey}:${type}:${unit}`,
  type,
  unit,
  limit: BigInt(value),
  level: "policy",
  subject: name ?? id,
  policy: { id, valueKey },
  onStoreError,
});

/** `2 requests per minute` */
export const wordingOf = ({ limit, type, unit }: RateRule): string => `${limit} ${type} per ${unitNames[unit]}`;
