import { whyKnownElsewhere } from "../../core/index.ts";
import type { Account } from "./account.ts";
import type { RestorerInput } from "./restoring.ts";

/** What is known of an account. */
export interface Knowledge {
  /** Why it is not known here what is used of it. */
  readonly elsewhere?: string | undefined;
  /** It is known from a record that is written now and then. */
  readonly late?: boolean;
}

/** What a process that only looks knows of an account. */
export function knowledgeOf(
  { budget, doubtful, record }: Account,
  { counters, ledger }: Pick<RestorerInput, "counters" | "ledger">,
): Knowledge {
  const { shared, available } = counters;
  if (!ledger) return { elsewhere: whyKnownElsewhere({ shared, available: available && !doubtful }) };
  if (doubtful && !record) return { elsewhere: "its record cannot be read" };
  // Of hard budgets each answer is kept.
  return { late: budget.enforcement === "soft" && shared !== "deployment" };
}
