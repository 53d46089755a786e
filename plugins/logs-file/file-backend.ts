import {
  type Feedback,
  type FoundLog,
  type LogBackend,
  LogError,
  type LogKey,
  type LogLimits,
  type LogPosition,
  type LogSelection,
  type LogsRemoved,
  type PackedLog,
  type RowsQuery,
  SqliteFile,
} from "../../core/index.ts";
import type { Reads } from "./reads.ts";
import type { Batch, Writes } from "./writes.ts";

export interface FileOptions {
  /** Absolute. */
  readonly path: string;
  /** Milliseconds a write or a search may take. */
  readonly timeout: number;
}

/** Logs in one SQLite file. Nothing is there, on disk or in memory, before the first call. */
export class FileBackend implements LogBackend {
  readonly #file: SqliteFile<Writes, Reads>;

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

  async append(entries: readonly PackedLog[]): Promise<void> {
    const batch = batchOf(entries);
    await this.#file.write("append", batch, [batch.bytes.buffer, batch.lengths.buffer]);
  }

  get = (key: LogKey): Promise<FoundLog | undefined> => this.#file.search("get", key);

  find = (query: RowsQuery): Promise<(LogPosition & { row: string })[]> => this.#file.search("find", query);

  count = (selection: LogSelection): Promise<number> => this.#file.search("count", selection);

  /** Without an open file there is nothing to do. */
  async remove(limits: LogLimits): Promise<LogsRemoved> {
    if (!this.#file.opened) return { objects: 0, rows: 0, more: false };
    return this.#file.write("remove", limits);
  }

  async putFeedback(feedback: readonly Feedback[]): Promise<void> {
    await this.#file.write("putFeedback", { feedback });
  }

  getFeedback = (key: LogKey): Promise<Feedback | undefined> => this.#file.search("getFeedback", key);

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** What the thread is given: all bytes in one piece, which is handed over and not copied. */
function batchOf(entries: readonly PackedLog[]): Batch {
  const lengths = new Uint32Array(entries.length * 4);
  let length = 0;
  for (const [at, { bytes, key, row, pieces }] of entries.entries()) {
    const body = pieces.reduce((sum, piece) => sum + piece.length, 0);
    lengths.set([key, row, bytes.length - key - row, body], at * 4);
    length += bytes.length + body;
  }
  // Every byte of it is written, and none has to be emptied first.
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  const add = (piece: Uint8Array) => {
    bytes.set(piece, at);
    at += piece.length;
  };
  for (const entry of entries) {
    add(entry.bytes);
    entry.pieces.forEach(add);
  }
  return { lengths, bytes };
}
