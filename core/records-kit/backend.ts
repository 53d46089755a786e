import type { CollectionShape, RecordKey, RecordNotice } from "../services/records.ts";

/** A record as stores keep it: the document as text, beside what it is found by. */
export interface RecordRow extends RecordKey {
  readonly version: number;
  /** The schema the document is written in. */
  readonly schema: number;
  /** The revision of the collection's shape that `terms` and `claims` were made by. */
  readonly revision: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt?: number;
  readonly json: string;
  /** What queries find it by: a text for each indexed field. */
  readonly terms: readonly string[];
  /** What no other record of the tenant may have: a text for each group of unique fields. */
  readonly claims: readonly string[];
}

/** A new content for a record that is there in exactly this version. What it was made at stays. */
export interface RowChange extends Omit<RecordRow, "createdAt" | "expiresAt"> {
  /** `version` is what it becomes. */
  readonly expected: {
    readonly version: number;
    readonly revision?: number;
    /** A record in a later schema than this is not written over. */
    readonly schemaAtMost?: number;
  };
  /** Absent keeps what is there; null ends the expiry. */
  readonly expiresAt?: number | null;
}

/** How a write went. Data instead of errors: it may come from another thread. */
export type WriteResult =
  | { readonly kind: "done"; readonly createdAt: number; readonly expiresAt?: number }
  | { readonly kind: "exists" | "absent" }
  | { readonly kind: "duplicate"; readonly claims: readonly string[] }
  | { readonly kind: "conflict"; readonly version: number }
  | { readonly kind: "schema"; readonly schema: number };

/** The shape a collection was last declared with, counted: every other shape raises the revision. */
export interface KeptShape extends CollectionShape {
  readonly revision: number;
}

/** A place in the order of records: by creation, tenant, id. */
export interface Position extends RecordKey {
  readonly createdAt: number;
}

export interface RowQuery {
  readonly tenant?: string;
  /** Of every list, the record has at least one. */
  readonly terms: readonly (readonly string[])[];
  readonly now: number;
}

export interface RowPage extends RowQuery {
  readonly newest: boolean;
  readonly limit: number;
  readonly after?: Position;
}

export interface ChangeSink {
  change(notice: RecordNotice): void;
  missed(): void;
}

/**
 * What a store has to know; `recordStore` makes the service of it, so that all stores behave alike. Names and texts are
 * checked before they get here. Everything rejects with a `RecordError` of the reason `down`, and with no other.
 */
export interface RecordBackend {
  readonly available: boolean;
  /** Where records are on this machine; absent where they are elsewhere. */
  readonly folder?: string;
  shapes(): Promise<readonly KeptShape[]>;
  shapeOf(collection: string): Promise<KeptShape | undefined>;
  /** Makes what the collection needs. False when the kept revision is no longer `before`. */
  keepShape(shape: KeptShape, before: number | undefined): Promise<boolean>;
  get(collection: string, key: RecordKey, now: number): Promise<RecordRow | undefined>;
  /** Takes the place of records that have expired. */
  insert(collection: string, row: RecordRow, now: number): Promise<WriteResult>;
  replace(collection: string, change: RowChange, now: number): Promise<WriteResult>;
  /** Without a version, whichever is there. */
  remove(collection: string, key: RecordKey, version: number | undefined, now: number): Promise<WriteResult>;
  find(collection: string, page: RowPage): Promise<readonly RecordRow[]>;
  count(collection: string, query: RowQuery): Promise<number>;
  /** Some rows of an earlier revision that have not expired, in any order. */
  older(collection: string, revision: number, limit: number, now: number): Promise<readonly RecordRow[]>;
  /** Tells of writes to this collection. Settles once no write from then on goes untold, or once it is clear that `missed` will say when. */
  watch(collection: string, sink: ChangeSink): { readonly ready: Promise<void>; stop(): void };
}
