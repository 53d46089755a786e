import type { Collection, Db } from "mongodb";
import {
  type Feedback,
  type FoundLog,
  keptLog,
  type LogBackend,
  type LogKey,
  type LogLimits,
  type LogPosition,
  type LogSelection,
  type LogsRemoved,
  type MongoConnection,
  madeInTurns,
  type PackedLog,
  type Retention,
  type RowsQuery,
} from "../../core/index.ts";
import { beyond, filterOf } from "./conditions.ts";
import {
  type CollectionName,
  collections,
  contentOf,
  feedbackOf,
  foundLog,
  foundRow,
  idOf,
  indexes,
  type KeptContent,
  type KeptFeedback,
  type KeptRow,
  rowOf,
} from "./documents.ts";

const duplicateKey = 11000;

/** Documents of one kind that are deleted at once at most. */
const mostAtOnce = 500;

/** Logs in MongoDB: a collection of rows, one of their contents, one of feedback. */
export class MongoBackend implements LogBackend {
  readonly #connection: MongoConnection;
  readonly #retention: Retention;
  #indexed: Promise<void> | undefined;

  constructor(connection: MongoConnection, retention: Retention) {
    this.#connection = connection;
    this.#retention = retention;
  }

  get available(): boolean {
    return this.#connection.available;
  }

  /** Makes the indexes, where they are not there. */
  open(): Promise<void> {
    this.#indexed ??= this.#connection
      .call(async (database) => {
        for (const name of Object.keys(collections) as CollectionName[])
          await database.collection(collections[name]).createIndexes([...indexes[name]]);
      })
      .catch((error: unknown) => {
        this.#indexed = undefined;
        throw error;
      });
    return this.#indexed;
  }

  async append(packed: readonly PackedLog[]): Promise<void> {
    await this.open();
    const { objectDays, rowDays } = this.#retention;
    const entries = await madeInTurns(packed, keptLog);
    const contents = entries.flatMap((entry) => contentOf(entry, objectDays));
    // A row is what is found: what it refers to is there before it.
    if (contents.length > 0) await this.#in("objects", (objects) => added(objects.insertMany(contents, unordered)));
    const rows = entries.map((entry) => rowOf(entry, rowDays));
    await this.#in("rows", (kept) => added(kept.insertMany(rows, unordered)));
  }

  async get(key: LogKey): Promise<FoundLog | undefined> {
    const _id = idOf(key);
    const row = await this.#in("rows", (rows) => rows.findOne({ _id }));
    if (!row) return undefined;
    return foundLog(row, await this.#in("objects", (objects) => objects.findOne({ _id }, { promoteBuffers: true })));
  }

  find({ newest, limit, skip, after, ...selection }: RowsQuery): Promise<(LogPosition & { readonly row: string })[]> {
    const way = newest ? -1 : 1;
    return this.#connection.call(async (database) => {
      const filter = await filterOf(selection, collectionIn(database, "feedback"));
      const found = await collectionIn(database, "rows")
        .find({ $and: [...filter, ...(after ? [beyond(after, newest)] : [])] })
        .project<KeptRow>({ created: 1, id: 1, row: 1 })
        .sort({ created: way, id: way })
        .skip(skip)
        .limit(limit)
        .batchSize(limit)
        .toArray();
      return found.map(foundRow);
    });
  }

  count(selection: LogSelection): Promise<number> {
    return this.#connection.call(async (database) => {
      const filter = await filterOf(selection, collectionIn(database, "feedback"));
      return collectionIn(database, "rows").countDocuments({ $and: filter });
    });
  }

  async remove({ objectsBefore, rowsBefore, bytes }: LogLimits): Promise<LogsRemoved> {
    const counts = { objects: 0, rows: 0 };
    if (objectsBefore !== undefined) counts.objects += await this.#removeOldest("objects", objectsBefore);
    if (rowsBefore !== undefined) {
      counts.rows += await this.#removeRows(rowsBefore);
      await this.#removeOldest("feedback", rowsBefore);
    }
    const most = bytes ?? Number.POSITIVE_INFINITY;
    const isOver = async () => bytes !== undefined && (await this.#usedBytes()) > most;
    if (await isOver()) {
      const gone = await this.#removeOldest("objects");
      counts.objects += gone;
      if (gone === 0) counts.rows += await this.#removeRows();
    }
    const full = counts.objects >= mostAtOnce || counts.rows >= mostAtOnce;
    return { ...counts, more: full || (counts.objects + counts.rows > 0 && (await isOver())) };
  }

  async putFeedback(feedback: readonly Feedback[]): Promise<void> {
    await this.open();
    const { rowDays } = this.#retention;
    const writes = feedback.map((one) => {
      const { _id, ...kept } = feedbackOf(one, rowDays);
      return { updateOne: { filter: { _id }, update: { $set: kept }, upsert: true } };
    });
    await this.#in("feedback", (kept) => kept.bulkWrite(writes, unordered));
  }

  async getFeedback(key: LogKey): Promise<Feedback | undefined> {
    const found = await this.#in("feedback", (feedback) => feedback.findOne({ _id: idOf(key) }));
    return found ? (JSON.parse(found.content) as Feedback) : undefined;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #in<Name extends CollectionName, Result>(
    name: Name,
    run: (collection: Collection<Kinds[Name]>) => Promise<Result>,
  ): Promise<Result> {
    return this.#connection.call((database) => run(collectionIn(database, name)));
  }

  /** With their contents. */
  #removeRows(before?: number): Promise<number> {
    return this.#removeOldest("rows", before, (ids) =>
      this.#in("objects", (objects) => objects.deleteMany({ _id: { $in: [...ids] } })),
    );
  }

  /** Some at a time: a call has a deadline. */
  async #removeOldest(
    name: CollectionName,
    before?: number,
    first?: (ids: readonly string[]) => Promise<unknown>,
  ): Promise<number> {
    const filter = before === undefined ? {} : { created: { $lt: new Date(before) } };
    const ids = await this.#connection.call(async (database) => {
      const found = await database
        .collection<{ _id: string }>(collections[name])
        .find(filter)
        .project<{ _id: string }>({ _id: 1 })
        .sort({ created: 1 })
        .limit(mostAtOnce)
        .toArray();
      return found.map(({ _id }) => _id);
    });
    if (ids.length === 0) return 0;
    await first?.(ids);
    await this.#connection.call((database) =>
      database.collection<{ _id: string }>(collections[name]).deleteMany({ _id: { $in: ids } }),
    );
    return ids.length;
  }

  #usedBytes(): Promise<number> {
    return this.#connection.call(async (database) => {
      let used = 0;
      for (const name of Object.values(collections)) {
        const stats = await database
          .collection(name)
          .aggregate<{ storageStats: { size: number } }>([{ $collStats: { storageStats: {} } }])
          .toArray();
        // One for each shard.
        for (const { storageStats } of stats) used += storageStats.size;
      }
      return used;
    });
  }
}

const unordered = { ordered: false };

interface Kinds {
  readonly rows: KeptRow;
  readonly objects: KeptContent;
  readonly feedback: KeptFeedback;
}

const collectionIn = <Name extends CollectionName>(database: Db, name: Name): Collection<Kinds[Name]> =>
  database.collection<Kinds[Name]>(collections[name]);

/** What was there already is left as it is. */
async function added(writing: Promise<unknown>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!isOnlyDuplicates(error)) throw error;
  }
}

function isOnlyDuplicates(error: unknown): boolean {
  if (!(error instanceof Error && "writeErrors" in error)) return false;
  const all = [error.writeErrors].flat() as { readonly code?: number }[];
  return all.length > 0 && all.every(({ code }) => code === duplicateKey);
}
