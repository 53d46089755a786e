import type { Document } from "bson";
import { aggregate } from "mingo";
import { type ChangeCursor, ChangeLog } from "./change-log.ts";
import { Collection, CommandError, type Index } from "./collection.ts";
import { wide } from "./wire.ts";

export interface ServerKind {
  /** Only a member of a replica set has change streams. */
  readonly replicaSet: boolean;
}

type Run = (body: Document, database: string) => Document | Promise<Document>;

/** All databases of a server, and the commands it knows. */
export class Commands {
  readonly #kind: ServerKind;
  readonly #log = new ChangeLog();
  readonly #collections = new Map<string, Collection>();
  readonly #streams = new Map<number, { readonly cursor: ChangeCursor; readonly namespace: string }>();
  #lastCursor = 0;
  address = "";

  constructor(kind: ServerKind) {
    this.#kind = kind;
  }

  async run(body: Document): Promise<Document> {
    const [name = ""] = Object.keys(body);
    const run = this.#commands[name];
    const database = String(body.$db ?? "admin");
    try {
      if (!run) throw new CommandError(59, `no such command: '${name}'`);
      const answer = await run(body, database);
      const { operationTime } = this.#log;
      return { ...answer, ok: 1, ...(this.#kind.replicaSet && { operationTime }) };
    } catch (error) {
      if (!(error instanceof CommandError)) return { ok: 0, code: 8, errmsg: String(error) };
      return { ok: 0, code: error.code, errmsg: error.message, ...error.details };
    }
  }

  /** Does what the background task for expired documents does. */
  removeExpired(now: number): void {
    for (const collection of this.#collections.values()) collection.removeExpired(now);
  }

  #collection(database: string, name: string): Collection {
    const namespace = `${database}.${name}`;
    let collection = this.#collections.get(namespace);
    if (!collection) {
      collection = new Collection((written) => this.#log.add(database, name, written));
      this.#collections.set(namespace, collection);
    }
    return collection;
  }

  #hello: Run = () => ({
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: 21,
    readOnly: false,
    ...(this.#kind.replicaSet && { setName: "rs0", setVersion: 1, hosts: [this.address], me: this.address }),
  });

  #nothing: Run = () => ({});

  readonly #commands: Readonly<Record<string, Run>> = {
    hello: this.#hello,
    ismaster: this.#hello,
    isMaster: this.#hello,
    ping: this.#nothing,
    endSessions: this.#nothing,
    killCursors: ({ cursors = [] }) => {
      for (const cursor of cursors) this.#streams.delete(Number(cursor));
      return { cursorsKilled: cursors };
    },
    insert: ({ insert, documents, ordered = true }, database) =>
      written(documents, ordered, (one) => {
        this.#collection(database, insert).insert(one);
        return { n: 1 };
      }),
    update: ({ update, updates, ordered = true }, database) =>
      written(updates, ordered, (one) => {
        const { matched, changed, upserted } = this.#collection(database, update).update(one);
        return { n: upserted ? 1 : matched, nModified: changed.length, upserted: upserted?._id };
      }),
    delete: ({ delete: name, deletes, ordered = true }, database) =>
      written(deletes, ordered, (one) => ({ n: this.#collection(database, name).delete(one).length })),
    findAndModify: ({ findAndModify, query, update, remove, new: after, upsert, fields, sort }, database) => {
      const collection = this.#collection(database, findAndModify);
      if (remove) return { value: collection.delete({ q: query, limit: 1 })[0] ?? null };
      const { changed, upserted } = collection.update({ q: query, u: update, upsert, sort });
      const [one] = changed;
      const value = after ? (one?.after ?? upserted) : one?.before;
      return { value: value ? aggregate([value], fields ? [{ $project: fields }] : [])[0] : null };
    },
    find: ({ find, ...query }, database) => first(`${database}.${find}`, this.#collection(database, find).find(query)),
    count: ({ count, query, limit }, database) => ({
      n: this.#collection(database, count).find({ filter: query, limit }).length,
    }),
    aggregate: ({ aggregate: name, pipeline }, database) => {
      if (pipeline[0]?.$changeStream) return this.#watch(database, name, pipeline);
      if (pipeline[0]?.$collStats)
        return first(`${database}.${name}`, [{ storageStats: this.#collection(database, name).stats() }]);
      return first(`${database}.${name}`, aggregate(this.#collection(database, name).all(), pipeline));
    },
    getMore: async ({ getMore, maxTimeMS = 1000 }) => {
      const id = Number(getMore);
      const stream = this.#streams.get(id);
      if (!stream) throw new CommandError(43, `cursor id ${id} not found`);
      await stream.cursor.wait(maxTimeMS);
      const { events, token } = stream.cursor.take();
      return { cursor: { id: wide(id), ns: stream.namespace, nextBatch: events, postBatchResumeToken: token } };
    },
    createIndexes: ({ createIndexes, indexes }, database) => {
      for (const index of indexes as Index[]) this.#collection(database, createIndexes).createIndex(index);
      return {};
    },
    listIndexes: ({ listIndexes }, database) =>
      first(
        `${database}.${listIndexes}`,
        this.#collection(database, listIndexes).indexes.map((index) => ({ v: 2, ...index })),
      ),
    dropDatabase: (_, database) => {
      for (const namespace of this.#collections.keys())
        if (namespace.startsWith(`${database}.`)) this.#collections.delete(namespace);
      return {};
    },
  };

  #watch(database: string, name: unknown, pipeline: Document[]): Document {
    if (!this.#kind.replicaSet)
      throw new CommandError(40573, "The $changeStream stage is only supported on replica sets");
    const collection = typeof name === "string" ? name : undefined;
    const id = ++this.#lastCursor;
    const namespace = `${database}.${collection ?? "$cmd.aggregate"}`;
    const cursor = this.#log.follow(database, collection, pipeline);
    this.#streams.set(id, { cursor, namespace });
    const { events, token } = cursor.take();
    return { cursor: { id: wide(id), ns: namespace, firstBatch: events, postBatchResumeToken: token } };
  }
}

/** All at once: a test has no more than fits one answer. */
const first = (ns: string, firstBatch: unknown[]): Document => ({ cursor: { id: wide(0), ns, firstBatch } });

/** Each write for itself, up to the first that fails. */
function written(
  operations: readonly Document[],
  ordered: boolean,
  run: (one: Document) => { readonly n: number; readonly nModified?: number; readonly upserted?: unknown },
): Document {
  const writeErrors: Document[] = [];
  const upserted: Document[] = [];
  let [n, nModified] = [0, 0];
  for (const [index, operation] of operations.entries()) {
    try {
      const done = run(operation);
      n += done.n;
      nModified += done.nModified ?? 0;
      if (done.upserted !== undefined) upserted.push({ index, _id: done.upserted });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.details });
      if (ordered) break;
    }
  }
  return { n, nModified, ...(upserted.length > 0 && { upserted }), ...(writeErrors.length > 0 && { writeErrors }) };
}
