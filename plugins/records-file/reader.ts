import type {
  KeptShape,
  Position,
  Prepared,
  RecordKey,
  RecordRow,
  RowPage,
  RowQuery,
  Value,
} from "../../core/index.ts";
import { type KeptRow, recordRow } from "./rows.ts";

/** A condition with its values. */
interface Part {
  readonly sql: string;
  readonly values: readonly Value[];
}

interface ShapeRow {
  readonly name: string;
  readonly schema: number;
  readonly revision: number;
  readonly indexes: string;
  readonly uniques: string;
}

/** Reads from a connection that cannot write. Reads see the file as it is, and wait for nobody. */
export class Reader {
  readonly #database: Prepared;

  constructor(database: Prepared) {
    this.#database = database;
  }

  shapes(): KeptShape[] {
    return this.#database.all<ShapeRow>("SELECT * FROM collections ORDER BY name").map(shapeOf);
  }

  shape(name: string): KeptShape | undefined {
    const row = this.#database.get<ShapeRow>("SELECT * FROM collections WHERE name = ?", name);
    return row && shapeOf(row);
  }

  get(collection: string, { tenant, id }: RecordKey, now: number): RecordRow | undefined {
    const row = this.#database.get<KeptRow>(
      "SELECT * FROM records r WHERE collection = ? AND tenant = ? AND id = ? AND (expires IS NULL OR expires > ?)",
      ...[collection, tenant, id, now],
    );
    return row && recordRow(row);
  }

  find(collection: string, page: RowPage): RecordRow[] {
    const { from, parts, order } = selection(collection, page);
    const way = page.newest ? "DESC" : "ASC";
    if (page.after) parts.push(beyond(order, page.after, page.newest));
    const sql = `SELECT r.* FROM ${from} WHERE ${whereOf(parts)} ORDER BY ${order.map((by) => `${by} ${way}`).join()} LIMIT ?`;
    return this.#database.all<KeptRow>(sql, ...valuesOf(parts), page.limit).map(recordRow);
  }

  count(collection: string, query: RowQuery): number {
    const { from, parts } = selection(collection, query);
    const sql = `SELECT count(*) AS count FROM ${from} WHERE ${whereOf(parts)}`;
    return this.#database.get<{ count: number }>(sql, ...valuesOf(parts))?.count ?? 0;
  }

  older(collection: string, revision: number, limit: number, now: number): RecordRow[] {
    return this.#database
      .all<KeptRow>(
        "SELECT * FROM records WHERE collection = ? AND revision < ? AND (expires IS NULL OR expires > ?) LIMIT ?",
        ...[collection, revision, now, limit],
      )
      .map(recordRow);
  }

  /** A number that changes whenever somebody else has written; asking costs next to nothing. */
  dataVersion(): number {
    return this.#database.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
  }

  lastChange(): number {
    const sql = "SELECT seq FROM sqlite_sequence WHERE name = 'changes'";
    return this.#database.get<{ seq: number }>(sql)?.seq ?? 0;
  }

  changesAfter(sequence: number, limit: number): ChangeRow[] {
    const sql =
      "SELECT sequence, collection, tenant, id, removed FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ?";
    return this.#database.all<ChangeRow>(sql, sequence, limit);
  }
}

export interface ChangeRow extends RecordKey {
  readonly sequence: number;
  readonly collection: string;
  readonly removed: number;
}

const shapeOf = ({ name, schema, revision, indexes, uniques }: ShapeRow): KeptShape => ({
  name,
  schemaVersion: schema,
  revision,
  indexes: JSON.parse(indexes) as string[],
  unique: JSON.parse(uniques) as string[][],
});

/** Where to look. With a field that has to have one value, its entries are in the order that is asked for. */
function selection(collection: string, { tenant, terms, now }: RowQuery) {
  const leading = terms.find((choices) => choices.length === 1);
  const of = leading ? "t" : "r";
  const parts: Part[] = [{ sql: `${of}.collection = ?`, values: [collection] }];
  if (tenant !== undefined) parts.push({ sql: `${of}.tenant = ?`, values: [tenant] });
  if (leading) parts.push({ sql: "t.term = ?", values: leading });
  parts.push({ sql: "(r.expires IS NULL OR r.expires > ?)", values: [now] });
  for (const choices of terms) {
    if (choices === leading) continue;
    const marks = choices.map(() => "?").join();
    const sql = `EXISTS (SELECT 1 FROM terms x WHERE x.number = r.number AND x.term IN (${marks}))`;
    parts.push({ sql, values: choices });
  }
  // The order of a cross join is kept: first the entries of the field, then their records.
  const from = leading ? "terms t CROSS JOIN records r ON r.number = t.number" : "records r";
  const order = tenant === undefined ? ["created", "tenant", "id"] : ["created", "id"];
  return { from, parts, order: order.map((column) => `${of}.${column}`) };
}

function beyond(order: readonly string[], { createdAt, tenant, id }: Position, newest: boolean): Part {
  const values = order.length === 3 ? [createdAt, tenant, id] : [createdAt, id];
  return { sql: `(${order.join()}) ${newest ? "<" : ">"} (${values.map(() => "?").join()})`, values };
}

const whereOf = (parts: readonly Part[]): string => parts.map(({ sql }) => sql).join(" AND ");

const valuesOf = (parts: readonly Part[]): Value[] => parts.flatMap(({ values }) => values);
