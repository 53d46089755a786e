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

/** The rates of keys, workspaces and providers, made once for each of them. */
export function rulesOfThings(): (things: readonly Limited[]) => readonly RateRule[] {
  const known = new WeakMap<Limited, readonly RateRule[]>();
  const rulesOf = (thing: Limited): readonly RateRule[] => {
    let rules = known.get(thing);
    if (!rules) {
      rules = thing.rate.map((rate) => ruleOfThing(thing, rate));
      known.set(thing, rules);
    }
    return rules;
  };
  return (things) => (things.length === 0 ? none : things.flatMap(rulesOf));
}

const none: readonly RateRule[] = [];

const ruleOfThing = ({ level, id, subject }: Limited, { type, unit, value }: RateLimit): RateRule => ({
  base: `rate:${level}:${id}:${type}:${unit}`,
  type,
  unit,
  limit: BigInt(value),
  level,
  subject,
  onStoreError: undefined,
});

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
