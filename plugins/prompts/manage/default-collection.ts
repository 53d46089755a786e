import { type Managed, RecordError, type ResourceStore } from "../../../core/index.ts";
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
