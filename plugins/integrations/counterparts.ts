import { type StoredProvidersService, storeDown } from "../../core/index.ts";
import type { ProviderStore } from "./documents.ts";

/** Integrations by the slugs of a workspace's providers, oldest first. */
type Integrations = ReadonlyMap<string, string>;

/** What workspaces call the integrations they share, which each of them may do by slugs of its own. */
export function counterparts(providers: ProviderStore): {
  readonly find: NonNullable<StoredProvidersService["counterpart"]>;
  close(): void;
} {
  const lists = providers.keptLists<Integrations>(
    (records) => new Map(records.toReversed().map(({ document }) => [document.slug, document.integration_id])),
  );
  const of = async (organisation: string, workspace: string): Promise<Integrations> => {
    try {
      return (await lists.find(organisation, workspace)) ?? new Map();
    } catch (error) {
      return storeDown(error);
    }
  };
  return {
    async find(organisation, theirs, workspace) {
      const integration = (await of(organisation, theirs.workspace)).get(theirs.slug);
      if (integration === undefined) return undefined;
      const own = await of(organisation, workspace);
      if (own.get(theirs.slug) === integration) return theirs.slug;
      return [...own].find(([, one]) => one === integration)?.[0] ?? null;
    },
    close: lists.close,
  };
}
