import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Transferable } from "node:worker_threads";
import { errorMessage } from "../errors/error-message.ts";
import type { OrderNames } from "./contents.ts";
import { type FileOptions, FileThread } from "./file-thread.ts";
import { loadSqlite, Prepared } from "./sqlite.ts";

/** Milliseconds a read may wait, which happens only while a crashed process' log is taken in. */
const readPatience = 1000;

/**
 * One SQLite file: writes in a thread of their own, reads from a connection that cannot write, and reads that may take long
 * in another thread. Nothing is there, on disk or in memory, before the first call. Everything rejects with what `down`
 * makes.
 */
export class SqliteFile<Writes extends OrderNames<Writes>, Reads extends OrderNames<Reads> = Record<never, never>> {
  readonly #options: FileOptions;
  readonly #writer: FileThread<Writes>;
  readonly #reader: FileThread<Reads>;
  #opening: Promise<Prepared> | undefined;
  #reading: Prepared | undefined;
  /** Whether it could be opened, and read, when that was tried last. */
  #usable = true;
  /** Which file of the disk was opened: one that was moved away is written to without anybody finding it again. */
  #inode: bigint | undefined;
  /** Whether that one was in its place when something was to be written last: it can be read wherever it is. */
  #inPlace = true;
  #closed = false;

  constructor(options: FileOptions) {
    this.#options = options;
    this.#writer = new FileThread(options, "write");
    this.#reader = new FileThread(options, "read");
  }

  get available(): boolean {
    return this.#usable && this.#inPlace && this.#writer.available;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Whether the file was opened, and is not closed yet. */
  get opened(): boolean {
    return this.#reading !== undefined;
  }

  /** The connection for reads, opened by the first call; what failed is tried again by the next one. */
  open(): Promise<Prepared> {
    if (this.#closed) return Promise.reject(this.#options.down("it was closed"));
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      this.#usable = false;
      throw error;
    });
    return this.#opening;
  }

  /** For what is found at once: everything else waits meanwhile. */
  async read<Found>(read: (database: Prepared) => Found): Promise<Found> {
    const database = await this.open();
    try {
      const found = read(database);
      this.#usable = true;
      return found;
    } catch (cause) {
      this.#usable = false;
      throw this.#down(cause);
    }
  }

  /** For what may take long: nothing waits but other such reads. */
  async search<Name extends keyof Reads & string>(
    name: Name,
    input: Reads[Name]["input"],
  ): Promise<Reads[Name]["result"]> {
    await this.open();
    return this.#reader.order(name, input);
  }

  /** Resolves when it is on the disk. */
  async write<Name extends keyof Writes & string>(
    name: Name,
    input: Writes[Name]["input"],
    transfer?: readonly Transferable[],
  ): Promise<Writes[Name]["result"]> {
    await this.open();
    this.#inPlace = this.#inode === inodeOf(this.#options.path);
    if (!this.#inPlace)
      throw this.#options.down("it was removed or replaced while it was in use; restart the gateway, or put it back");
    return this.#writer.order(name, input, transfer);
  }

  /** Lets what is under way end. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => undefined);
    this.#reading?.database.close();
    this.#reading = undefined;
    await Promise.all([this.#writer.close(), this.#reader.close()]);
  }

  async #open(): Promise<Prepared> {
    const { path } = this.#options;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      makeFile(path);
    } catch (cause) {
      throw this.#down(cause);
    }
    await this.#writer.start();
    try {
      const { DatabaseSync } = await loadSqlite();
      const database = new DatabaseSync(path, { readOnly: true });
      database.exec(`PRAGMA busy_timeout = ${readPatience}`);
      this.#reading = new Prepared(database);
      this.#inode = inodeOf(path);
      this.#usable = true;
    } catch (cause) {
      throw this.#down(cause);
    }
    return this.#reading;
  }

  #down(cause: unknown): Error {
    return this.#options.down(errorMessage(cause), cause);
  }
}

const inodeOf = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;

/** For the owner only; what SQLite puts beside it takes after it. One that is there is not touched. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
