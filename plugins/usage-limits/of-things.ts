import type { BudgetCounter, BudgetUsage, UsageOfThings } from "../../core/index.ts";
import { Account, accountId } from "./account.ts";
import type { Accounts } from "./accounts.ts";
import { type BudgetOfThing, budgetsOfThing, shownAmount } from "./budgets.ts";
import type { AccountDocument, Ledger } from "./ledger.ts";
import { lastResetOf } from "./periods.ts";

/** What was used of the budgets of keys, workspaces and providers: what is kept, or what this process knows where that is more. */
export function budgetCounter(ledger: Ledger | undefined, accounts: Accounts, now: () => number): BudgetCounter {
  return {
    async usageOf(organisation, things): Promise<UsageOfThings> {
      const budgets = new Map(things.map((thing) => [thing, budgetsOfThing(thing, "soft")]));
      const asked = things.filter((thing) => budgets.get(thing)?.length);
      const kept = new Map<string, AccountDocument>();
      if (ledger && asked.length > 0)
        for (const { id, document } of await ledger.ofSubjects(
          organisation,
          asked.map(({ id }) => id),
        ))
          kept.set(id, document);
      const moment = now();
      return new Map(
        asked.map((thing) => [
          thing,
          (budgets.get(thing) ?? []).map((budget) =>
            usageOf(budget, kept.get(accountId(budget.base)), accounts.known(organisation, budget), moment),
          ),
        ]),
      );
    },
  };
}

/** As the data path has it at the same moment: what is of another period, or from before a reset, does not count. */
function usageOf(
  budget: BudgetOfThing,
  kept: AccountDocument | undefined,
  known: Account | undefined,
  now: number,
): BudgetUsage {
  const account = new Account("", budget);
  account.resetAt = known?.resetAt ?? kept?.last_reset_at ?? "";
  account.turn(budget, now);
  const { epoch, endsAt, resetAt } = account;
  const current = kept?.epoch === epoch ? kept : undefined;
  const used = larger(current ? BigInt(current.total) : 0n, known?.epoch === epoch ? known.total : 0n);
  const began = lastResetOf(budget.period, now);
  const resets = [began === undefined ? "" : isoOf(began), budget.resetAt ?? "", resetAt].sort();
  return {
    type: budget.type,
    currentUsage: shownAmount(budget.type, used),
    status: used >= budget.limit ? "exhausted" : "active",
    lastResetAt: resets.at(-1) || null,
    nextResetAt: endsAt === undefined ? null : isoOf(endsAt),
    // A limit that was raised above what is used can be crossed again.
    thresholdAlertSent: current?.threshold_sent === true && budget.alert !== undefined && used >= budget.alert,
    exhaustedAlertSent: current?.exhausted_sent === true && used >= budget.limit,
  };
}

const isoOf = (moment: number): string => new Date(moment).toISOString();
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
