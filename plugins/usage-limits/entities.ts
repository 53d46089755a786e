import {
  atMost,
  type EditOfPolicy,
  type Logger,
  type PolicyCounters,
  type PolicyEntity,
  sharedGroup,
  type UsagePolicy,
} from "../../core/index.ts";
import type { Accounts } from "./accounts.ts";
import { budgetOfPolicy } from "./budgets.ts";
import type { AccountDocument } from "./kept-account.ts";
import { learning } from "./learning.ts";
import type { Ledger } from "./ledger.ts";
import { takesBack } from "./written-account.ts";

/** Milliseconds that whoever looks waits for what was counted last to be kept. */
const patience = 2000;

/** The counters of policies, as the management API shows them: what is kept of them, up to now as far as this process knows. */
export function policyCounters(
  ledger: Ledger,
  accounts: Accounts,
  { now, log }: { readonly now: () => number; readonly log: Logger },
): PolicyCounters {
  const learn = learning(accounts, log);
  const keptUpToNow = async (organisation: string, policy: string) => {
    await accounts.flush();
    await accounts.sync(({ budget, group }) => group === organisation && budget.id === policy);
  };
  /** With what this process has counted up to now. */
  const recordsOf = async (organisation: string, policy: string) => {
    await keptUpToNow(organisation, policy);
    return ledger.ofPolicy(organisation, policy);
  };
  /** Of limits alone only those learn that were told of what does not hold any more; the others, when they are next asked for. */
  const toLearn = async (organisation: string, policy: UsagePolicy, what: EditOfPolicy) =>
    (await recordsOf(organisation, policy.id)).flatMap(({ document }) => {
      const budget = budgetOfPolicy(policy, document.value_key ?? "");
      return what === "period" || takesBack(document, budget) ? [budget] : [];
    });
  return {
    edited: (organisation, policy, what) => learn(organisation, toLearn(organisation, policy, what)),
    async entities(organisation = sharedGroup, policy) {
      // Where a hundred thousand have something new it takes minutes to keep it: what is shown may be behind by then.
      await atMost(patience, keptUpToNow(organisation, policy));
      const records = await ledger.ofPolicy(organisation, policy);
      return records.flatMap(({ id, document }) => (document.unused ? [] : [entityOf(id, document, now())]));
    },
    async reset(organisation = sharedGroup, policy, entity) {
      for (;;) {
        const record = await ledger.read({ group: organisation, id: entity });
        if (record?.document.subject !== policy) return false;
        if (await ledger.reset(record, now())) break;
      }
      await accounts.changed(organisation, entity, undefined);
      return true;
    },
  };
}

/** A period that is over has been reset, also where nobody has been counted since. */
function entityOf(id: string, document: AccountDocument, now: number): PolicyEntity {
  const { value_key, type, current_usage, status, threshold_sent, exhausted_sent, next_reset_at } = document;
  const isOver = next_reset_at !== null && Date.parse(next_reset_at) <= now;
  return {
    id,
    valueKey: value_key ?? "",
    type,
    currentUsage: isOver ? 0 : current_usage,
    status: isOver ? "active" : status,
    thresholdAlertSent: !isOver && threshold_sent,
    exhaustedAlertSent: !isOver && exhausted_sent,
  };
}
