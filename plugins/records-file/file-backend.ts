import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import {
  type BusService,
  type ChangeSink,
  type KeptShape,
  type RecordBackend,
  RecordError,
  type RecordKey,
  type RecordRow,
  type RowChange,
  type RowPage,
  type RowQuery,
  type WriteResult,
} from "../../core/index.ts";
import { Follower } from "./follower.ts";
import { Reader } from "./reader.ts";
import { loadSqlite, Prepared } from "./sqlite.ts";
import { Writer } from "./writer.ts";
import type { WriteName, Writes } from "./writes.ts";

export interface FileOptions {
  /** Absolute. */
  readonly path: string;
  /** Milliseconds a write may take. */
  readonly timeout: number;
  /** Milliseconds between two looks for what other processes have written. */
  readonly pollInterval: number;
  readonly bus?: BusService | undefined;
}

interface Opened {
  readonly reader: Reader;
  readonly follower: Follower;
}

const topic = "records-file";

/** Milliseconds a read may wait, which happens only while a crashed process' log is taken in. */
const readPatience = 1000;

/** Milliseconds after which changes are looked for again when the file could not be opened. */
const retryPause = 1000;

/** Changes older than this many milliseconds are not told to a process that slept. */
const changesAreKept = 10 * 60_000;

const mostSwept = 1000;

/** Records in one SQLite file. Nothing is there, on disk or in memory, before the first call. */
export class FileBackend implements RecordBackend {
  readonly #options: FileOptions;
  readonly #writer: Writer;
  readonly #leaveBus: (() => void) | undefined;
  #opening: Promise<Opened> | undefined;
  #opened: Opened | undefined;
  #closed = false;

  constructor(options: FileOptions) {
    this.#options = options;
    this.#writer = new Writer(options);
    this.#leaveBus = options.bus?.subscribe(topic, () => this.#look());
  }

  get available(): boolean {
    return this.#writer.available;
  }

  shapes = (): Promise<KeptShape[]> => this.#read((reader) => reader.shapes());

  shapeOf = (collection: string): Promise<KeptShape | undefined> => this.#read((reader) => reader.shape(collection));

  keepShape = (shape: KeptShape, before: number | undefined): Promise<boolean> =>
    this.#write("keepShape", { shape, before });

  get = (collection: string, key: RecordKey, now: number): Promise<RecordRow | undefined> =>
    this.#read((reader) => reader.get(collection, key, now));

  find = (collection: string, page: RowPage): Promise<RecordRow[]> =>
    this.#read((reader) => reader.find(collection, page));

  count = (collection: string, query: RowQuery): Promise<number> =>
    this.#read((reader) => reader.count(collection, query));

  older = (collection: string, revision: number, limit: number, now: number): Promise<RecordRow[]> =>
    this.#read((reader) => reader.older(collection, revision, limit, now));

  insert = (collection: string, { tenant, id, ...rest }: RecordRow, now: number): Promise<WriteResult> =>
    this.#write("insert", { collection, row: { tenant, id, ...rest }, now });

  replace = (collection: string, change: RowChange, now: number): Promise<WriteResult> =>
    this.#write("replace", { collection, change, now });

  remove = (collection: string, { tenant, id }: RecordKey, version: number | undefined, now: number) =>
    this.#write("remove", { collection, key: { tenant, id }, version, now });

  /** Deletes some of what has expired; whether there is more. Without an open file there is nothing to do. */
  async sweep(now: number): Promise<boolean> {
    if (!this.#opened || this.#closed) return false;
    return this.#writer.write("sweep", { now, most: mostSwept, toldUntil: now - changesAreKept });
  }

  watch(collection: string, sink: ChangeSink): { readonly ready: Promise<void>; stop(): void } {
    let stopped = false;
    let retry: NodeJS.Timeout | undefined;
    const begin = async (): Promise<boolean> => {
      try {
        const { follower } = await this.#open();
        if (!stopped) follower.add(collection, sink);
        return true;
      } catch {
        if (!stopped && !this.#closed) retry = setTimeout(again, retryPause).unref();
        return false;
      }
    };
    const again = async () => {
      if ((await begin()) && !stopped) sink.missed();
    };
    const stop = () => {
      stopped = true;
      clearTimeout(retry);
      this.#opened?.follower.remove(collection, sink);
    };
    return { ready: begin().then(() => undefined), stop };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#leaveBus?.();
    await this.#opening?.catch(() => undefined);
    this.#opened?.follower.stop();
    this.#opened?.reader.close();
    this.#opened = undefined;
    await this.#writer.close();
  }

  async #read<Found>(read: (reader: Reader) => Found): Promise<Found> {
    const { reader } = await this.#open();
    try {
      return read(reader);
    } catch (cause) {
      throw this.#down(cause);
    }
  }

  async #write<Name extends WriteName>(name: Name, input: Writes[Name]["input"]): Promise<Writes[Name]["result"]> {
    await this.#open();
    const result = await this.#writer.write(name, input);
    this.#options.bus?.publish(topic, null);
    this.#look();
    return result;
  }

  /** After own writes and words of the bus; a listener is told a little sooner this way, and nothing depends on it. */
  #look(): void {
    try {
      this.#opened?.follower.look();
    } catch {
      // The timer looks again.
    }
  }

  #open(): Promise<Opened> {
    if (this.#closed) return Promise.reject(this.#down("it was closed"));
    this.#opening ??= this.#openFile().catch((error: unknown) => {
      this.#opening = undefined;
      throw error instanceof RecordError ? error : this.#down(error);
    });
    return this.#opening;
  }

  async #openFile(): Promise<Opened> {
    const { path, pollInterval } = this.#options;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    makeFile(path);
    await this.#writer.start();
    const { DatabaseSync } = await loadSqlite();
    const database = new DatabaseSync(path, { readOnly: true });
    database.exec(`PRAGMA busy_timeout = ${readPatience}`);
    const reader = new Reader(new Prepared(database));
    this.#opened = { reader, follower: new Follower(reader, pollInterval) };
    return this.#opened;
  }

  #down(cause: unknown): RecordError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new RecordError("down", `The records in ${this.#options.path}: ${reason}`, [], cause);
  }
}

/** For the owner only; what SQLite puts beside it takes after it. One that is there is not touched. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
