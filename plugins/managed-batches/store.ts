import {
  againWhen,
  type BatchStatus,
  type CollectionDefinition,
  type NewRecord,
  type RecordCollection,
  RecordError,
  type RecordKey,
  type RecordsService,
  type StoredRecord,
} from "../../core/index.ts";
import type { BatchDocument, Progress } from "./document.ts";

export type BatchRecord = StoredRecord<BatchDocument>;

const definition: CollectionDefinition<BatchDocument> = {
  name: "managed_batches",
  schemaVersion: 1,
  indexes: ["active", "status"],
};

/** Somebody else works on the batch now. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

const pageSize = 200;

/** Whoever has not let the batch go may still write: it is not to write over what is counted from here on. */
const takenOver = (progress: Progress): Progress => ({
  ...progress,
  takeovers: [...(progress.takeovers ?? []), progress.parts],
});

/** The batches of all tenants. */
export class BatchStore {
  readonly #collection: RecordCollection<BatchDocument>;
  readonly #now: () => number;

  constructor(records: RecordsService, now: () => number) {
    this.#collection = records.collection(definition);
    this.#now = now;
  }

  get(key: RecordKey): Promise<BatchRecord | undefined> {
    return this.#collection.get(key);
  }

  insert(record: NewRecord<BatchDocument>): Promise<BatchRecord> {
    return this.#collection.insert(record);
  }

  /** Newest first. */
  async *all(tenant: string): AsyncGenerator<BatchRecord> {
    let after: string | undefined;
    do {
      const page = { tenant, order: "newest", limit: pageSize, ...(after !== undefined && { after }) } as const;
      const { records, next } = await this.#collection.find(page);
      yield* records;
      after = next;
    } while (after !== undefined);
  }

  /** Those that wait for somebody to work on them, oldest first. */
  async *waiting(): AsyncGenerator<BatchRecord> {
    let after: string | undefined;
    do {
      const query = { where: { active: true }, limit: pageSize, ...(after !== undefined && { after }) };
      const { records, next } = await this.#collection.find(query);
      for (const record of records) {
        const { lease } = record.document;
        if (!lease || lease.until <= this.#now()) yield record;
      }
      after = next;
    } while (after !== undefined);
  }

  /** Takes a batch on. Undefined where somebody else was faster. */
  async claim(record: BatchRecord, holder: string, milliseconds: number): Promise<BatchRecord | undefined> {
    const { document } = record;
    const lease = { holder, until: this.#now() + milliseconds };
    const progress = document.lease ? takenOver(document.progress) : document.progress;
    try {
      return await this.#collection.update(record, { document: { ...document, lease, progress } });
    } catch (error) {
      if (error instanceof RecordError && (error.reason === "conflict" || error.reason === "absent")) return undefined;
      throw error;
    }
  }

  /** Changes what is there by now; what `make` gives undefined for stays as it is. Undefined where it is gone. */
  async change(
    key: RecordKey,
    make: (document: BatchDocument) => Partial<BatchDocument> | undefined,
  ): Promise<BatchRecord | undefined> {
    return againWhen(["conflict"], async () => {
      const found = await this.#collection.get({ tenant: key.tenant, id: key.id });
      const change = found && make(found.document);
      return change ? this.#collection.update(found, { document: { ...found.document, ...change } }) : found;
    });
  }
}

/** A batch that this process works on: whatever is written of it says so first. */
export class HeldBatch {
  readonly #store: BatchStore;
  readonly #holder: string;
  readonly #lease: number;
  readonly #now: () => number;
  #record: BatchRecord;

  constructor(
    record: BatchRecord,
    parts: { readonly store: BatchStore; readonly holder: string; readonly lease: number; readonly now: () => number },
  ) {
    this.#record = record;
    this.#store = parts.store;
    this.#holder = parts.holder;
    this.#lease = parts.lease;
    this.#now = parts.now;
  }

  get id(): string {
    return this.#record.id;
  }
  get tenant(): string {
    return this.#record.tenant;
  }
  /** As it was when it was last read or written here. */
  get document(): BatchDocument {
    return this.#record.document;
  }
  get isCancelling(): boolean {
    return this.#record.document.status === "cancelling";
  }

  /** Writes a change and keeps the batch for longer. Throws `LeaseLost` where somebody else has taken it, or has ended it. */
  async change(make: (document: BatchDocument) => Partial<BatchDocument> = () => ({})): Promise<BatchDocument> {
    let isOurs = false;
    const changed = await this.#store.change(this.#record, (document) => {
      isOurs = document.lease?.holder === this.#holder;
      if (!isOurs) return undefined;
      return { lease: { holder: this.#holder, until: this.#now() + this.#lease }, ...make(document) };
    });
    if (!changed || !isOurs) throw new LeaseLost();
    // Answers may overtake each other: what was read before is not what is there by now.
    if (changed.version > this.#record.version) this.#record = changed;
    return this.#record.document;
  }

  /** To be asked before what must not be done by two: who was paused for longer than the lease learns here that it is lost. */
  async sure(): Promise<void> {
    if ((this.document.lease?.until ?? 0) <= this.#now()) await this.change();
  }

  /** What others have made of it since it was lost. */
  async asItIs(): Promise<BatchDocument | undefined> {
    return (await this.#store.get({ tenant: this.tenant, id: this.id }))?.document;
  }

  /** The same for a step forward, which does not take back that somebody cancelled it meanwhile. */
  advance(status: BatchStatus, more: Partial<BatchDocument> = {}): Promise<BatchDocument> {
    return this.change((document) => ({ ...more, status: document.status === "cancelling" ? "cancelling" : status }));
  }

  /** The last change: nobody works on it any more. */
  async end(): Promise<BatchDocument> {
    return this.change(() => ({ active: false, lease: null }));
  }

  /** Lets another process go on with it. */
  async release(): Promise<void> {
    await this.#store.change(this.#record, ({ lease }) =>
      lease?.holder === this.#holder ? { lease: null } : undefined,
    );
  }
}
