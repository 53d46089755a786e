import type { Usage } from "../../model/usage.ts";
import { withTier } from "./tiers.ts";

/**
 * What a stream has used by what its frames have said up to one of them: later counts replace earlier ones bucket by bucket.
 * A frame of nothing but zeros never replaces one that says something: some vendors end their streams with one. The service
 * tier it names holds all the same.
 */
export function usageSoFar(before: Usage | undefined, later: Usage): Usage {
  if (!before) return later;
  if (!saysSomething(later) && saysSomething(before)) return withTier(before, later.serviceTier);
  return Object.assign({}, before, later);
}

function saysSomething(usage: Usage): boolean {
  for (const count of Object.values(usage)) if (typeof count === "number" && count > 0) return true;
  return false;
}
