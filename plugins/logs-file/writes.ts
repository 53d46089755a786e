import type { Feedback, LogLimits, LogsRemoved, OrderTable, PackedKey, Prepared, Value } from "../../core/index.ts";

export { reads } from "./reads.ts";
export { format, pageSize, tables, upgrades } from "./tables.ts";

/** What the writing thread can be told to do. */
export interface Writes {
  append: { readonly input: Batch; readonly result: undefined };
  remove: { readonly input: LogLimits; readonly result: LogsRemoved };
  putFeedback: { readonly input: { readonly feedback: readonly Feedback[] }; readonly result: undefined };
}

export interface Batch {
  /** Of each entry four: of what is beside its row, the row, the head of its object, or none, and the bodies of that. */
  readonly lengths: Uint32Array<ArrayBuffer>;
  /** All of that, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Rows of one kind that are deleted in a transaction at most. */
const mostAtOnce = 500;

export const writes: OrderTable<Writes> = {
  append(database, { lengths, bytes }) {
    const texts = Buffer.from(bytes.buffer);
    let at = 0;
    const next = (length = 0) => {
      at += length;
      return texts.subarray(at - length, at);
    };
    for (let entry = 0; entry < lengths.length; entry += 4) {
      const beside = keyIn(next(lengths[entry]));
      const { changes, lastInsertRowid } = database.run(insertRow, ...beside, next(lengths[entry + 1]));
      const object = next(lengths[entry + 2]);
      const bodies = next(lengths[entry + 3]);
      if (Number(changes) === 0 || object.length === 0) continue;
      database.run(insertObject, Number(lastInsertRowid), beside[2], object, bodies);
    }
    return undefined;
  },

  remove(database, { objectsBefore, rowsBefore, bytes }) {
    const counts = { objects: 0, rows: 0 };
    if (objectsBefore !== undefined) counts.objects += removeObjects(database, olderThan("objects"), objectsBefore);
    if (rowsBefore !== undefined) {
      counts.rows += removeRows(database, olderThan("rows"), rowsBefore);
      database.run(`DELETE FROM feedback WHERE number IN (${olderThan("feedback")})`, rowsBefore);
    }
    const most = bytes ?? Number.POSITIVE_INFINITY;
    if (usedBytes(database) > most) {
      const gone = removeObjects(database, oldest("objects"));
      counts.objects += gone;
      if (gone === 0) counts.rows += removeRows(database, oldest("rows"));
    }
    const full = counts.objects >= mostAtOnce || counts.rows >= mostAtOnce;
    return { ...counts, more: full || (counts.objects + counts.rows > 0 && usedBytes(database) > most) };
  },

  putFeedback(database, { feedback }) {
    for (const one of feedback) {
      const { organisation, id, traceId, createdAt, value, weight } = one;
      database.run(
        `INSERT INTO feedback (organisation, id, trace, created, weighted, content) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (organisation, id) DO UPDATE SET weighted = excluded.weighted, content = excluded.content`,
        ...[organisation, id, traceId, createdAt, value * weight, JSON.stringify(one)],
      );
    }
    return undefined;
  },
};

const keyIn = (bytes: Buffer) => JSON.parse(bytes.toString()) as PackedKey;

/** Texts are given as the bytes they came in: SQLite has no other. */
const insertRow = `INSERT OR IGNORE INTO rows (organisation, id, created, workspace, trace_id, metadata, content)
  VALUES (?, ?, ?, ?, ?, ?, CAST(? AS TEXT))`;

/** No bytes at all reach SQLite as NULL under some versions of node. */
const insertObject =
  "INSERT INTO objects (number, created, head, bytes) VALUES (?, ?, CAST(? AS TEXT), coalesce(?, x''))";

type Table = "rows" | "objects" | "feedback";

const oldest = (table: Table) => `SELECT number FROM ${table} ORDER BY number LIMIT ${mostAtOnce}`;

/** Of those written first: what is older but was written later is found once it is among them. */
const olderThan = (table: Table) =>
  `SELECT number FROM (SELECT number, created FROM ${table} ORDER BY number LIMIT ${mostAtOnce}) WHERE created < ?`;

function removeObjects(database: Prepared, which: string, ...values: Value[]): number {
  return database.all(`DELETE FROM objects WHERE number IN (${which}) RETURNING number`, ...values).length;
}

/** With their objects. */
function removeRows(database: Prepared, which: string, ...values: Value[]): number {
  const gone = database.all<{ number: number }>(
    `DELETE FROM rows WHERE number IN (${which}) RETURNING number`,
    ...values,
  );
  for (const { number } of gone) database.run("DELETE FROM objects WHERE number = ?", number);
  return gone.length;
}

/** What is kept, without pages that wait to be used again. */
function usedBytes(database: Prepared): number {
  const of = (name: string) => Object.values(database.get<Record<string, number>>(`PRAGMA ${name}`) ?? {})[0] ?? 0;
  return (of("page_count") - of("freelist_count")) * of("page_size");
}
