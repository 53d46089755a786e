import type { OrganisationSettings, RecordCollection, RecordsService } from "../../core/index.ts";

/** Where what belongs to no organisation is kept. */
export const installation = "installation";

/** An organisation, as it is kept. */
export interface OrganisationDocument {
  readonly name: string;
  readonly settings: OrganisationSettings;
  /** Categories of settings that workspaces may set for themselves. */
  readonly workspace_overrides: Readonly<Record<string, boolean>>;
  /** The id of the workspace everybody shares. */
  readonly default_workspace: string;
}

/** The organisations, with the installation as their tenant. */
export const organisationsIn = (records: RecordsService): RecordCollection<OrganisationDocument> =>
  records.collection({ name: "organisations", schemaVersion: 1 });

/** What holds for an organisation from its first day (control-plane.md section 2.8). */
export const firstSettings: OrganisationSettings = { data_plane_security_settings: { block_inline_config: true } };
