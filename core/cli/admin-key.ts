import { ApiKeys } from "../services/api-keys.ts";
import { type CommandResult, failed, succeeded } from "./command-result.ts";
import type { Surroundings } from "./with-config.ts";
import { withGeneration } from "./with-generation.ts";

/**
 * `sluice admin-key FILE`: makes an API key that may manage everything, for who has lost theirs; whoever may run this can
 * read and write the store anyway. The key alone is on standard output.
 */
export const adminKey = (file: string, surroundings: Surroundings = {}): Promise<CommandResult> =>
  withGeneration(file, surroundings, async ({ kernel }) => {
    const keys = kernel.offered(ApiKeys);
    if (!keys) return failed(`${file}: no plugin in it keeps API keys; add api-keys`);
    const { id, key } = await keys.adminKey();
    return succeeded(key, `made the admin key ${id}; DELETE /v1/api-keys/ID ends one that is no longer needed`);
  });
