import {
  type Feedback,
  type FoundLog,
  type KeptLog,
  type LogBackend,
  LogError,
  type LogKey,
  type LogLimits,
  type LogPosition,
  type LogSelection,
  type LogsRemoved,
  type RowsQuery,
  SqliteFile,
} from "../../core/index.ts";
import { partsOf, valuesOf, whereOf } from "./conditions.ts";
import { columnNames } from "./tables.ts";
import type { Batch, Writes, WrittenLog } from "./writes.ts";

export interface FileOptions {
  /** Absolute. */
  readonly path: string;
  /** Milliseconds a write may take. */
  readonly timeout: number;
}

/** Logs in one SQLite file. Nothing is there, on disk or in memory, before the first call. */
export class FileBackend implements LogBackend {
  readonly #file: SqliteFile<Writes>;

  constructor({ path, timeout }: FileOptions) {
    this.#file = new SqliteFile({
      path,
      timeout,
      contents: new URL("./writes.ts", import.meta.url).href,
      down: (reason, cause) => new LogError("down", `The logs in ${path}: ${reason}`, cause),
    });
  }

  get available(): boolean {
    return this.#file.available;
  }

  async append(entries: readonly KeptLog[]): Promise<void> {
    const batch = batchOf(entries);
    await this.#file.write("append", batch, [batch.bytes.buffer]);
  }

  async get({ organisation, id }: LogKey): Promise<FoundLog | undefined> {
    const row = await this.#file.read((database) =>
      database.get<{ workspace: string | null; content: string; head: string | null; bytes: Uint8Array | null }>(
        `SELECT r.workspace, r.content, o.head, o.bytes FROM rows r LEFT JOIN objects o ON o.number = r.number
          WHERE r.organisation = ? AND r.id = ?`,
        ...[organisation, id],
      ),
    );
    if (!row) return undefined;
    const { workspace, content, head, bytes } = row;
    return { workspace, row: content, ...(head !== null && bytes && { object: { head, bytes } }) };
  }

  find({ newest, limit, skip, after, ...selection }: RowsQuery): Promise<(LogPosition & { row: string })[]> {
    const parts = partsOf(selection);
    const [way, beyond] = newest ? ["DESC", "<"] : ["ASC", ">"];
    if (after) parts.push({ sql: `(r.created, r.id) ${beyond} (?, ?)`, values: [after.created, after.id] });
    const sql = `SELECT r.created, r.id, r.content AS row FROM rows r WHERE ${whereOf(parts)}
      ORDER BY r.created ${way}, r.id ${way} LIMIT ? OFFSET ?`;
    return this.#file.read((database) => database.all(sql, ...valuesOf(parts), limit, skip));
  }

  async count(selection: LogSelection): Promise<number> {
    const parts = partsOf(selection);
    const sql = `SELECT count(*) AS count FROM rows r WHERE ${whereOf(parts)}`;
    const found = await this.#file.read((database) => database.get<{ count: number }>(sql, ...valuesOf(parts)));
    return found?.count ?? 0;
  }

  /** Without an open file there is nothing to do. */
  async remove(limits: LogLimits): Promise<LogsRemoved> {
    if (!this.#file.opened) return { objects: 0, rows: 0, more: false };
    return this.#file.write("remove", limits);
  }

  async putFeedback(feedback: readonly Feedback[]): Promise<void> {
    await this.#file.write("putFeedback", { feedback });
  }

  async getFeedback({ organisation, id }: LogKey): Promise<Feedback | undefined> {
    const sql = "SELECT content FROM feedback WHERE organisation = ? AND id = ?";
    const found = await this.#file.read((database) => database.get<{ content: string }>(sql, organisation, id));
    return found && (JSON.parse(found.content) as Feedback);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** What the thread is given: the bytes in one piece, which is handed over and not copied. */
function batchOf(entries: readonly KeptLog[]): Batch {
  let length = 0;
  for (const { object } of entries) for (const piece of object?.pieces ?? []) length += piece.length;
  const bytes = new Uint8Array(length);
  let at = 0;
  const logs = entries.map(({ organisation, id, created, columns, metadata, row, object }): WrittenLog => {
    const values = [
      organisation,
      id,
      created,
      JSON.stringify(metadata),
      row,
      ...columnNames.map((name) => columns[name]),
    ];
    if (!object) return { values };
    const from = at;
    for (const piece of object.pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return { values, object: { head: object.head, from, to: at } };
  });
  return { logs, bytes };
}
