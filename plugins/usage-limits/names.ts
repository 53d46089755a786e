import { createHash } from "node:crypto";
import type { Budget } from "./budgets.ts";

export const nameOf = (group: string, base: string): string => `${group} ${base}`;

/** A policy of the file may be about something else after a reload: what it has counted before is no number of that. */
export const keyIn = ({ base, type, policy }: Pick<Budget, "base" | "type" | "policy">, epoch: string): string =>
  `${policy ? `${base} ${type}` : base}@${epoch}`;

/** The id of an account's record, in the shape of a UUID: the same for the same base wherever it is made. */
export function accountId(base: string): string {
  const hex = createHash("sha256").update(base).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
