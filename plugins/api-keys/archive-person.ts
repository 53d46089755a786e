import { type ApiKeysService, unlessDeleted } from "../../core/index.ts";
import type { Keys } from "./keys.ts";

/** Archives the keys of a person. */
export async function archivePerson(
  keys: Keys,
  { organisation, user, workspace }: Parameters<ApiKeysService["archive"]>[0],
): Promise<void> {
  const where = { user_id: user, ...(workspace !== undefined && { workspace_id: workspace }) };
  const { records } = await keys.store.select(organisation, { where });
  for (const record of records) await unlessDeleted(keys.store, record, () => keys.remove(record));
}
