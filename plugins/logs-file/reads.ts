import type { Feedback, FoundLog, LogKey, LogPosition, LogSelection, OrderTable, RowsQuery } from "../../core/index.ts";
import { partsOf, valuesOf, whereOf } from "./conditions.ts";

/** What the reading thread can be asked. */
export interface Reads {
  get: { readonly input: LogKey; readonly result: FoundLog | undefined };
  find: { readonly input: RowsQuery; readonly result: (LogPosition & { readonly row: string })[] };
  count: { readonly input: LogSelection; readonly result: number };
  getFeedback: { readonly input: LogKey; readonly result: Feedback | undefined };
}

export const reads: OrderTable<Reads> = {
  get(database, { organisation, id }) {
    const row = database.get<{
      workspace: string | null;
      content: string;
      head: string | null;
      bytes: Uint8Array | null;
    }>(
      `SELECT r.workspace, r.content, o.head, o.bytes FROM rows r LEFT JOIN objects o ON o.number = r.number
        WHERE r.organisation = ? AND r.id = ?`,
      ...[organisation, id],
    );
    if (!row) return undefined;
    const { workspace, content, head, bytes } = row;
    return { workspace, row: content, ...(head !== null && bytes && { object: { head, bytes } }) };
  },

  find(database, { newest, limit, skip, after, ...selection }) {
    const parts = partsOf(selection);
    const [way, beyond] = newest ? ["DESC", "<"] : ["ASC", ">"];
    if (after) parts.push({ sql: `(r.created, r.id) ${beyond} (?, ?)`, values: [after.created, after.id] });
    const sql = `SELECT r.created, r.id, r.content AS row FROM rows r WHERE ${whereOf(parts)}
      ORDER BY r.created ${way}, r.id ${way} LIMIT ? OFFSET ?`;
    return database.all(sql, ...valuesOf(parts), limit, skip);
  },

  count(database, selection) {
    const parts = partsOf(selection);
    const sql = `SELECT count(*) AS count FROM rows r WHERE ${whereOf(parts)}`;
    return database.get<{ count: number }>(sql, ...valuesOf(parts))?.count ?? 0;
  },

  getFeedback(database, { organisation, id }) {
    const sql = "SELECT content FROM feedback WHERE organisation = ? AND id = ?";
    const found = database.get<{ content: string }>(sql, organisation, id);
    return found && (JSON.parse(found.content) as Feedback);
  },
};
