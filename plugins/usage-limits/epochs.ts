import type { AccountDocument } from "./kept-account.ts";

/** `after` tells a period from an earlier one that was to have this end, and had another in the end. */
export const epochOf = (endsAt: number | undefined, resetAt: string, after?: string): string =>
  [endsAt ?? "ever", ...(after ? [resetAt, after] : resetAt ? [resetAt] : [])].join(" ");

/**
 * What later periods are told apart by: when one ended that was to have another end, or what its own name says. `end` is
 * undefined of one that has not ended.
 */
export function afterMoved(epoch: string, end: number | undefined): string {
  const [named = "", , after = ""] = epoch.split(" ");
  return end === undefined || named === "" || named === `${end}` ? after : new Date(end).toISOString();
}

/** Whether it is the name of a period that ends, and comes after no reset, nor after one whose end was moved. */
export const isPlain = (epoch: string): boolean => /^\d*$/.test(epoch);

/** Which reset by hand a period comes after. */
export const resetOf = (epoch: string): string => epoch.split(" ")[1] ?? "";

/** The last reset by hand that a record knows of: its own, or one of the thing it belongs to, which its period comes after. */
export const resetIn = ({ epoch, last_reset_at }: Pick<AccountDocument, "epoch" | "last_reset_at">): string =>
  laterOf(last_reset_at ?? "", resetOf(epoch));

/** ISO 8601 sorts by time. */
export const laterOf = (one: string, other: string): string => (one > other ? one : other);
