import { type SavedConfig, type SavedConfigFinder, storeDown } from "../../core/index.ts";
import { type ConfigStore, currentVersion } from "./config-store.ts";

interface KeptConfig extends SavedConfig {
  readonly workspace: string | null;
}

/** What the store takes as a reference; a header may hold anything. */
const longestRef = 255;

/**
 * Finds configs for requests: active ones, of the caller's own workspace. Each is read once and at hand until it changes;
 * while the store is down, as it was.
 */
export function configsInForce(store: ConfigStore): { readonly find: SavedConfigFinder; close(): void } {
  const kept = store.kept<KeptConfig>(
    (record) => {
      const { id, document } = record;
      if (document.status === "archived") return undefined;
      const { slug = id, config, workspace_id: workspace } = document;
      return { id, slug, version: currentVersion(record) ?? "", config, workspace };
    },
    { staleAfterChange: true },
  );
  return {
    find({ organisation, workspace }, ref) {
      if (organisation === undefined || workspace === undefined) return undefined;
      if (ref.length > longestRef || /\p{Cc}/u.test(ref)) return undefined;
      const own = (found: KeptConfig | undefined) => (found?.workspace === workspace ? found : undefined);
      const found = kept.find(organisation, ref);
      return found instanceof Promise ? found.then(own, storeDown) : own(found);
    },
    close: kept.close,
  };
}
