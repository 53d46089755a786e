import type { Account } from "./account.ts";
import { isHard } from "./budgets.ts";
import type { Keeper } from "./keeping.ts";

export interface NamerParts {
  readonly keeper: Pick<Keeper, "edit">;
  /** Where nothing is kept, a period has the name each process gives it. */
  readonly keeps: boolean;
  /** Begins the next period of an account where the one before is over. */
  readonly goOn: (account: Account) => void;
  readonly trouble: (error: unknown) => void;
}

/**
 * Has records say what the periods of hard budgets are called, before room is made in them: who knows the budget with another
 * end (an edit, another file) would call the same period otherwise, and make the same room again, until something was used.
 */
export class Namer {
  readonly #parts: NamerParts;
  readonly #running = new Map<Account, Promise<void>>();

  constructor(parts: NamerParts) {
    this.#parts = parts;
  }

  /** A promise only for periods that have no name yet; it resolves whatever happens, as nobody waits twice for records that are away. */
  name(accounts: readonly Account[]): undefined | Promise<unknown> {
    const { keeps, goOn } = this.#parts;
    let work: Promise<void>[] | undefined;
    for (const account of accounts) {
      if (!isHard(account)) continue;
      goOn(account);
      if (!keeps || account.isNamed) continue;
      work ??= [];
      work.push(this.#running.get(account) ?? this.#name(account));
    }
    return work && Promise.all(work);
  }

  #name(account: Account): Promise<void> {
    const { keeper, trouble } = this.#parts;
    const { epoch } = account;
    const naming = keeper
      .edit(account)
      .catch(trouble)
      .finally(() => {
        account.triedName = epoch;
        this.#running.delete(account);
      });
    this.#running.set(account, naming);
    return naming;
  }
}
