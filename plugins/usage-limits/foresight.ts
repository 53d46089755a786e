import type { Exchange } from "../../core/index.ts";
import type { Account } from "./account.ts";
import { shownAmount, wordingOf } from "./budgets.ts";
import { budgetExceeded } from "./refusals.ts";

/** Tells which budgets a request would meet and how much of each is used, and throws what it would be refused with. */
export function foresee(exchange: Exchange, accounts: readonly Account[], now: number): void {
  let refused: Error | undefined;
  for (const account of accounts) {
    const { budget, total } = account;
    const { level, subject, type, limit, policy, enforcement } = budget;
    const isUsedUp = total >= limit;
    const counter = policy ? ` as ${policy.valueKey}` : "";
    exchange.routeNotes ??= [];
    exchange.routeNotes.push({
      path: exchange.attempt?.target.path ?? "limits",
      message:
        `${enforcement} budget of ${level} ${subject} (${wordingOf(budget)}): ${shownAmount(type, total)} used${counter}, ` +
        (isUsedUp ? "would be refused" : "lets it through"),
    });
    if (isUsedUp) refused ??= budgetExceeded(account, total, now);
  }
  if (refused) throw refused;
}
