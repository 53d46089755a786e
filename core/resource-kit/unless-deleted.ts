import type { Managed, ManagedDocument } from "./document.ts";
import type { ResourceStore } from "./store.ts";

/**
 * Does something to one of several records that were found together. Somebody may have deleted it meanwhile: then nothing is
 * left to be done, which is no reason to leave the others as they are, or to refuse whoever asked. Whatever else fails is
 * thrown.
 */
export async function unlessDeleted<Document extends ManagedDocument>(
  store: Pick<ResourceStore<Document>, "get">,
  { tenant, id }: Pick<Managed<Document>, "tenant" | "id">,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (await store.get(tenant, id)) throw error;
  }
}
