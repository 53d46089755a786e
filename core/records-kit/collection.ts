import type { Logger } from "../model/logger.ts";
import {
  type CollectionDefinition,
  type CollectionShape,
  type NewRecord,
  type RecordChange,
  type RecordCollection,
  RecordError,
  type RecordKey,
  type RecordNotice,
  type RecordPage,
  type RecordQuery,
  type StoredRecord,
} from "../services/records.ts";
import type { KeptShape, RecordBackend, RecordRow, WriteResult } from "./backend.ts";
import { checkKey, checkMoment, checkVersion } from "./checks.ts";
import { claimsOf, termsOf, written } from "./document.ts";
import { keptShape, reshape, storedRecord } from "./opened.ts";
import { cursorOf, rowPage, rowQuery } from "./query.ts";
import { refusal } from "./refusals.ts";
import { Watchers } from "./watchers.ts";

export interface CollectionParts {
  readonly backend: RecordBackend;
  readonly shape: CollectionShape;
  readonly now: () => number;
  readonly log: Logger;
}

/** A collection over any store: checks what it is asked, and reads and writes documents in the schema of today. */
export class StoredCollection<Document extends object> implements RecordCollection<Document> {
  readonly #definition: CollectionDefinition<Document>;
  readonly #backend: RecordBackend;
  readonly #shape: CollectionShape;
  readonly #now: () => number;
  readonly #watchers: Watchers;
  #opening: Promise<KeptShape> | undefined;

  constructor(definition: CollectionDefinition<Document>, { backend, shape, now, log }: CollectionParts) {
    this.#definition = definition;
    this.#backend = backend;
    this.#shape = shape;
    this.#now = now;
    this.#watchers = new Watchers(backend, shape.name, log);
  }

  /** Begins with the first call; what failed is tried again by the next one. */
  open(): Promise<KeptShape> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** What processes of an earlier version have written since, brought to this schema. */
  async tend(): Promise<void> {
    if (this.#opening) await this.#reshape(await this.#opening);
  }

  close(): void {
    this.#watchers.stop();
  }

  async get(key: RecordKey): Promise<StoredRecord<Document> | undefined> {
    checkKey(this.#shape.name, key);
    await this.#readable();
    const row = await this.#backend.get(this.#shape.name, key, this.#now());
    return row && storedRecord(this.#definition, row);
  }

  async insert(record: NewRecord<Document>): Promise<StoredRecord<Document>> {
    const { name } = this.#shape;
    const { tenant, id, document, expiresAt } = record;
    checkKey(name, record);
    checkMoment(name, expiresAt);
    const content = await this.#content(document);
    const now = this.#now();
    const expiry = expiresAt !== undefined && { expiresAt };
    const row: RecordRow = { tenant, id, version: 1, createdAt: now, updatedAt: now, ...expiry, ...content };
    this.#done(record, await this.#backend.insert(name, row, now));
    return storedRecord(this.#definition, row);
  }

  async update(
    key: RecordKey & { readonly version: number },
    { document, expiresAt }: RecordChange<Document>,
  ): Promise<StoredRecord<Document>> {
    const { name, schemaVersion } = this.#shape;
    checkKey(name, key);
    checkVersion(name, key.version);
    checkMoment(name, expiresAt);
    const content = await this.#content(document);
    const now = this.#now();
    const next = { tenant: key.tenant, id: key.id, version: key.version + 1, updatedAt: now, ...content };
    const expected = { version: key.version, schemaAtMost: schemaVersion };
    const change = { ...next, expected, ...(expiresAt !== undefined && { expiresAt }) };
    const { kind: _, ...kept } = this.#done(key, await this.#backend.replace(name, change, now));
    return storedRecord(this.#definition, { ...next, ...kept });
  }

  async remove(key: RecordKey & { readonly version?: number }): Promise<boolean> {
    const { name } = this.#shape;
    checkKey(name, key);
    if (key.version !== undefined) checkVersion(name, key.version);
    await this.open();
    const result = await this.#backend.remove(name, key, key.version, this.#now());
    if (result.kind === "absent") return false;
    this.#done(key, result);
    return true;
  }

  async find(query: RecordQuery<Document>): Promise<RecordPage<Document>> {
    const page = rowPage(this.#shape, query, this.#now());
    await this.#readable();
    const rows = await this.#backend.find(this.#shape.name, page);
    const shown = rows.slice(0, page.limit - 1);
    const last = rows.length > shown.length ? shown.at(-1) : undefined;
    const records = shown.map((row) => storedRecord(this.#definition, row));
    return { records, ...(last && { next: cursorOf(last, query) }) };
  }

  async count(query: Pick<RecordQuery<Document>, "tenant" | "where">): Promise<number> {
    const asked = rowQuery(this.#shape, query, this.#now());
    await this.#readable();
    return this.#backend.count(this.#shape.name, asked);
  }

  changes(listener: (change: RecordNotice) => void, missed?: () => void): () => void {
    return this.#watchers.add(listener, missed);
  }

  async #open(): Promise<KeptShape> {
    const kept = await keptShape(this.#backend, this.#shape);
    await this.#reshape(kept);
    return kept;
  }

  /** A store that a later version has brought to its schema is left as it is. */
  async #reshape(kept: KeptShape): Promise<void> {
    if (kept.schemaVersion === this.#shape.schemaVersion)
      await reshape(this.#backend, this.#definition, kept, this.#now);
  }

  async #readable(): Promise<void> {
    await this.open();
    await this.#watchers.ready;
  }

  async #content(document: Document) {
    const { name, schemaVersion } = this.#shape;
    const { json, read } = written(name, document);
    const { revision, schemaVersion: kept } = await this.open();
    if (kept > schemaVersion)
      throw new RecordError("schema", `${name} is in schema ${kept} by now, and this gateway writes ${schemaVersion}`);
    return {
      json,
      schema: schemaVersion,
      revision,
      terms: termsOf(this.#shape, read),
      claims: claimsOf(this.#shape, read),
    };
  }

  #done(key: RecordKey, result: WriteResult): Extract<WriteResult, { kind: "done" }> {
    if (result.kind === "done") return result;
    throw refusal(this.#shape.name, key, result);
  }
}
