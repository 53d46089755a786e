import { AgedMap } from "../keeping/aged-map.ts";
import { type RecordCollection, RecordError, type RecordNotice, type StoredRecord } from "../services/records.ts";
import { isKey } from "./checks.ts";
import { JoinedNames } from "./joined-names.ts";

/** How records are kept at hand. */
export interface KeptOptions<Document extends object, Value> {
  readonly collection: Pick<RecordCollection<Document>, "get" | "find" | "changes">;
  /** The field a reference that is no id is looked up by. */
  readonly slug?: keyof Document & string;
  /** What a reference that is no id asks for, where one field does not say it; undefined for one that is. */
  readonly where?: (ref: string) => Partial<Document> | undefined;
  /** What is kept of a record, made once when it is read; undefined where it counts as absent. */
  readonly read: (record: StoredRecord<Document>) => Value | undefined | Promise<Value | undefined>;
  /** Whether a record that is known to have changed may still be used as it was while the store is down. */
  readonly staleAfterChange?: boolean;
  /** Records kept at most; those not asked for for longest go first. 10,000 unless said otherwise. */
  readonly most?: number;
  /**
   * Absent ones of a tenant remembered at most; 1,000 unless said otherwise. Who asks for any number of them does not
   * push out what is there.
   */
  readonly mostAbsent?: number;
  /** Milliseconds that an absent one is remembered as absent; 5,000 unless said otherwise. */
  readonly absentFor?: number;
  readonly now?: () => number;
}

const mostKept = 10_000;

/** Records on the data path: read from the store once, then from memory until they change. */
export interface Kept<Value> {
  /**
   * By id, or by slug where the collection has one. A promise only where the store has to be asked: for what was never
   * asked for, or has changed. Rejects with a `RecordError` when the store cannot say and nothing is remembered.
   */
  find(tenant: string, ref: string): Value | undefined | Promise<Value | undefined>;
  /** Whether `find` knows something of it; else it asks the store. */
  knows(tenant: string, ref: string): boolean;
  close(): void;
}

interface Entry<Value> {
  value: Value | undefined;
  id: string | undefined;
  /** Which write it is of. */
  written?: RecordNotice["written"];
  /** What is known of it: as it is, possibly changed, certainly changed. */
  state: "fresh" | "doubtful" | "changed";
  readAt: number;
  reading?: Promise<Value | undefined>;
}

interface Reading {
  readonly tenant: string;
  /** What its tenant's records were told to have become meanwhile. */
  readonly told: RecordNotice[];
}

/**
 * Keeps what it reads, and asks again for what the store says has changed. Where changes may have been missed (a
 * connection was lost) the old value is used while the new one is read.
 */
export function keptRecords<Document extends object, Value>(options: KeptOptions<Document, Value>): Kept<Value> {
  const kept = new KeptRecords(options);
  // Listening opens the store: what nobody asks for leaves no trace.
  let stop: (() => void) | undefined;
  return {
    find(tenant, ref) {
      stop ??= options.collection.changes(kept.changed, kept.missed);
      return kept.find(tenant, ref);
    },
    knows: (tenant, ref) => kept.knows(tenant, ref),
    close() {
      stop ??= () => undefined;
      stop();
    },
  };
}

class KeptRecords<Document extends object, Value> {
  readonly #options: KeptOptions<Document, Value>;
  readonly #now: () => number;
  /** By tenant and reference, in the order of use. */
  readonly #entries = new AgedMap<string, Entry<Value>>();
  /** The keys of the entries of a record, and under "" of those of its tenant that are absent. */
  readonly #keysOf = new Map<string, Set<string>>();
  readonly #names: JoinedNames;
  /** Entries that are being read: which record it will be is not known yet. */
  readonly #reading = new Map<Entry<Value>, Reading>();

  constructor(options: KeptOptions<Document, Value>) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#names = new JoinedNames(options.most ?? mostKept);
  }

  find(tenant: string, ref: string): Value | undefined | Promise<Value | undefined> {
    const key = this.#names.of(tenant, ref);
    const { most = mostKept } = this.#options;
    // Who goes first is of no interest before there are many.
    const entry = this.#entries.size * 2 < most ? this.#entries.get(key) : this.#entries.use(key);
    if (!entry) return this.#read(key, tenant, ref, { value: undefined, id: undefined, state: "changed", readAt: 0 });
    if (entry.state === "fresh") {
      if (entry.id !== undefined || this.#isYoung(entry)) return entry.value;
      return this.#read(key, tenant, ref, entry);
    }
    const reading = this.#read(key, tenant, ref, entry);
    if (entry.state === "changed" || entry.id === undefined) return reading;
    reading.catch(() => undefined);
    return entry.value;
  }

  knows(tenant: string, ref: string): boolean {
    const entry = this.#entries.get(`${tenant}\n${ref}`);
    return entry !== undefined && (entry.id !== undefined || entry.reading !== undefined || this.#isYoung(entry));
  }

  #isYoung({ readAt }: Entry<Value>): boolean {
    const { absentFor = 5000 } = this.#options;
    return this.#now() - readAt < absentFor;
  }

  readonly changed = (notice: RecordNotice): void => {
    const { tenant, id } = notice;
    for (const key of [...(this.#keysOf.get(`${tenant}\n${id}`) ?? [])]) {
      const entry = this.#entries.get(key);
      if (entry && !(entry.state === "fresh" && isOf(notice, entry.written))) this.#doubt(entry, "changed");
    }
    for (const [entry, reading] of this.#reading) {
      if (reading.tenant !== tenant) continue;
      delete entry.reading;
      reading.told.push(notice);
    }
    // What was absent may be there by now.
    for (const key of this.#keysOf.get(`${tenant}\n`) ?? []) this.#entries.delete(key);
    this.#keysOf.delete(`${tenant}\n`);
  };

  readonly missed = (): void => {
    for (const entry of this.#entries.values()) this.#doubt(entry, "doubtful");
    for (const entry of this.#reading.keys()) delete entry.reading;
    this.#reading.clear();
  };

  /** A reading that began before is not the answer to who asks from now on. */
  #doubt(entry: Entry<Value>, state: Entry<Value>["state"]): void {
    if (entry.state !== "changed") entry.state = state;
    delete entry.reading;
  }

  /** Whether the reading was the last one of its entry, and nobody has said that some changes were missed. */
  #ends(entry: Entry<Value>, reading: Reading): boolean {
    if (this.#reading.get(entry) !== reading) return false;
    this.#reading.delete(entry);
    delete entry.reading;
    return true;
  }

  #read(key: string, tenant: string, ref: string, entry: Entry<Value>): Promise<Value | undefined> {
    if (entry.reading) return entry.reading;
    const began: Reading = { tenant, told: [] };
    const reading = this.#ask(tenant, ref).then(
      async (record) => {
        const value = record && (await this.#options.read(record));
        if (this.#ends(entry, began) && began.told.every((notice) => sees(notice, record))) {
          Object.assign(entry, {
            value,
            id: record?.id,
            written: record && pick(record),
            state: "fresh",
            readAt: this.#now(),
          });
          this.#keep(key, `${tenant}\n${record?.id ?? ""}`, entry);
        }
        return value;
      },
      (error: unknown) => {
        this.#ends(entry, began);
        if (!(error instanceof RecordError) || error.reason !== "down" || entry.id === undefined) throw error;
        if (entry.state === "changed" && !this.#options.staleAfterChange) throw error;
        return entry.value;
      },
    );
    entry.reading = reading;
    this.#reading.set(entry, began);
    this.#entries.set(key, entry);
    // What could not be read is not remembered as absent.
    reading.catch(() => entry.readAt === 0 && this.#entries.get(key) === entry && this.#entries.delete(key));
    return reading;
  }

  async #ask(tenant: string, ref: string): Promise<StoredRecord<Document> | undefined> {
    const { collection, slug, where } = this.#options;
    const asked = where?.(ref);
    // What callers name things by may be any text: no store has to be asked for one that it cannot have.
    if (!asked && !isKey(ref)) return undefined;
    const byId = asked ? undefined : await collection.get({ tenant, id: ref });
    if (byId || (!asked && slug === undefined)) return byId;
    const query = asked ?? { [slug ?? ""]: ref };
    const { records } = await collection.find({ tenant, where: query as never, limit: 1 });
    return records[0];
  }

  #keep(key: string, record: string, entry: Entry<Value>): void {
    this.#entries.set(key, entry);
    const keys = this.#keysOf.get(record) ?? new Set();
    this.#keysOf.set(record, keys.add(key));
    const { most = mostKept, mostAbsent = 1000 } = this.#options;
    const [first] = entry.id === undefined && keys.size > mostAbsent ? keys : [];
    if (first !== undefined) {
      keys.delete(first);
      this.#entries.delete(first);
    }
    while (this.#entries.size > most) {
      const [oldest, { id }] = this.#entries.shift() as readonly [string, Entry<Value>];
      const [tenant] = oldest.split("\n");
      const place = `${tenant}\n${id ?? ""}`;
      const others = this.#keysOf.get(place);
      others?.delete(oldest);
      if (others?.size === 0) this.#keysOf.delete(place);
    }
  }
}

const pick = ({ version, updatedAt }: StoredRecord<object>) => ({ version, updatedAt });

/** Whether a notice is of the write that was read: a reader may be faster than what the store tells. */
const isOf = ({ written }: RecordNotice, read: RecordNotice["written"]): boolean =>
  !!read && read.version === written?.version && read.updatedAt === written.updatedAt;

/** Whether a reading is as it is after a write that was told meanwhile. What was absent may be there by now. */
const sees = (notice: RecordNotice, record: StoredRecord<object> | undefined): boolean =>
  !!record && (notice.id !== record.id || isOf(notice, record));
