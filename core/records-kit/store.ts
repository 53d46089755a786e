import type { Logger } from "../model/logger.ts";
import type {
  CollectionDefinition,
  CollectionShape,
  RecordArchive,
  RecordCollection,
  RecordsService,
} from "../services/records.ts";
import { Archive } from "./archive.ts";
import type { RecordBackend } from "./backend.ts";
import { checkedShape, invalid, sameShape } from "./checks.ts";
import { StoredCollection } from "./collection.ts";

interface Tended {
  open(): Promise<unknown>;
  tend(): Promise<void>;
  close(): void;
}

/** The service of a plugin that provides records, and what that plugin calls itself. */
export interface RecordStore extends RecordsService {
  readonly archive: RecordArchive;
  /** Whether some plugin has declared a collection. */
  readonly used: boolean;
  /** Opens what was declared so far. Rejects with a `RecordError`. */
  open(): Promise<void>;
  /** To be called now and then: upgrades what processes of an earlier version have written. Never rejects. */
  tend(): Promise<void>;
  /** Ends all listening. */
  close(): void;
}

/** Makes the service of what a store knows. `now` is the clock of this process in Unix milliseconds. */
export function recordStore(backend: RecordBackend, log: Logger, now: () => number = Date.now): RecordStore {
  const declared = new Map<string, { readonly shape: CollectionShape; readonly collection: Tended }>();
  const all = () => [...declared.values()].map(({ collection }) => collection);
  return {
    get available() {
      return backend.available;
    },
    get used() {
      return declared.size > 0;
    },
    ...(backend.folder !== undefined && { folder: backend.folder }),
    archive: new Archive(backend, now),
    collection<Document extends object>(definition: CollectionDefinition<Document>): RecordCollection<Document> {
      const shape = checkedShape(definition);
      const before = declared.get(shape.name);
      if (before && !sameShape(before.shape, shape)) throw invalid(`${shape.name} was declared differently before`);
      if (before) return before.collection as StoredCollection<Document>;
      const collection = new StoredCollection(definition, { backend, shape, now, log });
      declared.set(shape.name, { shape, collection });
      return collection;
    },
    async open() {
      for (const collection of all()) await collection.open();
    },
    async tend() {
      for (const collection of all())
        await collection.tend().catch((error: unknown) => log.debug("records were not upgraded", { error }));
    },
    close() {
      for (const collection of all()) collection.close();
    },
  };
}
