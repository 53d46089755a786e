import {
  type ManagedDocument,
  type RateLimit,
  type ResourceParts,
  ResourceStore,
  type UsageLimits,
  type z,
} from "../../core/index.ts";
import type { dataPlaneSettings, overridable, securitySettings } from "./settings.ts";

/** A workspace, as it is kept. Its own id is its `workspace_id`: who belongs to it sees it. */
export interface WorkspaceDocument extends ManagedDocument {
  readonly workspace_id: string;
  readonly name: string;
  /** The same while it is there: no two workspaces share it. Those of older versions have none until they are renamed. */
  readonly taken_name?: string | null;
  readonly description: string | null;
  readonly icon: string | null;
  readonly is_default: boolean;
  readonly defaults: WorkspaceDefaults | null;
  readonly usage_limits: readonly UsageLimits[] | null;
  readonly rate_limits: readonly RateLimit[] | null;
  /** What it has set for itself: stricter data plane settings, and whatever else the organisation lets it. */
  readonly settings: WorkspaceSettings;
  /** When its counters were last to begin anew. */
  readonly usage_reset_at?: string;
}

export interface WorkspaceSettings {
  readonly data_plane_security_settings?: z.output<typeof dataPlaneSettings>;
  readonly security_settings?: z.output<typeof securitySettings>;
  readonly request_logging?: z.output<typeof overridable.request_logging>;
  readonly export_settings?: z.output<typeof overridable.export_settings>;
  readonly user_api_key_auto_create?: boolean;
  readonly user_api_key_rotation_period?: number | null;
  readonly user_api_key_ttl?: z.output<typeof overridable.user_api_key_ttl>;
}

export interface WorkspaceDefaults {
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  readonly input_guardrails?: readonly string[] | undefined;
  readonly output_guardrails?: readonly string[] | undefined;
  /** The slug of a config; its id where it was kept by an older version. */
  readonly user_api_key_config?: string | null | undefined;
}

export type WorkspaceStore = ResourceStore<WorkspaceDocument>;

export const workspaceStore = (parts: ResourceParts<WorkspaceDocument>): WorkspaceStore =>
  new ResourceStore(
    {
      collection: "workspaces",
      what: "workspace",
      schemaVersion: 1,
      unique: [["taken_name"]],
      freed: ["taken_name"],
      slug: { prefix: "ws-", length: 6, scope: "organisation" },
      unseen: 404,
    },
    parts,
  );
