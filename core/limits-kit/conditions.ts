import type { PolicyCondition } from "../services/policies.ts";
import { finderOf, type LimitFacts, type TargetFacts } from "./facts.ts";

/** Whether a request is one that a condition speaks of. */
export type Matches = (facts: LimitFacts) => boolean;

/** One condition: its value is there, is one of `values`, and none of `excludes` (policies.md section 3.3). */
export function conditionMatcher({ key, values, excludes }: PolicyCondition): Matches {
  if (key === "model") return modelMatcher(values, excludes);
  const fold = key === "provider" ? (text: string) => text.toLowerCase() : same;
  const wanted = new Set(values.map(fold));
  const refused = new Set(excludes.map(fold));
  const find = finderOf(key);
  const any = wanted.has("*");
  const none = refused.has("*");
  return (facts) => {
    const found = find(facts);
    if (found === undefined || none) return false;
    const value = fold(found);
    return (any || wanted.has(value)) && !refused.has(value);
  };
}

const same = (text: string): string => text;

/** A call whose model nobody can read is none that gets around a policy (policies.md section 5.5). */
function modelMatcher(values: readonly string[], excludes: readonly string[]): Matches {
  const wanted = values.map(modelPattern);
  const refused = excludes.map(modelPattern);
  return (facts) => {
    const { target } = facts;
    if (!target) return false;
    if (!target.model) return facts.hidesModel;
    return wanted.some((fits) => fits(target)) && !refused.some((fits) => fits(target));
  };
}

/** `*`, `model`, `@provider/model`, `@provider/*`, `@provider/prefix*` (policies.md section 3.5). */
function modelPattern(pattern: string): (target: TargetFacts) => boolean {
  if (pattern === "*") return () => true;
  if (!pattern.startsWith("@")) return ({ model }) => model === pattern;
  const slash = pattern.indexOf("/");
  if (slash < 0) return () => false;
  const named = pattern.slice(1, slash);
  const name = pattern.slice(slash + 1);
  const prefix = name.endsWith("*") ? name.slice(0, -1) : undefined;
  return ({ provider, slug, model = "" }) =>
    (named === provider || named === slug) && (prefix === undefined ? model === name : model.startsWith(prefix));
}
