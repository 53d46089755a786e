import type { PolicyCondition } from "../services/policies.ts";
import { conditionMatcher, type Matches } from "./conditions.ts";
import type { LimitFacts } from "./facts.ts";
import { valueKeyOf } from "./value-key.ts";

/** What of a policy says which requests it is about. */
export interface PolicyTerms {
  readonly conditions: readonly PolicyCondition[];
  readonly groupBy: readonly string[];
}

/** A policy ready to be asked about requests. */
export interface ReadyPolicy<Policy extends PolicyTerms> {
  readonly policy: Policy;
  /**
   * When it is looked at: once for a request, or at each of its targets, where it speaks of what is only known there
   * (policies.md section 5.1).
   */
  readonly phase: "admission" | "target";
  readonly isInForce: Matches;
  readonly valueKey: (facts: LimitFacts) => string;
}

const knownAtTargets: ReadonlySet<string> = new Set(["virtual_key", "provider", "model"]);

export function readyPolicy<Policy extends PolicyTerms>(policy: Policy): ReadyPolicy<Policy> {
  const { conditions, groupBy } = policy;
  const matchers = conditions.map(conditionMatcher);
  const keys = [...conditions.map(({ key }) => key), ...groupBy];
  return {
    policy,
    phase: keys.some((key) => knownAtTargets.has(key)) ? "target" : "admission",
    isInForce: (facts) => matchers.every((matches) => matches(facts)),
    valueKey: (facts) => valueKeyOf(groupBy, facts),
  };
}

/** The policies of a list that are in force for a request, in their order. The list is made ready once. */
export function policyMatcher<Policy extends PolicyTerms>(
  counts: (policy: Policy) => boolean = () => true,
): (
  policies: readonly Policy[],
  phase: ReadyPolicy<Policy>["phase"],
  facts: LimitFacts,
) => readonly ReadyPolicy<Policy>[] {
  const ready = new WeakMap<readonly Policy[], readonly ReadyPolicy<Policy>[]>();
  return (policies, phase, facts) => {
    if (policies.length === 0) return none;
    let list = ready.get(policies);
    if (!list) {
      list = policies.filter(counts).map(readyPolicy);
      ready.set(policies, list);
    }
    return list.filter((one) => one.phase === phase && one.isInForce(facts));
  };
}

const none: readonly never[] = [];
