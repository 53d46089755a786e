import type { IndexDescription } from "mongodb";
import type { RecordKey, RecordRow, RowChange } from "../../core/index.ts";

/** A record as it is in its collection. */
export interface Kept extends RecordKey {
  readonly _id: string;
  readonly version: number;
  readonly schema: number;
  readonly revision: number;
  readonly created: Date;
  readonly updated: Date;
  /** `never` when it does not expire. Of a removed one, long ago: whatever has expired counts as absent. */
  readonly expires: Date;
  /** When the server may delete it. */
  readonly purge: Date | null;
  /** A removed record stays for a while, so that those who look for changes see it. */
  readonly removed: boolean;
  /** By the server's clock. */
  readonly written: Date;
  readonly terms: readonly string[];
  /** With one of its own, so that no two records without any have the same. */
  readonly claims: readonly string[];
  readonly json: string;
}

export interface KeptCollection {
  readonly _id: string;
  readonly schema: number;
  readonly revision: number;
  readonly indexes: string[];
  readonly unique: string[][];
}

/** Names of records' collections begin with this; the shapes are in one that does not. */
export const prefix = "records_";
export const shapes = "collections";

const never = new Date(8.64e15);
export const longAgo = new Date(0);

/** Keys have no control characters, so that no two of them give the same text. */
export const idOf = ({ tenant, id }: RecordKey): string => `${tenant}\n${id}`;

export const ownClaim = (key: RecordKey): string => `#${key.id}`;

/** Milliseconds that a record stays behind the moment it is of no use, for clocks that go wrong and readers that sleep. */
const grace = 10 * 60_000;

export const purgeAfter = (moment: number): Date => new Date(moment + grace);

const expiryOf = (expiresAt: number | null) =>
  expiresAt === null ? { expires: never, purge: null } : { expires: new Date(expiresAt), purge: purgeAfter(expiresAt) };

/** What an insert sets. */
export const insertion = (row: RecordRow): Omit<Kept, "_id" | "written"> => ({
  ...content(row),
  tenant: row.tenant,
  id: row.id,
  created: new Date(row.createdAt),
  removed: false,
  ...expiryOf(row.expiresAt ?? null),
});

/** What a new version sets. */
export const replacement = (change: RowChange) => ({
  ...content(change),
  ...(change.expiresAt !== undefined && expiryOf(change.expiresAt)),
});

const content = (row: Omit<RowChange, "expected">) => ({
  version: row.version,
  schema: row.schema,
  revision: row.revision,
  updated: new Date(row.updatedAt),
  terms: row.terms,
  claims: [...row.claims, ownClaim(row)],
  json: row.json,
});

export const expiresAtOf = ({ expires }: Pick<Kept, "expires">): { readonly expiresAt?: number } =>
  expires.getTime() === never.getTime() ? {} : { expiresAt: expires.getTime() };

export const rowOf = (kept: Kept): RecordRow => ({
  tenant: kept.tenant,
  id: kept.id,
  version: kept.version,
  schema: kept.schema,
  revision: kept.revision,
  createdAt: kept.created.getTime(),
  updatedAt: kept.updated.getTime(),
  ...expiresAtOf(kept),
  json: kept.json,
  terms: kept.terms,
  claims: kept.claims.filter((claim) => claim !== ownClaim(kept)),
});

/** The same for every collection: what a query asks for is in `terms`, what is unique in `claims`. */
export const indexes: readonly (IndexDescription & { readonly name: string })[] = [
  { name: "unique", key: { tenant: 1, claims: 1 }, unique: true },
  { name: "of_tenant", key: { tenant: 1, created: 1, id: 1 } },
  { name: "of_all", key: { created: 1, tenant: 1, id: 1 } },
  { name: "terms_of_tenant", key: { tenant: 1, terms: 1, created: 1, id: 1 } },
  { name: "terms_of_all", key: { terms: 1, created: 1, tenant: 1, id: 1 } },
  { name: "by_revision", key: { revision: 1 } },
  { name: "by_writing", key: { written: 1 } },
  { name: "purge", key: { purge: 1 }, expireAfterSeconds: 0 },
];
