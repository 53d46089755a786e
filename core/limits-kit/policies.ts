import type { PolicyCondition } from "../services/policies.ts";
import { conditionMatcher, type Matches } from "./conditions.ts";
import type { LimitFacts } from "./facts.ts";
import { valueKeyOf } from "./value-key.ts";

/** When limits are looked at: once for a request, or at each of its targets. */
export type LimitPhase = "admission" | "target";

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
  readonly phase: LimitPhase;
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

/** The policies of a list that are looked at in a phase, in their order. A list is made ready once. */
export function readyPolicies<Policy extends PolicyTerms>(
  counts: (policy: Policy) => boolean = () => true,
): (policies: readonly Policy[], phase: LimitPhase) => readonly ReadyPolicy<Policy>[] {
  const known = new WeakMap<readonly Policy[], Readonly<Record<LimitPhase, readonly ReadyPolicy<Policy>[]>>>();
  return (policies, phase) => {
    let ready = known.get(policies);
    if (!ready) {
      const all = policies.filter(counts).map(readyPolicy);
      const of = (wanted: LimitPhase) => all.filter((one) => one.phase === wanted);
      ready = { admission: of("admission"), target: of("target") };
      known.set(policies, ready);
    }
    return ready[phase];
  };
}
