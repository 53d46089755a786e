import { atMost, type Logger } from "../../core/index.ts";
import type { Accounts } from "./accounts.ts";
import type { Budget } from "./budgets.ts";

/** Budgets that are told of at the same time. */
const atOnce = 8;

/** Milliseconds that whoever edits waits for it; the rest is learnt behind its back. */
const patience = 2_000;

/** Tells counters that their periods were edited. What cannot be learnt now is when a budget is next asked for. */
export const learning =
  (accounts: Accounts, log: Logger) =>
  (organisation: string, edited: Promise<readonly Budget[]>): Promise<unknown> => {
    const learn = async () => {
      const budgets = await edited;
      for (let at = 0; at < budgets.length; at += atOnce)
        await Promise.all(budgets.slice(at, at + atOnce).map((budget) => accounts.edited(organisation, budget)));
    };
    const learnt = learn().catch((error: unknown) =>
      log.warn("the edit of a budget's period is learnt later", { error }),
    );
    return atMost(patience, learnt);
  };
