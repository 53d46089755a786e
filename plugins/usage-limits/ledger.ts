import {
  type CollectionDefinition,
  type RecordCollection,
  RecordError,
  type RecordsService,
  type StoredRecord,
} from "../../core/index.ts";
import type { Account } from "./account.ts";
import { shownAmount } from "./budgets.ts";

/** An account, as it is kept: what the management API shows, and what counters are restored from. */
export interface AccountDocument {
  readonly level: string;
  /** The id of the key, the workspace, the provider or the policy. */
  readonly subject: string;
  /** Of policies. */
  readonly value_key: string | null;
  readonly type: "cost" | "tokens" | "requests";
  /** Names the period that `total` is of. */
  readonly epoch: string;
  /** Picodollars, tokens or requests, in decimal digits: a JSON number would be rounded. */
  readonly total: string;
  /** The same in dollars, tokens or requests. */
  readonly current_usage: number;
  readonly status: "active" | "exhausted";
  readonly threshold_sent: boolean;
  readonly exhausted_sent: boolean;
  /** ISO 8601. */
  readonly next_reset_at: string | null;
  readonly last_reset_at: string | null;
}

export const accountsCollection: CollectionDefinition<AccountDocument> = {
  name: "usage_accounts",
  schemaVersion: 1,
  indexes: ["subject", "status"],
};

type Kept = StoredRecord<AccountDocument>;

/** What a write has crossed. */
export type Crossed = "threshold" | "exhausted";

/** The records of accounts. What is written only grows within a period, whoever writes it. */
export class Ledger {
  readonly #collection: RecordCollection<AccountDocument>;

  constructor(records: RecordsService) {
    this.#collection = records.collection(accountsCollection);
  }

  read(account: Pick<Account, "group" | "id">): Promise<Kept | undefined> {
    return this.#collection.get({ tenant: account.group, id: account.id });
  }

  changes(...listeners: Parameters<RecordCollection<AccountDocument>["changes"]>): () => void {
    return this.#collection.changes(...listeners);
  }

  /** All accounts of a policy in an organisation. */
  async ofPolicy(organisation: string, policy: string): Promise<Kept[]> {
    const found: Kept[] = [];
    let after: string | undefined;
    do {
      const page = await this.#collection.find({
        tenant: organisation,
        where: { subject: policy },
        limit: 1000,
        ...(after !== undefined && { after }),
      });
      found.push(...page.records.filter(({ document }) => document.level === "policy"));
      after = page.next;
    } while (after !== undefined);
    return found;
  }

  /** Begins an account anew; the date of the next reset stays. */
  async reset(record: Kept, now: number): Promise<void> {
    const moment = new Date(now).toISOString();
    const document: AccountDocument = {
      ...record.document,
      epoch: "",
      total: "0",
      current_usage: 0,
      status: "active",
      threshold_sent: false,
      exhausted_sent: false,
      last_reset_at: moment,
    };
    await this.#collection.update({ tenant: record.tenant, id: record.id, version: record.version }, { document });
  }

  /**
   * Keeps what is known of an account, and tells what this write, and no other, has crossed. Undefined where another
   * process has written meanwhile.
   */
  async save(account: Account): Promise<readonly Crossed[] | undefined> {
    const before = await this.read(account);
    if (before && (before.document.last_reset_at ?? "") !== account.resetAt) return undefined;
    const document = documentOf(account, before?.document);
    try {
      const written = before
        ? await this.#collection.update({ tenant: before.tenant, id: before.id, version: before.version }, { document })
        : await this.#collection.insert({ tenant: account.group, id: account.id, document });
      account.version = written.version;
      account.kept = BigInt(document.total);
      return crossedBy(document, before?.document);
    } catch (error) {
      if (error instanceof RecordError && ["conflict", "exists", "absent"].includes(error.reason)) return undefined;
      throw error;
    }
  }
}

function documentOf(account: Account, before: AccountDocument | undefined): AccountDocument {
  const { budget, epoch, endsAt, known } = account;
  const same = before?.epoch === epoch ? before : undefined;
  const kept = same ? BigInt(same.total) : 0n;
  const total = kept > known ? kept : known;
  const exhausted = total >= budget.limit;
  const alerted = budget.alert !== undefined && total >= budget.alert;
  return {
    level: budget.level,
    subject: budget.id,
    value_key: budget.policy?.valueKey ?? null,
    type: budget.type,
    epoch,
    total: `${total}`,
    current_usage: shownAmount(budget.type, total),
    status: exhausted ? "exhausted" : "active",
    threshold_sent: alerted,
    exhausted_sent: exhausted,
    next_reset_at: endsAt === undefined ? null : new Date(endsAt).toISOString(),
    last_reset_at: before?.last_reset_at ?? null,
  };
}

function crossedBy(after: AccountDocument, before: AccountDocument | undefined): Crossed[] {
  const same = before?.epoch === after.epoch ? before : undefined;
  const crossed: Crossed[] = [];
  if (after.threshold_sent && !same?.threshold_sent) crossed.push("threshold");
  if (after.exhausted_sent && !same?.exhausted_sent) crossed.push("exhausted");
  return crossed;
}
