/** An organisation, as it is kept. */
export interface OrganisationDocument {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Categories of settings that workspaces may set for themselves. */
  readonly workspace_overrides: Readonly<Record<string, boolean>>;
  /** The id of the workspace everybody shares. */
  readonly default_workspace: string;
}
