import { type Attempt, type CountersService, type Exchange, slot } from "../../core/index.ts";
import type { Account } from "./account.ts";

/** The budgets a request, or one of its targets, is counted against. */
export class Charged {
  readonly group: string;
  readonly accounts: readonly Account[];
  /** Those room was made in, and under which name. */
  readonly held: ReadonlySet<Account>;
  readonly hold: string;
  /** Who holds it; undefined where nothing is held. */
  readonly by: CountersService | undefined;

  constructor(parts: Pick<Charged, "group" | "accounts" | "held" | "hold" | "by">) {
    this.group = parts.group;
    this.accounts = parts.accounts;
    this.held = parts.held;
    this.hold = parts.hold;
    this.by = parts.by;
  }
}

export const chargedAtAdmission = slot<Exchange, Charged>("budgets charged at admission");
export const chargedAtTarget = slot<Attempt, Charged>("budgets charged at a target");
