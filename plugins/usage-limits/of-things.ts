import type { BudgetCounter, BudgetUsage, Limited, Logger, UsageOfThings } from "../../core/index.ts";
import { alertsStanding, endOfPeriod, lastResetOf } from "../../core/index.ts";
import type { Account } from "./account.ts";
import type { Accounts } from "./accounts.ts";
import { largest } from "./amounts.ts";
import { type BudgetOfThing, budgetsOfThing, type Enforcement, shownAmount } from "./budgets.ts";
import { resetOf } from "./epochs.ts";
import type { AccountDocument } from "./kept-account.ts";
import { learning } from "./learning.ts";
import { type Ledger, momentOf } from "./ledger.ts";
import { accountId } from "./names.ts";

/** What was used of the budgets of keys, workspaces and providers: what is kept, or what this process knows where that is more. */
export function budgetCounter(
  ledger: Ledger | undefined,
  accounts: Accounts,
  { now, log, enforcement }: { readonly now: () => number; readonly log: Logger; readonly enforcement: Enforcement },
): BudgetCounter {
  const learn = learning(accounts, log);
  /** Of budgets nobody has used there is nothing to learn. */
  const usedOf = async (organisation: string, things: readonly Limited[]) => {
    const kept = await ledger?.ofSubjects(
      organisation,
      things.map(({ id }) => id),
    );
    const ids = new Set(kept?.map(({ id }) => id));
    return things
      .flatMap((thing) => budgetsOfThing(thing, enforcement))
      .filter((budget) => ids.has(accountId(budget.base)) || accounts.known(organisation, budget));
  };
  return {
    edited: (organisation, things) => learn(organisation, usedOf(organisation, things)),
    async usageOf(organisation, things): Promise<UsageOfThings> {
      const budgets = new Map(things.map((thing) => [thing, budgetsOfThing(thing, enforcement)]));
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
  const { type, limit, alert, period } = budget;
  const [reset = ""] = [budget.resetAt ?? "", kept?.last_reset_at ?? "", known?.resetAt ?? ""].sort().reverse();
  // An epoch ends with the reset it comes after; a period whose end was moved goes on.
  const isOfNow = (epoch: string, endsAt: number | undefined) =>
    epoch !== "" && (reset === "" || resetOf(epoch) === reset) && (endsAt === undefined || endsAt > now);
  const current = kept && isOfNow(kept.epoch, momentOf(kept.next_reset_at)) ? kept : undefined;
  const atHand = known && isOfNow(known.epoch, known.endsAt) ? known.total : 0n;
  const used = largest(current ? BigInt(current.total) : 0n, atHand);
  const [lastReset] = [reset, isoOf(lastResetOf(period, now)) ?? ""].sort().reverse();
  return {
    type,
    currentUsage: shownAmount(type, used),
    status: used >= limit ? "exhausted" : "active",
    lastResetAt: lastReset || null,
    nextResetAt: isoOf(endOfPeriod(period, now)),
    ...alertsStanding({
      used,
      limit,
      alert,
      thresholdSent: current?.threshold_sent === true,
      exhaustedSent: current?.exhausted_sent === true,
    }),
  };
}

const isoOf = (moment: number | undefined): string | null =>
  moment === undefined ? null : new Date(moment).toISOString();
