import { type RecordCollection, RecordError, type RecordsService, sharedGroup, turn } from "../../core/index.ts";
import type { Account } from "./account.ts";
import { isPlain, resetIn, resetOf } from "./epochs.ts";
import { type AccountDocument, accountsCollection, type JudgedBy, type KeptAccount, untoldIn } from "./kept-account.ts";
import { type Crossed, crossedBy, documentOf, hasRisen, standing, withoutTold } from "./written-account.ts";

/** Subjects of one question: a page of a list. */
const mostSubjects = 500;

/** The records of accounts. What is written only grows within a period, whoever writes it. */
export class Ledger {
  readonly #collection: RecordCollection<AccountDocument>;
  readonly #apart = new Map<string, Promise<readonly KeptAccount[]>>();

  constructor(records: RecordsService) {
    this.#collection = records.collection(accountsCollection);
  }

  read(account: Pick<Account, "group" | "id">): Promise<KeptAccount | undefined> {
    return this.#collection.get({ tenant: account.group, id: account.id });
  }

  /** What records say that was used of an account that callers of no organisation share, when each had one of its own. */
  async carriedTo(account: Account, now: number): Promise<bigint> {
    if (account.group !== sharedGroup) return 0n;
    let carried = 0n;
    for (const { id, document } of await this.#keptApart(account.budget.id))
      if (id === account.id) carried += this.totalFor(account, document, now) ?? 0n;
    return carried;
  }

  /** Of a key or a policy, looked for once: there will be no more of them. */
  #keptApart(subject: string): Promise<readonly KeptAccount[]> {
    let apart = this.#apart.get(subject);
    if (!apart) {
      apart = this.ofSubjects(undefined, [subject]).then((all) => all.filter(({ tenant }) => isApart(tenant)));
      this.#apart.set(subject, apart);
      apart.catch(() => this.#apart.delete(subject));
    }
    return apart;
  }

  changes(...listeners: Parameters<RecordCollection<AccountDocument>["changes"]>): () => void {
    return this.#collection.changes(...listeners);
  }

  /** All accounts of a policy in an organisation. */
  async ofPolicy(organisation: string, policy: string): Promise<KeptAccount[]> {
    const found = await this.ofSubjects(organisation, [policy]);
    return found.filter(({ document }) => document.level === "policy");
  }

  /** All accounts of keys, workspaces, providers or policies, by their ids; of an organisation or of all. */
  async ofSubjects(organisation: string | undefined, subjects: readonly string[]): Promise<KeptAccount[]> {
    const found: KeptAccount[] = [];
    for (let at = 0; at < subjects.length; at += mostSubjects) {
      const where = { subject: subjects.slice(at, at + mostSubjects) };
      let after: string | undefined;
      do {
        const query = { where, limit: 1000, ...(organisation !== undefined && { tenant: organisation }) };
        const page = await this.#collection.find({ ...query, ...(after !== undefined && { after }) });
        found.push(...page.records);
        after = page.next;
        // A file is read at once: others have their turn between two pages of many.
        if (after !== undefined) await turn();
      } while (after !== undefined);
    }
    return found;
  }

  /** Begins an account anew; the date of the next reset stays. False where somebody else has written meanwhile. */
  async reset(record: KeptAccount, now: number): Promise<boolean> {
    const document: AccountDocument = {
      ...record.document,
      untold: [],
      epoch: "",
      total: "0",
      current_usage: 0,
      status: "active",
      threshold_sent: false,
      exhausted_sent: false,
      last_reset_at: laterThan(record.document.last_reset_at, now),
    };
    try {
      const { tenant, id, version } = record;
      await this.#collection.update({ tenant, id, version }, { document, expiresAt: null });
      return true;
    } catch (error) {
      if (wasElsewhere(error)) return false;
      throw error;
    }
  }

  /** Writes down that its counter has been told what others had left, and said so much then. */
  async told(account: Account, ids: ReadonlySet<string>, said: bigint): Promise<void> {
    const { key } = account;
    for (;;) {
      const record = await this.read(account);
      const { untold = [] } = record?.document ?? {};
      const left = untold.filter(({ id }) => !ids.has(id));
      if (!record || left.length === untold.length) return;
      const { tenant, id, version, document } = record;
      const without = withoutTold(document, { untold: left, said, limit: account.budget.limit });
      try {
        const written = await this.#collection.update({ tenant, id, version }, { document: without });
        if (account.key !== key) return;
        account.record = written;
        account.left = untoldIn(without);
        account.kept = BigInt(without.total) - account.left;
        // What that has crossed is told with the next write.
        account.renewed = true;
        return;
      } catch (error) {
        if (!wasElsewhere(error)) throw error;
      }
    }
  }

  /** What a record says was used in the period an account is in, also where that has a new end; undefined of another one. */
  totalFor(account: Account, document: AccountDocument, now: number): bigint | undefined {
    return isOf(account, document, now) ? BigInt(document.total) : undefined;
  }

  /**
   * Keeps what is known of an account, and tells what this write, and no other, has crossed. Nothing is kept where another
   * process has written meanwhile (`conflict`), or what it wrote has to be learnt first: a reset, another period (`news`).
   * Of an edit nothing is told: what it takes back does not stand any more, and the rest is told when the budget is next used.
   */
  async save(account: Account, now: number, isEdit = false): Promise<readonly Crossed[] | "conflict" | "news"> {
    const before = account.record ?? (await this.read(account));
    if (before && resetIn(before.document) > account.lastReset) return "news";
    if (before && (before.document.period?.setAt ?? "") > (account.edited?.setAt ?? "")) return "news";
    // It goes on by what the policy was about before: whoever knows better keeps what it is about now.
    if (before && isAboutElse(before.document, account, now)) return none;
    const limits = before && learnt(account, before.document, now);
    if (limits && account.isBehind(limits, now)) return "news";
    if (before && isLater(before.document, account, now)) return none;
    if (before && isCalledOtherwise(account, before.document, now)) return "news";
    if (limits) account.learnLimits(limits, now);
    const saidAt = account.isJudgedByOwn ? now : (limits?.saidAt ?? now);
    const renewed = before !== undefined && hasEnded(before.document, account, now);
    const same = before && isOf(account, before.document, now) ? before.document : undefined;
    const { key, leaves } = account;
    const latest = documentOf(account, same, before?.document, saidAt);
    const document = isEdit ? { ...latest, ...standing(latest, same, account.budget) } : latest;
    const expiresAt = expiryOf(account, document, before);
    try {
      const written = before
        ? await this.#collection.update(
            { tenant: before.tenant, id: before.id, version: before.version },
            { document, expiresAt },
          )
        : await this.#collection.insert({
            tenant: account.group,
            id: account.id,
            document,
            ...(expiresAt !== null && { expiresAt }),
          });
      account.record = written;
      // Another period may have begun meanwhile, and this process may have come to its end.
      account.left = account.key === key ? untoldIn(document) : 0n;
      account.kept = BigInt(document.total) - untoldIn(document);
      if (account.leaves === leaves) account.leaves = undefined;
      account.renewed &&= isEdit;
      account.renewed ||= isEdit && hasRisen(latest, same, account.budget);
      const crossed = crossedBy(document, same, account.budget);
      return renewed ? ["period", ...crossed] : crossed;
    } catch (error) {
      if (!wasElsewhere(error)) throw error;
      account.record = undefined;
      return "conflict";
    }
  }
}

/** Resets are told apart by their moments: one is after the one before it, also where a clock was set back. */
const laterThan = (before: string | null, now: number): string =>
  new Date(before === null ? now : Math.max(now, Date.parse(before) + 1)).toISOString();

const none: readonly Crossed[] = [];

/** How long a record is kept after the end of its period, milliseconds: longer than any counter or process remembers it. */
const keptAfter = 90 * 86_400_000;

/**
 * When the record of an account may go. One of a period that is over says nothing that is in force, and is written anew by the
 * next use; what has no end stays, and so does one that was reset by hand, as the names of its later counters tell of that.
 * And none goes before it was to when its period was longer: the counter of that is there as long, under a name that only the
 * record tells from that of a later period.
 */
function expiryOf(
  { endsAt }: Account,
  { last_reset_at }: AccountDocument,
  before: KeptAccount | undefined,
): number | null {
  if (endsAt === undefined || last_reset_at !== null) return null;
  // Records of ordinary periods were written without a date once.
  const hadNoEnd = before && before.expiresAt === undefined && !isPlain(before.document.epoch);
  return hadNoEnd ? null : Math.max(endsAt + keptAfter, before?.expiresAt ?? 0);
}

/** Accounts of one caller, or of one workspace, that is of no organisation (`tenantOf`); an organisation is called by its id. */
const isApart = (tenant: string): boolean => tenant.startsWith("[") && tenant !== sharedGroup;

/** Another process has written, and this write is void. */
const wasElsewhere = (error: unknown): boolean =>
  error instanceof RecordError && ["conflict", "exists", "absent"].includes(error.reason);

/**
 * Whether a record is of the period an account is in, or of one that goes on in it because its end was moved; and is of the same
 * unit, which a policy of the file may have changed.
 */
const isOf = (account: Account, document: AccountDocument, now: number): boolean =>
  (document.type === account.budget.type && document.epoch === account.epoch) ||
  isCalledOtherwise(account, document, now);

/** Whether a record is of the period an account is in, under another name: who met it before an edit, or after, called it so. */
export function isCalledOtherwise({ epoch, budget }: Account, document: AccountDocument, now: number): boolean {
  const { type, epoch: other, next_reset_at } = document;
  const isOfReset = other !== "" && other !== epoch && resetOf(other) === resetOf(epoch);
  return type === budget.type && isOfReset && !hasPassed(next_reset_at, now);
}

/**
 * What a record was last judged by, where that is in the unit an account counts, and somebody goes by it: a file that nobody has
 * any more (the one before is back, with its date) gives way.
 */
export function learnt(account: Account, { type, limits }: AccountDocument, now: number): JudgedBy | undefined {
  if (!limits || type !== account.budget.type) return undefined;
  if (!isLeft(limits, now)) return limits;
  account.unlearnLimits(limits.version, now);
  return undefined;
}

/** How long limits hold after the last write of somebody who goes by them, where others go by older ones: milliseconds. */
const heldFor = 86_400_000;

const isLeft = ({ saidAt }: JudgedBy, now: number): boolean => saidAt !== undefined && now - saidAt > heldFor;

/** Whether a record is in another unit, since a newer file says so. */
const isAboutElse = ({ type, limits }: AccountDocument, { budget }: Account, now: number): boolean =>
  type !== budget.type &&
  limits !== undefined &&
  limits.version > (budget.version ?? limits.version) &&
  !isLeft(limits, now);

export const momentOf = (date: string | null): number | undefined => (date === null ? undefined : Date.parse(date));

export const hasPassed = (date: string | null, now: number): boolean => date !== null && Date.parse(date) <= now;

/** Whether a record is of a period that has ended, and not of one that somebody has reset. */
const hasEnded = ({ epoch, next_reset_at }: AccountDocument, account: Account, now: number): boolean =>
  epoch !== "" && epoch !== account.epoch && hasPassed(next_reset_at, now);

/** Whether a record is of a period that has begun since: its account was not used any more. */
const isLater = ({ epoch }: AccountDocument, account: Account, now: number): boolean =>
  account.isOver(now) && epoch !== account.epoch;
