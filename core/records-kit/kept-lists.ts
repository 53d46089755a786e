import type { RecordCollection } from "../services/records.ts";
import { type Kept, type KeptOptions, keptRecords } from "./kept.ts";

/** How lists of records are kept at hand. */
export interface KeptListsOptions<Document extends object, List>
  extends Pick<KeptOptions<{ readonly list: List }, List>, "staleAfterChange" | "most" | "now"> {
  readonly collection: Pick<RecordCollection<Document>, "changes">;
  /** Reads the list that stands under a name, as it is kept: once, and after any record of its tenant has changed. */
  readonly read: (tenant: string, name: string) => Promise<List>;
}

/**
 * Lists on the data path, such as what a workspace has: `find(tenant, name)` asks the store once and then memory, as
 * `keptRecords` does for single records. Every name has a list, if an empty one.
 */
export function keptLists<Document extends object, List>(options: KeptListsOptions<Document, List>): Kept<List> {
  const { collection, read, ...rest } = options;
  /** Which lists a change of a tenant's record may be about. */
  const names = new Map<string, Set<string>>();
  return keptRecords<{ readonly list: List }, List>({
    ...rest,
    collection: {
      async get({ tenant, id }) {
        names.set(tenant, (names.get(tenant) ?? new Set()).add(id));
        const document = { list: await read(tenant, id) };
        return { tenant, id, version: 1, createdAt: 0, updatedAt: 0, document };
      },
      find: async () => ({ records: [] }),
      changes: (listener, missed) =>
        collection.changes((notice) => {
          for (const id of names.get(notice.tenant) ?? []) listener({ ...notice, id });
        }, missed),
    },
    read: ({ document }) => document.list,
  });
}
