import { type Attempt, type CountersService, type Exchange, rootOf, slot } from "../../core/index.ts";
import type { Account } from "./account.ts";

/** The budgets a request, or one of its targets, is counted against. */
export class Charged {
  readonly group: string;
  accounts: readonly Account[];
  /** What counts as a request: a copy of one is none. */
  readonly requests: bigint;
  /** Names of what is held: a request and everyone called beside it hold room of their own. */
  readonly holds: string[] = [];
  /** Whether the store has any of it, and who held what was held while the store was away. */
  there = false;
  alone: CountersService | undefined;
  /** Of a socket: where it was counted as a request since it was opened. */
  opened: Account[] = [];

  constructor({ group, accounts, requests }: Pick<Charged, "group" | "accounts" | "requests">) {
    this.group = group;
    this.accounts = accounts;
    this.requests = requests;
  }

  /** Goes on with its accounts as they are learnt anew, where some were let go meanwhile; undefined where none was. */
  learnAnew(learner: {
    anew(accounts: readonly Account[]): Promise<Account[]> | undefined;
  }): Promise<void> | undefined {
    return learner.anew(this.accounts)?.then((anew) => {
      this.opened = anew.filter((_, at) => this.opened.includes(this.accounts[at] as Account));
      this.accounts = anew;
    });
  }

  held(account: Account, hold: string, alone: CountersService | undefined): void {
    account.hasHeld = true;
    if (!this.holds.includes(hold)) this.holds.push(hold);
    if (alone) this.alone = alone;
    else this.there = true;
  }
}

export const chargedAtAdmission = slot<Exchange, Charged>("budgets charged at admission");
export const chargedAtTarget = slot<Attempt, Charged>("budgets charged at a target");

/** Whether anything is counted of a request, or of one of its targets. */
export const isCharged = (exchange: Exchange): boolean =>
  chargedAtAdmission.get(exchange) !== undefined ||
  exchange.attempts.some((attempt) => chargedAtTarget.get(attempt) !== undefined);

/** Of an attempt beside others, under which it holds room in the budgets of the whole request. */
export const holdBeside = slot<Exchange, string>("hold of an attempt beside others");

/** What the whole request was let in with; a copy of it is counted against the same budgets. */
export function admittedWith(exchange: Exchange): Charged | undefined {
  const root = rootOf(exchange);
  const own = chargedAtAdmission.get(root);
  if (own || !root.trunk) return own;
  const original = admittedWith(root.trunk);
  if (!original) return undefined;
  const copied = new Charged({ group: original.group, accounts: original.accounts, requests: 0n });
  chargedAtAdmission.set(root, copied);
  return copied;
}
