import {
  type Managed,
  type ManagedDocument,
  RecordError,
  type ResourceStore,
  unlessDeleted,
} from "../../../core/index.ts";
import type { CollectionDocument } from "../saved/documents.ts";
import { fixedId } from "../saved/fixed-id.ts";

/**
 * The collection of a workspace for what names none, made when it is first asked for. Its id is the same whoever makes it:
 * of several who do so at once, one is quicker.
 */
export async function defaultCollection(
  store: ResourceStore<CollectionDocument>,
  organisation: string,
  workspace: string,
): Promise<Managed<CollectionDocument>> {
  const id = fixedId("default collection", organisation, workspace);
  const found = await store.get(organisation, id);
  if (found) return found;
  const name = "Default";
  try {
    return await store.create(
      organisation,
      { id, name },
      { workspace_id: workspace, name, parent_collection_id: null, is_default: true },
    );
  } catch (error) {
    const theirs =
      error instanceof RecordError && error.reason === "exists" ? await store.get(organisation, id) : undefined;
    if (theirs) return theirs;
    throw error;
  }
}

/**
 * Of what was just put into a collection: moves it to the default one where the collection was deleted at the same moment.
 * Who deletes a collection moves what they find in it, and this may come later.
 */
export async function leaveGone<Document extends ManagedDocument>(
  record: Managed<Document>,
  field: keyof Document & string,
  owners: ResourceStore<Document>,
  collections: ResourceStore<CollectionDocument>,
): Promise<void> {
  const { tenant, document } = record;
  const { workspace_id: workspace, [field]: collection } = document;
  if (typeof collection !== "string" || workspace === null || (await collections.get(tenant, collection))) return;
  const { id } = await defaultCollection(collections, tenant, workspace);
  await unlessDeleted(owners, record, () =>
    owners.update(record, (one) => (one[field] === collection ? { ...one, [field]: id } : one)),
  );
}
