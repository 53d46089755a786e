import { CountersError, type CountersService, type Settlement } from "../../core/index.ts";
import type { Account } from "./account.ts";
import type { Keeper } from "./keeping.ts";

/** Amounts on their way to the counters: told again under the same name until they have them. */
export interface Batch {
  readonly once: string;
  readonly group: string;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly account: Account;
  /** The period it is of. */
  readonly term: number;
  /** What was known when it was told first: the counter says at least so much and the amount, whenever it was raised. */
  readonly known: bigint;
  readonly settlement: Settlement;
}

/** An amount that goes on its way now, and a hold that ends with it. */
export function sending(account: Account, amount: bigint, hold?: string): Entry {
  account.sent += amount;
  return { account, term: account.term, known: account.known, settlement: account.settlement(amount, hold) };
}

/** Entries of one message. */
const mostEntries = 200;

/** Accounts as they are told: those of a group together, and as many of them as fit. */
export function* messagesOf(accounts: Iterable<Account>): Iterable<{ group: string; accounts: readonly Account[] }> {
  const waiting = new Map<string, Account[]>();
  for (const account of accounts) {
    const { group } = account;
    const others = waiting.get(group) ?? [];
    if (others.push(account) < mostEntries) waiting.set(group, others);
    else {
      waiting.delete(group);
      yield { group, accounts: others };
    }
  }
  for (const [group, others] of waiting) yield { group, accounts: others };
}

export interface TellerParts {
  readonly counters: CountersService;
  readonly keeper: Pick<Keeper, "isCrossed" | "save">;
  /** Puts right what the counters have lost. */
  readonly restore: (account: Account) => Promise<void>;
  readonly trouble: (error: unknown) => void;
}

/** A batch that they may not have; `asked` where they may have it all the same. */
interface Late {
  readonly batch: Batch;
  readonly asked: boolean;
}

/** Tells the counters what was used, until they know. */
export class Teller {
  readonly #parts: TellerParts;
  #late: Late[] = [];

  constructor(parts: TellerParts) {
    this.#parts = parts;
  }

  /** What they could not be told before. */
  async tellAgain(): Promise<void> {
    const late = this.#late;
    this.#late = [];
    for (const { batch, asked } of late) await this.tell(batch, true, asked);
  }

  /** Takes back what they were never asked to count. */
  takeBack(): void {
    for (const { batch, asked } of this.#late)
      for (const { account, term, settlement } of asked ? [] : batch.entries)
        if (account.term === term) {
          account.sent -= settlement.amount;
          account.unsent += settlement.amount;
        }
    this.#late = this.#late.filter(({ asked }) => asked);
  }

  /**
   * Tells the counters, and learns what they say; a promise only where they take their time. Never rejects: what they could
   * not be told is told again. `again`: it was asked for before, and may have been done: then they answer what they did then.
   */
  tell(batch: Batch, again = false, asked = false): undefined | Promise<void> {
    const { counters } = this.#parts;
    const { once, group, entries } = batch;
    const told = (totals: readonly bigint[]) => this.#told(batch, totals, again);
    const failed = (error: unknown): undefined => this.#untold({ batch, asked: true }, error, again);
    if (!counters.available) {
      const error = new CountersError("The store of the counters is not available.");
      return this.#untold({ batch, asked }, error, again);
    }
    try {
      // What is counted in this process is never in doubt: nothing has to be remembered.
      const name = counters.shared === "process" ? undefined : once;
      const totals = counters.settle(group, entries.map(settlementOf), name);
      return totals instanceof Promise ? totals.then(told, failed) : told(totals);
    } catch (error) {
      return failed(error);
    }
  }

  #untold(late: Late, error: unknown, again: boolean): undefined {
    const { batch } = late;
    const isWorthTelling = batch.entries.some(
      ({ settlement: { amount, hold } }) => amount !== 0n || hold !== undefined,
    );
    if (error instanceof CountersError && isWorthTelling) this.#late.push(late);
    for (const { account, term, settlement } of again ? [] : batch.entries)
      if (account.term === term && account.key === settlement.key) account.late += settlement.amount;
    this.#parts.trouble(error);
  }

  /** Learns what the counters say; what they seem to have forgotten is put right. */
  #told({ entries }: Batch, totals: readonly bigint[], again: boolean): undefined | Promise<void> {
    const { keeper } = this.#parts;
    let suspicious: Set<Account> | undefined;
    for (let at = 0; at < entries.length; at++) {
      const { account, term, known, settlement } = entries[at] as Entry;
      // What was used before a reset does not count.
      if (account.term !== term) continue;
      const { amount, key } = settlement;
      account.sent -= amount;
      if (account.key !== key) {
        // Its period has got another name meanwhile: it is told to the counter of that one.
        account.unsent += amount;
        continue;
      }
      account.told += amount;
      if (again) account.late -= amount;
      const total = totals[at] ?? 0n;
      const saidLess = total < known + amount;
      if (saidLess || account.doubtful) {
        // An amount that is told again may be in what was learnt meanwhile.
        account.doubt({ total, atLeast: known + amount, more: again ? 0n : amount, saidLess });
        suspicious ??= new Set();
        suspicious.add(account);
      } else account.hear(total);
      if (keeper.isCrossed(account)) void keeper.save(account);
    }
    return suspicious && this.#restoreAll(suspicious);
  }

  async #restoreAll(accounts: Iterable<Account>): Promise<void> {
    const { restore, trouble } = this.#parts;
    await Promise.all(Array.from(accounts, (one) => restore(one).catch(trouble)));
  }
}

const settlementOf = ({ settlement }: Entry): Settlement => settlement;
