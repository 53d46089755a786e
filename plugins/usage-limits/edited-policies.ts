import { type PoliciesService, sharedGroup, type UsagePolicy } from "../../core/index.ts";
import type { Account } from "./account.ts";
import { type Budget, budgetOfPolicy } from "./budgets.ts";

/**
 * What the policy of an account says by now, where it was edited since somebody asked for the account: those who edit it know of
 * accounts that have a record, and the first requests of a policy may be under way. Undefined where it is the same, or cannot be
 * read; a promise where it was not read since something was edited.
 */
export function editedPolicies(
  policies: Pick<PoliciesService, "usage">,
): (account: Account) => Budget | undefined | Promise<Budget | undefined> {
  const known = new WeakMap<readonly UsagePolicy[], ReadonlyMap<string, UsagePolicy>>();
  const latestIn = (found: readonly UsagePolicy[], account: Account) => {
    const { policy: counted, type } = account.budget;
    const byId = known.get(found) ?? new Map(found.map((one) => [one.id, one]));
    known.set(found, byId);
    const policy = counted && byId.get(counted.id);
    return policy?.type === type && isNewsTo(account, policy.version)
      ? budgetOfPolicy(policy, counted?.valueKey ?? "")
      : undefined;
  };
  return (account) => {
    const { group, budget } = account;
    if (!budget.policy) return undefined;
    const organisation = group === sharedGroup || group === "" ? undefined : group;
    const found = policies.usage(organisation, budget.policy.workspace);
    if (!(found instanceof Promise)) return latestIn(found, account);
    return found.then(
      (list) => latestIn(list, account),
      () => undefined,
    );
  };
}

/** Whether an account is to be judged by that version: what it goes by only because others do is forgotten a day after they said so last. */
export const isNewsTo = ({ budget, isJudgedByOwn }: Account, edited = 0): boolean => {
  const { version = 0 } = budget;
  return edited > version || (edited === version && !isJudgedByOwn);
};
