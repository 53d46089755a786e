import type { PolicyCondition } from "../services/policies.ts";
import { conditionMatcher, type Matches } from "./conditions.ts";
import type { LimitFacts } from "./facts.ts";
import { valueKeysOf } from "./value-key.ts";

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
    valueKey: valueKeysOf(groupBy),
  };
}

/** A policy that counts, and the limit it is for each value of its groups. */
export interface CountingPolicy<Limit> {
  readonly phase: LimitPhase;
  readonly isInForce: Matches;
  readonly limitOf: (facts: LimitFacts) => Limit;
}

export interface CountingInput<Policy, Limit> {
  /** Which policies count; all unless said otherwise. */
  readonly counts?: (policy: Policy) => boolean;
  /** The limit of a policy for a value of its groups, which names its counter. */
  readonly ofPolicy: (policy: Policy, valueKey: string) => Limit;
}

/** The policies of a list that are looked at in a phase, in their order. A list is made ready once. */
export function countingPolicies<Policy extends PolicyTerms, Limit>({
  counts = () => true,
  ofPolicy,
}: CountingInput<Policy, Limit>): (policies: readonly Policy[], phase: LimitPhase) => readonly CountingPolicy<Limit>[] {
  const known = new WeakMap<readonly Policy[], Readonly<Record<LimitPhase, readonly CountingPolicy<Limit>[]>>>();
  const counting = (given: Policy): CountingPolicy<Limit> => {
    const { policy, phase, isInForce, valueKey } = readyPolicy(given);
    const limitFor = remembering((value: string) => ofPolicy(policy, value));
    return { phase, isInForce, limitOf: (facts) => limitFor(valueKey(facts)) };
  };
  return (policies, phase) => {
    let ready = known.get(policies);
    if (!ready) {
      const all = policies.filter(counts).map(counting);
      const of = (wanted: LimitPhase) => all.filter((one) => one.phase === wanted);
      ready = { admission: of("admission"), target: of("target") };
      known.set(policies, ready);
    }
    return ready[phase];
  };
}

/** Of how many values of a policy the limit is remembered. There may be as many as there are users: then it begins anew. */
const mostRemembered = 2_000;

function remembering<Limit>(make: (value: string) => Limit): (value: string) => Limit {
  const known = new Map<string, Limit>();
  return (value) => {
    let limit = known.get(value);
    if (limit === undefined) {
      limit = make(value);
      if (known.size >= mostRemembered) known.clear();
      known.set(value, limit);
    }
    return limit;
  };
}
