import {
  type ChangeSink,
  type KeptShape,
  type RecordBackend,
  RecordError,
  type RecordKey,
  type RecordRow,
  type RowQuery,
  type WriteResult,
} from "../../core/index.ts";

/** A store of records in memory, for tests that open many: its questions are counted, and it can be down. */
export class MemoryRecords implements RecordBackend {
  /** Reads and writes so far. */
  asked = 0;
  down = false;
  readonly #shapes = new Map<string, KeptShape>();
  readonly #rows = new Map<string, RecordRow>();
  readonly #sinks = new Map<string, Set<ChangeSink>>();

  get available(): boolean {
    return !this.down;
  }

  shapes = async (): Promise<KeptShape[]> => this.#ask(() => [...this.#shapes.values()]);

  shapeOf = async (collection: string): Promise<KeptShape | undefined> => this.#ask(() => this.#shapes.get(collection));

  keepShape = async (shape: KeptShape, before: number | undefined): Promise<boolean> =>
    this.#ask(() => {
      if (this.#shapes.get(shape.name)?.revision !== before) return false;
      this.#shapes.set(shape.name, shape);
      return true;
    });

  get = async (collection: string, key: RecordKey, now: number): Promise<RecordRow | undefined> =>
    this.#ask(() => this.#live(collection, key, now));

  insert = async (collection: string, row: RecordRow, now: number): Promise<WriteResult> =>
    this.#ask(() => (this.#live(collection, row, now) ? { kind: "exists" } : this.#written(collection, row, now)));

  replace: RecordBackend["replace"] = async (collection, { expected, expiresAt, ...change }, now) =>
    this.#ask(() => {
      const row = this.#live(collection, change, now);
      if (!row) return { kind: "absent" };
      if (row.version !== expected.version) return { kind: "conflict", version: row.version };
      const expiry = expiresAt === undefined ? row.expiresAt : (expiresAt ?? undefined);
      const kept = { ...change, createdAt: row.createdAt, ...(expiry !== undefined && { expiresAt: expiry }) };
      return this.#written(collection, kept, now);
    });

  remove: RecordBackend["remove"] = async (collection, key, version, now) =>
    this.#ask(() => {
      const row = this.#live(collection, key, now);
      if (!row) return { kind: "absent" };
      if (version !== undefined && row.version !== version) return { kind: "conflict", version: row.version };
      this.#rows.delete(placeOf(collection, key));
      this.#tell(collection, key, "removed");
      return { kind: "done", createdAt: row.createdAt };
    });

  find: RecordBackend["find"] = async (collection, { newest, limit, after, ...query }) =>
    this.#ask(() => {
      const way = newest ? -1 : 1;
      const found = this.#all(collection, query).sort((left, right) => way * compared(left, right));
      return found.filter((row) => !after || way * compared(row, after) > 0).slice(0, limit);
    });

  count = async (collection: string, query: RowQuery): Promise<number> =>
    this.#ask(() => this.#all(collection, query).length);

  older = async (collection: string, revision: number, limit: number, now: number): Promise<RecordRow[]> =>
    this.#ask(() =>
      this.#all(collection, { terms: [], now })
        .filter((row) => row.revision < revision)
        .slice(0, limit),
    );

  watch(collection: string, sink: ChangeSink) {
    const sinks = this.#sinks.get(collection) ?? new Set();
    this.#sinks.set(collection, sinks.add(sink));
    return { ready: Promise.resolve(), stop: () => void sinks.delete(sink) };
  }

  #ask<Found>(answer: () => Found): Found {
    this.asked++;
    if (this.down) throw new RecordError("down", "the store is down");
    return answer();
  }

  #written(collection: string, row: RecordRow, now: number): WriteResult {
    const claims = this.#taken(collection, row, now);
    if (claims.length > 0) return { kind: "duplicate", claims };
    this.#rows.set(placeOf(collection, row), row);
    this.#tell(collection, row, "written");
    const { createdAt, expiresAt } = row;
    return { kind: "done", createdAt, ...(expiresAt !== undefined && { expiresAt }) };
  }

  /** What others claim as well. Of many rows that claim nothing none is looked at for each that is written. */
  #taken(collection: string, { tenant, id, claims }: RecordRow, now: number): string[] {
    if (claims.length === 0) return [];
    const others = this.#all(collection, { tenant, terms: [], now }).filter((other) => other.id !== id);
    return claims.filter((claim) => others.some((other) => other.claims.includes(claim)));
  }

  #live(collection: string, key: RecordKey, now: number): RecordRow | undefined {
    const row = this.#rows.get(placeOf(collection, key));
    return row && (row.expiresAt ?? Number.POSITIVE_INFINITY) > now ? row : undefined;
  }

  #all(collection: string, { tenant, terms, now }: RowQuery): RecordRow[] {
    const wanted = (row: RecordRow) =>
      (tenant === undefined || row.tenant === tenant) &&
      (row.expiresAt ?? Number.POSITIVE_INFINITY) > now &&
      terms.every((any) => any.some((term) => row.terms.includes(term)));
    return [...this.#rows]
      .filter(([place, row]) => place.startsWith(`${collection}\n`) && wanted(row))
      .map(([, row]) => row);
  }

  #tell(collection: string, { tenant, id }: RecordKey, kind: "written" | "removed"): void {
    for (const sink of this.#sinks.get(collection) ?? []) sink.change({ collection, tenant, id, kind });
  }
}

const placeOf = (collection: string, { tenant, id }: RecordKey): string => `${collection}\n${tenant}\n${id}`;

const compared = (left: Pick<RecordRow, "createdAt" | "tenant" | "id">, right: typeof left): number =>
  left.createdAt - right.createdAt ||
  (`${left.tenant}\n${left.id}` < `${right.tenant}\n${right.id}` ? -1 : +(left.id !== right.id));
