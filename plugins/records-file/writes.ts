import type {
  KeptShape,
  OrderTable,
  Prepared,
  RecordKey,
  RecordRow,
  RowChange,
  WriteResult,
} from "../../core/index.ts";
import type { KeptRow } from "./rows.ts";

export { format, tables } from "./tables.ts";

/** What the writing thread can be told to do. */
export interface Writes {
  keepShape: {
    readonly input: { readonly shape: KeptShape; readonly before: number | undefined };
    readonly result: boolean;
  };
  insert: {
    readonly input: { readonly collection: string; readonly row: RecordRow; readonly now: number };
    readonly result: WriteResult;
  };
  replace: {
    readonly input: { readonly collection: string; readonly change: RowChange; readonly now: number };
    readonly result: WriteResult;
  };
  remove: {
    readonly input: {
      readonly collection: string;
      readonly key: RecordKey;
      readonly version: number | undefined;
      readonly now: number;
    };
    readonly result: WriteResult;
  };
  sweep: { readonly input: Sweep; readonly result: boolean };
}

export interface Sweep {
  readonly now: number;
  /** The most rows to delete of each kind. */
  readonly most: number;
  /** Changes before this moment need not be told any more. */
  readonly toldUntil: number;
}

export const writes: OrderTable<Writes> = {
  keepShape(database, { shape, before }) {
    const kept = database.get<{ revision: number }>("SELECT revision FROM collections WHERE name = ?", shape.name);
    if (kept?.revision !== before) return false;
    database.run(
      "INSERT OR REPLACE INTO collections (name, schema, revision, indexes, uniques) VALUES (?, ?, ?, ?, ?)",
      ...[shape.name, shape.schemaVersion, shape.revision, JSON.stringify(shape.indexes), JSON.stringify(shape.unique)],
    );
    return true;
  },

  insert(database, { collection, row, now }) {
    const there = find(database, collection, row);
    if (there && !expired(there, now)) return { kind: "exists" };
    const taken = takenClaims(database, collection, row, there?.number, now);
    if (taken.length > 0) return { kind: "duplicate", claims: taken };
    if (there) drop(database, there.number);
    add(database, collection, row);
    tell(database, collection, row, now, false);
    return { kind: "done", createdAt: row.createdAt, ...(row.expiresAt !== undefined && { expiresAt: row.expiresAt }) };
  },

  replace(database, { collection, change, now }) {
    const there = find(database, collection, change);
    if (!there || expired(there, now)) return { kind: "absent" };
    const { version, revision = there.revision, schemaAtMost = there.schema } = change.expected;
    if (there.version !== version || there.revision !== revision) return { kind: "conflict", version: there.version };
    if (there.schema > schemaAtMost) return { kind: "schema", schema: there.schema };
    const taken = takenClaims(database, collection, change, there.number, now);
    if (taken.length > 0) return { kind: "duplicate", claims: taken };
    const { expiresAt = there.expires, expected: _, ...content } = change;
    const kept = { createdAt: there.created, ...(expiresAt !== null && { expiresAt }) };
    drop(database, there.number);
    add(database, collection, { ...content, ...kept });
    tell(database, collection, change, now, false);
    return { kind: "done", ...kept };
  },

  remove(database, { collection, key, version, now }) {
    const there = find(database, collection, key);
    if (!there || expired(there, now)) return { kind: "absent" };
    if (version !== undefined && there.version !== version) return { kind: "conflict", version: there.version };
    drop(database, there.number);
    tell(database, collection, key, now, true);
    return { kind: "done", createdAt: there.created };
  },

  sweep(database, { now, most, toldUntil }) {
    const old = database.all<{ number: number }>("SELECT number FROM records WHERE expires <= ? LIMIT ?", now, most);
    for (const { number } of old) drop(database, number);
    const told = "SELECT sequence FROM changes WHERE at < ? ORDER BY sequence LIMIT ?";
    const { changes } = database.run(`DELETE FROM changes WHERE sequence IN (${told})`, toldUntil, most);
    // Whoever writes all the time makes more of them than there are rounds.
    return old.length === most || Number(changes) === most;
  },
};

type Found = Pick<KeptRow, "number" | "version" | "schema" | "revision" | "created" | "expires">;

const columns = "number, version, schema, revision, created, expires";

const find = (database: Prepared, collection: string, { tenant, id }: RecordKey): Found | undefined =>
  database.get<Found>(
    `SELECT ${columns} FROM records WHERE collection = ? AND tenant = ? AND id = ?`,
    ...[collection, tenant, id],
  );

const expired = ({ expires }: Pick<Found, "expires">, now: number): boolean => expires !== null && expires <= now;

type Claiming = Pick<RecordRow, "tenant" | "claims">;

/** The claims that another record has. One that has expired gives way. */
function takenClaims(database: Prepared, collection: string, row: Claiming, own: number | undefined, now: number) {
  return row.claims.filter((claim) => {
    const holder = database.get<Found>(
      `SELECT ${columns} FROM records WHERE number =
        (SELECT number FROM claims WHERE collection = ? AND tenant = ? AND claim = ?)`,
      ...[collection, row.tenant, claim],
    );
    if (!holder || holder.number === own) return false;
    if (!expired(holder, now)) return true;
    drop(database, holder.number);
    return false;
  });
}

function add(database: Prepared, collection: string, row: RecordRow): void {
  const { tenant, id, createdAt } = row;
  const counts = [row.version, row.schema, row.revision, createdAt, row.updatedAt, row.expiresAt ?? null];
  const texts = [JSON.stringify(row.terms), JSON.stringify(row.claims), row.json];
  const added = database.get<{ number: number }>(
    `INSERT INTO records
      (collection, tenant, id, version, schema, revision, created, updated, expires, terms, claims, document)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`,
    ...[collection, tenant, id, ...counts, ...texts],
  );
  const number = added?.number ?? 0;
  for (const term of row.terms)
    database.run(
      "INSERT INTO terms (collection, tenant, term, created, id, number) VALUES (?, ?, ?, ?, ?, ?)",
      ...[collection, tenant, term, createdAt, id, number],
    );
  for (const claim of row.claims)
    database.run(
      "INSERT INTO claims (collection, tenant, claim, number) VALUES (?, ?, ?, ?)",
      ...[collection, tenant, claim, number],
    );
}

function drop(database: Prepared, number: number): void {
  for (const table of ["terms", "claims", "records"]) database.run(`DELETE FROM ${table} WHERE number = ?`, number);
}

function tell(database: Prepared, collection: string, { tenant, id }: RecordKey, now: number, removed: boolean): void {
  database.run(
    "INSERT INTO changes (at, collection, tenant, id, removed) VALUES (?, ?, ?, ?, ?)",
    ...[now, collection, tenant, id, removed ? 1 : 0],
  );
}
