import { serviceToken } from "../plugin.ts";

/**
 * Records that must not be lost: documents in named collections, each with a version that every write raises. Writes are
 * durable when their promise resolves, and seen by every process that shares the store from then on. Methods reject with
 * a `RecordError`; reads are as fresh as the store, so the data path keeps what it has read (`changes` says when to drop it).
 */
export interface RecordsService {
  /** False while the store is known to be down. */
  readonly available: boolean;
  /** Declares a collection: its indexes are made and its records brought to this schema when the store opens. */
  collection<Document extends object>(definition: CollectionDefinition<Document>): RecordCollection<Document>;
}

export interface CollectionDefinition<Document extends object> {
  /** Lower case with underscores: `api_keys`. */
  readonly name: string;
  /** Counted from 1. A record of the version before is read through `upgrade`; one of a later version is refused. */
  readonly schemaVersion: number;
  readonly upgrade?: (document: Readonly<Record<string, unknown>>, from: number) => Document;
  /** Fields that queries ask for, besides `id` and `tenant`. Top-level, with texts, numbers or booleans as values. */
  readonly indexes?: readonly (keyof Document & string)[];
  /** Fields, or groups of fields, whose values no two records of a tenant share: `[["slug"], ["workspace_id", "name"]]`. */
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
  /** Tells of every write to this collection by any process, soon after it. What is returned ends it. */
  changes(listener: (change: RecordNotice) => void): () => void;
}

export interface RecordKey {
  readonly tenant: string;
  readonly id: string;
}

export interface NewRecord<Document extends object> extends RecordKey {
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
}

/** Why a call to the store did not do what it was asked. */
export class RecordError extends Error {
  /** `down`: the store cannot be reached or did not answer in time; nothing is known of the write. */
  readonly reason: "exists" | "duplicate" | "conflict" | "absent" | "down" | "schema";
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
