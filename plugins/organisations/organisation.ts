import {
  againWhen,
  type Kept,
  keptRecords,
  type RecordCollection,
  type RecordsService,
  type StoredRecord,
} from "../../core/index.ts";
import type { OrganisationSettings, WorkspaceOverrides } from "./settings.ts";

/** Where what belongs to no organisation is kept. */
export const installation = "installation";

/** An organisation, as it is kept. */
export interface OrganisationDocument {
  readonly name: string;
  readonly settings: OrganisationSettings;
  /** Which of their settings workspaces may set for themselves. */
  readonly workspace_overrides: WorkspaceOverrides;
  /** The id of the workspace everybody shares. */
  readonly default_workspace: string;
  /** Ids of guardrails that every request meets. */
  readonly defaults: { readonly input_guardrails: readonly string[]; readonly output_guardrails: readonly string[] };
  /** Ids of workspaces whose requests do not meet them. */
  readonly exclusions: { readonly input: readonly string[]; readonly output: readonly string[] };
}

/** What holds for an organisation from its first day (control-plane.md section 2.8). */
const firstSettings: OrganisationSettings = { data_plane_security_settings: { block_inline_config: true } };

export const newOrganisation = (name: string, workspace: string, settings = firstSettings): OrganisationDocument => ({
  name,
  settings,
  workspace_overrides: {},
  default_workspace: workspace,
  defaults: { input_guardrails: [], output_guardrails: [] },
  exclusions: { input: [], output: [] },
});

/** An organisation before a change and after it. */
export interface Change {
  readonly before: OrganisationDocument;
  readonly after: OrganisationDocument;
}

export interface OrganisationStore {
  /** At hand once it was asked for. One that nobody has set up has decided nothing. */
  get(organisation: string): OrganisationDocument | Promise<OrganisationDocument>;
  /** As the store has it at this moment. */
  fresh(organisation: string): Promise<OrganisationDocument>;
  change(organisation: string, change: (document: OrganisationDocument) => OrganisationDocument): Promise<Change>;
  readonly collection: RecordCollection<OrganisationDocument>;
  close(): void;
}

export function organisationStore(records: RecordsService): OrganisationStore {
  const collection = records.collection<OrganisationDocument>({ name: "organisations", schemaVersion: 1 });
  const kept: Kept<OrganisationDocument> = keptRecords({
    collection,
    read: ({ document }: StoredRecord<OrganisationDocument>) => document,
    staleAfterChange: true,
  });
  const orNew = (found: OrganisationDocument | undefined) => found ?? newOrganisation("Organisation", "", {});
  return {
    collection,
    close: kept.close,
    get(organisation) {
      const found = kept.find(installation, organisation);
      return found instanceof Promise ? found.then(orNew) : orNew(found);
    },
    fresh: async (id) => orNew((await collection.get({ tenant: installation, id }))?.document),
    async change(id, change) {
      const key = { tenant: installation, id };
      return againWhen(["conflict", "exists"], async () => {
        const found = await collection.get(key);
        const before = orNew(found?.document);
        const after = change(before);
        if (found) await collection.update({ ...key, version: found.version }, { document: after });
        else await collection.insert({ ...key, document: after });
        return { before, after };
      });
    },
  };
}
