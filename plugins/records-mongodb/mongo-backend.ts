import type { Collection, Db, Filter } from "mongodb";
import type {
  ChangeSink,
  KeptShape,
  MongoConnection,
  Position,
  RecordBackend,
  RecordKey,
  RecordRow,
  RowChange,
  RowPage,
  RowQuery,
  WriteResult,
} from "../../core/index.ts";
import { Changes } from "./changes.ts";
import {
  expiresAtOf,
  idOf,
  indexes,
  insertion,
  type Kept,
  type KeptCollection,
  longAgo,
  ownClaim,
  prefix,
  purgeAfter,
  replacement,
  rowOf,
  shapes,
} from "./documents.ts";

export interface MongoOptions {
  /** Milliseconds between two looks for changes, where the server does not tell them. */
  readonly pollInterval: number;
}

const duplicateKey = 11000;

/** Others may write between two steps of an insert; this often it is tried again. */
const mostTries = 5;

/** Records in MongoDB: a collection for each, one operation on one document for each write. */
export class MongoBackend implements RecordBackend {
  readonly #connection: MongoConnection;
  readonly #changes: Changes;
  readonly #indexed = new Map<string, Promise<void>>();

  constructor(connection: MongoConnection, { pollInterval }: MongoOptions) {
    this.#connection = connection;
    this.#changes = new Changes(connection, pollInterval);
  }

  get available(): boolean {
    return this.#connection.available;
  }

  shapes(): Promise<KeptShape[]> {
    return this.#connection.call(async (database) => {
      const kept = await database.collection<KeptCollection>(shapes).find().sort({ _id: 1 }).toArray();
      return kept.map(shapeOf);
    });
  }

  async shapeOf(name: string): Promise<KeptShape | undefined> {
    const kept = await this.#connection.call((database) =>
      database.collection<KeptCollection>(shapes).findOne({ _id: name }),
    );
    if (!kept) return undefined;
    await this.#makeIndexes(name);
    return shapeOf(kept);
  }

  async keepShape({ name, schemaVersion, ...shape }: KeptShape, before: number | undefined): Promise<boolean> {
    await this.#makeIndexes(name);
    const kept = {
      schema: schemaVersion,
      revision: shape.revision,
      indexes: [...shape.indexes],
      unique: shape.unique.map((group) => [...group]),
    };
    return this.#connection.call(async (database) => {
      const all = database.collection<KeptCollection>(shapes);
      if (before === undefined) return made(all.insertOne({ _id: name, ...kept }));
      const { matchedCount } = await all.updateOne({ _id: name, revision: before }, { $set: kept });
      return matchedCount === 1;
    });
  }

  get(collection: string, key: RecordKey, now: number): Promise<RecordRow | undefined> {
    return this.#in(collection, async (records) => {
      const kept = await records.findOne({ _id: idOf(key), ...living(now) });
      return kept ? rowOf(kept) : undefined;
    });
  }

  insert(collection: string, row: RecordRow, now: number): Promise<WriteResult> {
    return this.#in(collection, async (records) => {
      const update = { $set: insertion(row), $currentDate: { written: true as const } };
      const gone = { _id: idOf(row), expires: { $lte: new Date(now) } };
      for (let tries = 0; tries < mostTries; tries++) {
        // In the place of one that has expired or was removed, or else where there is none.
        if (await made(records.updateOne(gone, update, { upsert: true })))
          return {
            kind: "done",
            createdAt: row.createdAt,
            ...(row.expiresAt !== undefined && { expiresAt: row.expiresAt }),
          };
        if (await records.findOne({ _id: idOf(row), ...living(now) }, { projection: { _id: 1 } }))
          return { kind: "exists" };
        const taken = await takenClaims(records, row, now);
        if (taken.length > 0) return { kind: "duplicate", claims: taken };
      }
      return { kind: "duplicate", claims: row.claims };
    });
  }

  replace(collection: string, change: RowChange, now: number): Promise<WriteResult> {
    const { version, revision, schemaAtMost } = change.expected;
    const wanted: Filter<Kept> = {
      _id: idOf(change),
      version,
      ...(revision !== undefined && { revision }),
      ...(schemaAtMost !== undefined && { schema: { $lte: schemaAtMost } }),
      ...living(now),
    };
    return this.#in(collection, async (records) => {
      for (let tries = 0; tries < mostTries; tries++) {
        let after: Pick<Kept, "created" | "expires"> | null = null;
        const done = await made(
          records
            .findOneAndUpdate(
              wanted,
              { $set: replacement(change), $currentDate: { written: true } },
              { returnDocument: "after", projection: { created: 1, expires: 1 } },
            )
            .then((found) => {
              after = found;
            }),
        );
        if (done) return replaced(after) ?? (await whyNot(records, change, schemaAtMost, now));
        const taken = await takenClaims(records, change, now);
        if (taken.length > 0) return { kind: "duplicate", claims: taken };
      }
      return { kind: "duplicate", claims: change.claims };
    });
  }

  remove(collection: string, key: RecordKey, version: number | undefined, now: number): Promise<WriteResult> {
    const wanted: Filter<Kept> = { _id: idOf(key), ...(version !== undefined && { version }), ...living(now) };
    const gone = { removed: true, expires: longAgo, purge: purgeAfter(Date.now()), claims: [ownClaim(key)] };
    return this.#in(collection, async (records) => {
      const update = { $set: { ...gone, terms: [], json: "{}" }, $currentDate: { written: true as const } };
      const before = await records.findOneAndUpdate(wanted, update, { projection: { created: 1 } });
      return before ? { kind: "done", createdAt: before.created.getTime() } : whyNot(records, key, undefined, now);
    });
  }

  find(collection: string, page: RowPage): Promise<RecordRow[]> {
    const filter = { $and: [...conditions(page), ...(page.after ? [beyond(page.after, page)] : [])] };
    const way = page.newest ? -1 : 1;
    const order: [string, 1 | -1][] = [["created", way], ...tenantOrder(page, way), ["id", way]];
    return this.#in(collection, async (records) =>
      (await records.find(filter).sort(order).limit(page.limit).batchSize(page.limit).toArray()).map(rowOf),
    );
  }

  count(collection: string, query: RowQuery): Promise<number> {
    return this.#in(collection, (records) => records.countDocuments({ $and: conditions(query) }));
  }

  older(collection: string, revision: number, limit: number, now: number): Promise<RecordRow[]> {
    return this.#in(collection, async (records) =>
      (
        await records
          .find({ revision: { $lt: revision }, ...living(now) })
          .limit(limit)
          .toArray()
      ).map(rowOf),
    );
  }

  watch(collection: string, sink: ChangeSink): { readonly ready: Promise<void>; stop(): void } {
    return this.#changes.watch(collection, sink);
  }

  async close(): Promise<void> {
    await this.#changes.close();
    await this.#connection.close();
  }

  #in<Result>(collection: string, run: (records: Collection<Kept>) => Promise<Result>): Promise<Result> {
    return this.#connection.call((database) => run(recordsIn(database, collection)));
  }

  #makeIndexes(collection: string): Promise<void> {
    const known = this.#indexed.get(collection);
    if (known) return known;
    const making = this.#in(collection, async (records) => {
      await records.createIndexes([...indexes]);
    });
    this.#indexed.set(collection, making);
    making.catch(() => this.#indexed.delete(collection));
    return making;
  }
}

const recordsIn = (database: Db, collection: string): Collection<Kept> =>
  database.collection<Kept>(prefix + collection);

const shapeOf = ({ _id, schema, revision, indexes, unique }: KeptCollection): KeptShape => ({
  name: _id,
  schemaVersion: schema,
  revision,
  indexes,
  unique,
});

const living = (now: number) => ({ expires: { $gt: new Date(now) } });

/** False when something unique was taken. */
async function made(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === duplicateKey) return false;
    throw error;
  }
}

const replaced = (after: Pick<Kept, "created" | "expires"> | null): WriteResult | undefined =>
  after ? { kind: "done", createdAt: after.created.getTime(), ...expiresAtOf(after) } : undefined;

/** Why a record was not found in the version it was wanted in. */
async function whyNot(
  records: Collection<Kept>,
  key: RecordKey,
  schemaAtMost: number | undefined,
  now: number,
): Promise<WriteResult> {
  const projection = { version: 1, schema: 1 };
  const there = await records.findOne({ _id: idOf(key), ...living(now) }, { projection });
  if (!there) return { kind: "absent" };
  if (schemaAtMost !== undefined && there.schema > schemaAtMost) return { kind: "schema", schema: there.schema };
  return { kind: "conflict", version: there.version };
}

/** The claims that living records have. Those that have expired give theirs up. */
async function takenClaims(
  records: Collection<Kept>,
  row: Pick<RecordRow, "tenant" | "id" | "claims">,
  now: number,
): Promise<string[]> {
  const claims = [...row.claims];
  const holding: Filter<Kept> = { tenant: row.tenant, claims: { $in: claims }, _id: { $ne: idOf(row) } };
  const holders = await records.find({ ...holding, ...living(now) }, { projection: { claims: 1 } }).toArray();
  const taken = new Set(holders.flatMap((holder) => [...holder.claims]));
  if (holders.length === 0) await records.deleteMany({ ...holding, expires: { $lte: new Date(now) } });
  return claims.filter((claim) => taken.has(claim));
}

const conditions = ({ tenant, terms, now }: RowQuery): Filter<Kept>[] => [
  ...(tenant === undefined ? [] : [{ tenant }]),
  ...terms.map((choices) => ({ terms: { $in: [...choices] } })),
  living(now),
];

const tenantOrder = ({ tenant }: RowQuery, way: 1 | -1): [string, 1 | -1][] =>
  tenant === undefined ? [["tenant", way]] : [];

function beyond({ createdAt, tenant, id }: Position, page: RowPage): Filter<Kept> {
  const past = (value: string | Date) => (page.newest ? { $lt: value } : { $gt: value });
  const created = new Date(createdAt);
  const branches: Record<string, unknown>[] = [{ created: past(created) }];
  if (page.tenant === undefined) branches.push({ created, tenant: past(tenant) });
  branches.push({ created, tenant, id: past(id) });
  return { $or: branches } as Filter<Kept>;
}
