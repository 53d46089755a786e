import { serviceToken } from "../service-token.ts";

/**
 * Records that must not be lost: documents in named collections, each with a version that every write raises. Writes are
 * durable when their promise resolves, and seen by every process that shares the store from then on. Methods reject with
 * a `RecordError`; reads are as fresh as the store, so the data path keeps what it has read (`changes` says when to drop it).
 */
export interface RecordsService {
  /** False while the store is known to be down. */
  readonly available: boolean;
  /** The folder of this machine that records are kept in; absent where they are elsewhere. */
  readonly folder?: string;
  /**
   * Declares a collection: its indexes are made and its records brought to this schema when the store opens, which is
   * before the first call is answered. Throws an `invalid` for names that are none, and when it was declared differently
   * before.
   */
  collection<Document extends object>(definition: CollectionDefinition<Document>): RecordCollection<Document>;
  /** Everything in the store, whoever declared it: for backups and for moving to another store. */
  readonly archive?: RecordArchive;
}

export interface CollectionDefinition<Document extends object> {
  /** Lower case with underscores, at most 63 characters: `api_keys`. */
  readonly name: string;
  /** Counted from 1. A record of the version before is read through `upgrade`; one of a later version is refused. */
  readonly schemaVersion: number;
  /** Of a document as a schema `from` wrote it, the one of today. Other indexes alone need no new schema. */
  readonly upgrade?: (document: Readonly<Record<string, unknown>>, from: number) => Document;
  /** Fields that queries ask for, besides `id` and `tenant`. Top-level, with texts, numbers or booleans as values. */
  readonly indexes?: readonly (keyof Document & string)[];
  /**
   * Fields, or groups of fields, whose values no two records of a tenant share: `[["slug"], ["workspace_id", "name"]]`.
   * A record that lacks one of a group, or has null there, is free of it.
   */
  readonly unique?: readonly (readonly (keyof Document & string)[])[];
}

/** A document as it is kept. */
export interface StoredRecord<Document extends object> {
  readonly id: string;
  readonly tenant: string;
  /** From 1; every write raises it. */
  readonly version: number;
  /** Unix milliseconds, by the clock of the process that wrote. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Unix milliseconds after which the record counts as absent; it is removed at some time after that. */
  readonly expiresAt?: number;
  readonly document: Document;
}

export interface RecordCollection<Document extends object> {
  /** Undefined when there is none, or when it has expired. */
  get(key: RecordKey): Promise<StoredRecord<Document> | undefined>;
  /** Rejects with `exists` when the id is taken, with `duplicate` when a unique value is. */
  insert(record: NewRecord<Document>): Promise<StoredRecord<Document>>;
  /** Replaces the document of exactly this version. Rejects with `absent`, `conflict` or `duplicate`. */
  update(
    key: RecordKey & { readonly version: number },
    change: RecordChange<Document>,
  ): Promise<StoredRecord<Document>>;
  /** Whether there was one. With a version only that one is removed, and another one is a `conflict`. */
  remove(key: RecordKey & { readonly version?: number }): Promise<boolean>;
  find(query: RecordQuery<Document>): Promise<RecordPage<Document>>;
  count(query: Pick<RecordQuery<Document>, "tenant" | "where">): Promise<number>;
  /**
   * Tells of every write to this collection by any process, soon after it and at least once; of several to one record that
   * follow closely, perhaps the last one only. Expiry is no write. Reads begun from here on miss nothing that is not told. `missed` is called when some writes may not have
   * been told: what was read before is then to be forgotten. What is returned ends it.
   */
  changes(listener: (change: RecordNotice) => void, missed?: () => void): () => void;
}

/** Both are texts of 1 to 256 characters without control characters. */
export interface RecordKey {
  readonly tenant: string;
  readonly id: string;
}

export interface NewRecord<Document extends object> extends RecordKey {
  /** What JSON makes of it is kept: at most 8 MiB. */
  readonly document: Document;
  readonly expiresAt?: number;
}

export interface RecordChange<Document extends object> {
  readonly document: Document;
  /** Absent keeps what is there; null ends the expiry. */
  readonly expiresAt?: number | null;
}

export interface RecordQuery<Document extends object> {
  /** Absent asks across tenants: for the operator's own commands, never for a caller. */
  readonly tenant?: string;
  /** Equality, or any of a list; on indexed fields only. All must hold. */
  readonly where?: { readonly [Field in keyof Document]?: Scalar | readonly Scalar[] };
  /** By when they were made, oldest first unless said otherwise; of the same millisecond, by tenant and id. */
  readonly order?: "oldest" | "newest";
  /** From 1 to 1000; 100 unless said otherwise. */
  readonly limit?: number;
  /** `next` of the page before. It stays right while records are written. */
  readonly after?: string;
}

export type Scalar = string | number | boolean;

export interface RecordPage<Document extends object> {
  readonly records: readonly StoredRecord<Document>[];
  /** Absent on the last page. */
  readonly next?: string;
}

export interface RecordNotice extends RecordKey {
  readonly collection: string;
  readonly kind: "written" | "removed";
  /** What a write made of the record, where the store tells: whoever has read just that has missed nothing. */
  readonly written?: Pick<StoredRecord<object>, "version" | "updatedAt">;
}

/** What is known of a collection without its code. */
export interface CollectionShape {
  readonly name: string;
  readonly schemaVersion: number;
  readonly indexes: readonly string[];
  readonly unique: readonly (readonly string[])[];
}

/** A record as it is kept, in whatever schema it was written. */
export interface ArchivedRecord extends Omit<StoredRecord<object>, "document"> {
  readonly schemaVersion: number;
  readonly document: Readonly<Record<string, unknown>>;
}

/** The whole of a store, read and written without knowing what it is about. Methods reject with a `RecordError`. */
export interface RecordArchive {
  collections(): Promise<readonly CollectionShape[]>;
  /** Some records that have not expired, oldest first; `next` is absent on the last page. */
  page(
    collection: string,
    after?: string,
  ): Promise<{ readonly records: readonly ArchivedRecord[]; readonly next?: string }>;
  get(collection: string, key: RecordKey): Promise<ArchivedRecord | undefined>;
  /** Makes a collection known; one that is there in this schema or a later one stays as it is. */
  declare(shape: CollectionShape): Promise<void>;
  /**
   * Keeps a record of a collection that is known, with its version and times. Over one that is there only when told
   * that one's version, and then with a higher version than both.
   */
  put(collection: string, record: ArchivedRecord, over?: number): Promise<void>;
}

/** Why a call to the store did not do what it was asked. */
export class RecordError extends Error {
  /**
   * `down`: the store cannot be reached or did not answer in time; nothing is known of the write. `invalid`: the call
   * itself is wrong (a name, a query, a cursor, a document that is too large), and would be on every store.
   */
  readonly reason: "exists" | "duplicate" | "conflict" | "absent" | "down" | "schema" | "invalid";
  /** The unique fields that were taken. */
  readonly fields: readonly string[];

  constructor(reason: RecordError["reason"], message: string, fields: readonly string[] = [], cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
    this.fields = fields;
  }
}

/** Where management records, and whatever else must survive a restart, are kept. */
export const Records = serviceToken<RecordsService>("records");
