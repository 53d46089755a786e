import { dirname } from "node:path";
import {
  type BusService,
  type ChangeSink,
  type KeptShape,
  type Logger,
  type RecordBackend,
  RecordError,
  type RecordKey,
  type RecordRow,
  type RowChange,
  type RowPage,
  type RowQuery,
  SqliteFile,
  type WriteResult,
} from "../../core/index.ts";
import { Follower } from "./follower.ts";
import { Reader } from "./reader.ts";
import type { Writes } from "./writes.ts";

export interface FileOptions {
  /** Absolute. */
  readonly path: string;
  /** Milliseconds a write may take. */
  readonly timeout: number;
  /** Milliseconds between two looks for what other processes have written. */
  readonly pollInterval: number;
  readonly bus?: BusService | undefined;
  /** Told once that the file cannot be used, and once that it can again. */
  readonly log?: Pick<Logger, "warn" | "info">;
}

interface Opened {
  readonly reader: Reader;
  readonly follower: Follower;
}

const topic = "records-file";

/** Milliseconds after which changes are looked for again when the file could not be opened. */
const retryPause = 1000;

/** Changes older than this many milliseconds are not told to a process that slept. */
const changesAreKept = 10 * 60_000;

const mostSwept = 1000;

/** Records in one SQLite file. Nothing is there, on disk or in memory, before the first call. */
export class FileBackend implements RecordBackend {
  readonly folder: string;
  readonly #options: FileOptions;
  readonly #file: SqliteFile<Writes>;
  readonly #leaveBus: (() => void) | undefined;
  #opened: Opened | undefined;
  #isAway = false;

  constructor(options: FileOptions) {
    const { path, timeout } = options;
    this.folder = dirname(path);
    this.#options = options;
    this.#file = new SqliteFile({
      path,
      timeout,
      contents: new URL("./writes.ts", import.meta.url).href,
      down: (reason, cause) => {
        this.#away(reason);
        return new RecordError("down", `The records in ${path}: ${reason}`, [], cause);
      },
    });
    this.#leaveBus = options.bus?.subscribe(topic, () => this.#look());
  }

  get available(): boolean {
    return this.#file.available;
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
    if (!this.#opened || this.#file.closed) return false;
    return this.#file.write("sweep", { now, most: mostSwept, toldUntil: now - changesAreKept });
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
        if (!stopped && !this.#file.closed) retry = setTimeout(again, retryPause).unref();
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
    this.#leaveBus?.();
    const closing = this.#file.close();
    this.#opened?.follower.stop();
    await closing;
    this.#opened?.follower.stop();
    this.#opened = undefined;
  }

  async #read<Found>(read: (reader: Reader) => Found): Promise<Found> {
    const { reader } = await this.#open();
    const found = await this.#file.read(() => read(reader));
    if (this.#isAway) this.#back();
    return found;
  }

  async #write<Name extends keyof Writes>(name: Name, input: Writes[Name]["input"]): Promise<Writes[Name]["result"]> {
    await this.#open();
    const result = await this.#file.write(name, input);
    if (this.#isAway) this.#back();
    this.#options.bus?.publish(topic, null);
    this.#look();
    return result;
  }

  /** Who is refused hears that the store does not answer: why is for whoever can do something about it. */
  #away(reason: string): void {
    if (this.#isAway || this.#file.closed) return;
    this.#isAway = true;
    const { log, path } = this.#options;
    log?.warn("the records cannot be used", { path, reason });
  }

  /** That they can be read says nothing of whether they can be written, where that was what failed. */
  #back(): void {
    if (!this.#file.available) return;
    this.#isAway = false;
    const { log, path } = this.#options;
    log?.info("the records can be used again", { path });
  }

  /** After own writes and words of the bus; a listener is told a little sooner this way, and nothing depends on it. */
  #look(): void {
    try {
      this.#opened?.follower.look();
    } catch {
      // The timer looks again.
    }
  }

  async #open(): Promise<Opened> {
    const database = await this.#file.open();
    if (!this.#opened) {
      const reader = new Reader(database);
      this.#opened = { reader, follower: new Follower(reader, this.#options.pollInterval) };
    }
    return this.#opened;
  }
}
