import { randomUUID } from "node:crypto";
import {
  type BlobsService,
  type CollectionDefinition,
  GatewayError,
  type MadeFile,
  type ManagedFile,
  type ManagedFilesService,
  managedFilePrefix,
  type RecordCollection,
  RecordError,
  type RecordsService,
  type StoredRecord,
  storeDown,
} from "../../core/index.ts";

/** A file as its record has it. Times are Unix seconds. */
export interface FileDocument {
  readonly filename: string;
  readonly purpose: string;
  readonly content_type: string;
  readonly bytes: number;
  readonly created_at: number;
  readonly expires_at: number | null;
  /** Whether it ever expires: what is looked through for files that have. */
  readonly expires: boolean;
}

export type FileRecord = StoredRecord<FileDocument>;

export type NewFile = Pick<FileDocument, "filename" | "purpose" | "content_type">;

const definition: CollectionDefinition<FileDocument> = {
  name: "managed_files",
  schemaVersion: 1,
  indexes: ["purpose", "expires"],
};

const pageSize = 500;

/** The files of all tenants: a record of each, and its bytes beside the records. */
export class KeptFiles implements ManagedFilesService {
  readonly #collection: RecordCollection<FileDocument>;
  readonly #blobs: BlobsService;
  readonly #now: () => number;

  constructor(records: RecordsService, blobs: BlobsService, now: () => number) {
    this.#collection = records.collection(definition);
    this.#blobs = blobs;
    this.#now = now;
  }

  /** Unix seconds. */
  get seconds(): number {
    return Math.floor(this.#now() / 1000);
  }

  async get(tenant: string, id: string): Promise<FileRecord | undefined> {
    if (!id.startsWith(managedFilePrefix) || id.length > 64) return undefined;
    const found = await this.#collection.get({ tenant, id }).catch(storeDown);
    return found && !this.#isOver(found.document) ? found : undefined;
  }

  async find(tenant: string, id: string): Promise<ManagedFile | undefined> {
    const found = await this.get(tenant, id);
    return found && fileOf(found);
  }

  async read({ id }: Pick<ManagedFile, "id">, part?: { from?: number; to?: number }): Promise<AsyncIterable<Buffer>> {
    const blob = await this.#blobs.get(keyOf(id), part);
    if (blob) return blob.bytes;
    throw new GatewayError("item_unknown", `The bytes of the file "${id}" are gone.`);
  }

  async keep({ tenant, id, filename, purpose, content, expiresAt }: MadeFile): Promise<ManagedFile> {
    const known = await this.get(tenant, id);
    if (known) return fileOf(known);
    const bytes = await this.#blobs.put(keyOf(id), content);
    const file = { filename, purpose, content_type: "application/jsonl" };
    try {
      return fileOf(await this.#insert(tenant, id, file, bytes, expiresAt));
    } catch (error) {
      // Somebody who made the same was faster.
      const there = error instanceof RecordError && error.reason === "exists" && (await this.get(tenant, id));
      return there ? fileOf(there) : storeDown(error);
    }
  }

  /** Keeps what comes, and says what it is once all of it is there: then more is known. */
  async add(
    tenant: string,
    content: AsyncIterable<Buffer>,
    describe: () => NewFile & { readonly lifetime: number | undefined },
  ): Promise<FileRecord> {
    const id = `${managedFilePrefix}${randomUUID()}`;
    const bytes = await this.#blobs.put(keyOf(id), content);
    try {
      const { lifetime, ...file } = describe();
      const expiresAt = lifetime === undefined ? undefined : this.seconds + lifetime;
      return await this.#insert(tenant, id, file, bytes, expiresAt);
    } catch (error) {
      // What was written, and nobody has said so, is there all the same.
      const there = error instanceof RecordError && (await this.get(tenant, id).catch(() => undefined));
      if (there) return there;
      // Bytes that no record names are nobody's.
      await this.#blobs.remove(keyOf(id)).catch(() => undefined);
      return storeDown(error);
    }
  }

  async remove(tenant: string, id: string): Promise<boolean> {
    if (!(await this.get(tenant, id))) return false;
    // The bytes first: what is broken off here can be done again, as long as there is a record.
    await this.#blobs.remove(keyOf(id));
    return this.#collection.remove({ tenant, id }).catch(storeDown);
  }

  /** Files in the order they were made, one page of the store after the other. */
  async *all(tenant: string, purpose: string | undefined, order: "asc" | "desc"): AsyncGenerator<FileRecord> {
    let after: string | undefined;
    do {
      const { records, next } = await this.#collection
        .find({
          tenant,
          ...(purpose !== undefined && { where: { purpose } }),
          order: order === "asc" ? "oldest" : "newest",
          limit: pageSize,
          ...(after !== undefined && { after }),
        })
        .catch(storeDown);
      for (const record of records) if (!this.#isOver(record.document)) yield record;
      after = next;
    } while (after !== undefined);
  }

  /** Removes what has expired: the bytes with it. Rejects in the end where some of them could not be removed. */
  async sweep(): Promise<void> {
    const failures: unknown[] = [];
    let after: string | undefined;
    do {
      const query = { where: { expires: true }, limit: pageSize, ...(after !== undefined && { after }) };
      const { records, next } = await this.#collection.find(query);
      for (const { tenant, id, version, document } of records) {
        if (!this.#isOver(document)) continue;
        const failure = await this.#blobs.remove(keyOf(id)).then(
          () => undefined,
          (error: unknown) => ({ error }),
        );
        if (failure) failures.push(failure.error);
        else await this.#collection.remove({ tenant, id, version });
      }
      after = next;
    } while (after !== undefined);
    if (failures.length > 0) throw failures[0];
  }

  #insert(
    tenant: string,
    id: string,
    file: NewFile,
    bytes: number,
    expiresAt: number | undefined,
  ): Promise<FileRecord> {
    return this.#collection.insert({
      tenant,
      id,
      document: {
        ...file,
        bytes,
        created_at: this.seconds,
        expires_at: expiresAt ?? null,
        expires: expiresAt !== undefined,
      },
    });
  }

  #isOver({ expires_at }: FileDocument): boolean {
    return expires_at !== null && expires_at <= this.seconds;
  }
}

const keyOf = (id: string): string => `files/${id}`;

const fileOf = ({ id, tenant, document: { filename, purpose, bytes } }: FileRecord): ManagedFile => ({
  id,
  tenant,
  filename,
  purpose,
  bytes,
});
