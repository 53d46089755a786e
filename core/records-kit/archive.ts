import {
  type ArchivedRecord,
  type CollectionShape,
  type RecordArchive,
  RecordError,
  type RecordKey,
} from "../services/records.ts";
import type { KeptShape, RecordBackend, RecordRow } from "./backend.ts";
import { checkedShape, checkKey, checkMoment, checkVersion, invalid } from "./checks.ts";
import { claimsOf, documentOf, termsOf, written } from "./document.ts";
import { keptShape } from "./opened.ts";
import { cursorOf, rowPage } from "./query.ts";
import { refusal } from "./refusals.ts";

const perPage = 100;

/** Reads and writes rows as they are kept, with the shapes the store remembers. */
export class Archive implements RecordArchive {
  readonly #backend: RecordBackend;
  readonly #now: () => number;
  readonly #known = new Map<string, KeptShape>();

  constructor(backend: RecordBackend, now: () => number) {
    this.#backend = backend;
    this.#now = now;
  }

  async collections(): Promise<readonly CollectionShape[]> {
    const shapes = await this.#backend.shapes();
    return shapes.map(({ revision: _, ...shape }) => shape);
  }

  async page(collection: string, after?: string) {
    const shape = await this.#shapeOf(collection);
    const asked = { limit: perPage, ...(after !== undefined && { after }) };
    const rows = await this.#backend.find(collection, rowPage(shape, asked, this.#now()));
    const shown = rows.slice(0, perPage);
    const last = rows.length > perPage ? shown.at(-1) : undefined;
    return { records: shown.map(archived), ...(last && { next: cursorOf(last, {}) }) };
  }

  async get(collection: string, key: RecordKey): Promise<ArchivedRecord | undefined> {
    checkKey(collection, key);
    await this.#shapeOf(collection);
    const row = await this.#backend.get(collection, key, this.#now());
    return row && archived(row);
  }

  async declare(shape: CollectionShape): Promise<void> {
    const checked = checkedShape(shape as CollectionShape & { readonly indexes: never[]; readonly unique: never[][] });
    const there = await this.#backend.shapeOf(checked.name);
    const stays = there && there.schemaVersion >= checked.schemaVersion;
    this.#known.set(checked.name, stays ? there : await keptShape(this.#backend, checked));
  }

  async put(collection: string, record: ArchivedRecord, over?: number): Promise<void> {
    const shape = await this.#shapeOf(collection);
    const row = this.#rowOf(shape, record);
    const { version, createdAt, expiresAt, ...rest } = row;
    const result =
      over === undefined
        ? await this.#backend.insert(collection, row, this.#now())
        : await this.#backend.replace(
            collection,
            {
              ...rest,
              version: Math.max(version, over + 1),
              expiresAt: expiresAt ?? null,
              expected: { version: over },
            },
            this.#now(),
          );
    if (result.kind !== "done") throw refusal(collection, record, result);
  }

  #rowOf(shape: KeptShape, record: ArchivedRecord): RecordRow {
    const { name } = shape;
    const { tenant, id, version, schemaVersion, createdAt, updatedAt, expiresAt, document } = record;
    checkKey(name, record);
    for (const number of [version, schemaVersion]) checkVersion(name, number);
    for (const moment of [createdAt, updatedAt, expiresAt]) checkMoment(name, moment);
    if (schemaVersion > shape.schemaVersion)
      throw new RecordError(
        "schema",
        `${name} "${id}" is in schema ${schemaVersion}, later than that of its collection`,
      );
    const { json, read } = written(name, document);
    return {
      ...{ tenant, id, version, createdAt, updatedAt, json, schema: schemaVersion },
      ...(expiresAt !== undefined && { expiresAt }),
      // In an earlier schema it is as if it had always been there: whoever knows the collection upgrades it.
      revision: schemaVersion === shape.schemaVersion ? shape.revision : 0,
      terms: termsOf(shape, read),
      claims: claimsOf(shape, read),
    };
  }

  async #shapeOf(collection: string): Promise<KeptShape> {
    const shape = this.#known.get(collection) ?? (await this.#backend.shapeOf(collection));
    if (!shape) throw invalid(`there is no collection "${collection}"`);
    this.#known.set(collection, shape);
    return shape;
  }
}

function archived({ tenant, id, version, schema, createdAt, updatedAt, expiresAt, json }: RecordRow): ArchivedRecord {
  const times = { createdAt, updatedAt, ...(expiresAt !== undefined && { expiresAt }) };
  return { tenant, id, version, schemaVersion: schema, ...times, document: documentOf(json) };
}
