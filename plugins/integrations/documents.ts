import {
  type ManagedDocument,
  type RateLimit,
  type ResourceParts,
  ResourceStore,
  type UsageLimits,
} from "../../core/index.ts";

/** Which field gets its value from which secret. */
export interface SecretMapping {
  /** `key`, or `configurations.` and a member. */
  readonly target_field: string;
  /** The id of a secret reference. */
  readonly secret_reference_id: string;
  readonly secret_key: string | null;
  readonly value_format: "string" | "json" | null;
}

/** A model an integration is told about. */
export interface ModelRow {
  readonly slug: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly is_custom: boolean | null;
  readonly is_finetune: boolean | null;
  readonly base_model_slug: string | null;
  readonly configurations: ModelConfigurations | null;
  readonly pricing_config: Readonly<Record<string, unknown>> | null;
}

export interface ModelConfigurations {
  readonly custom_host?: string | undefined;
  readonly custom_headers?: Readonly<Record<string, string>> | undefined;
}

/** What an integration of the organisation is to one of its workspaces. */
export interface AccessRow extends Limits {
  /** The workspace's id. */
  readonly workspace: string;
  readonly enabled: boolean;
  /** When its counters were last set to zero by hand. */
  readonly last_reset_at: string | null;
}

export interface Limits {
  readonly usage_limits: UsageLimits | null;
  readonly rate_limits: readonly RateLimit[] | null;
}

/** Credentials of a vendor, as they are kept: the organisation's, or those of one workspace. */
export interface IntegrationDocument extends ManagedDocument {
  readonly name: string;
  readonly description: string | null;
  /** The vendor: `azure-openai`. */
  readonly ai_provider_id: string;
  readonly key: string | null;
  readonly configurations: Readonly<Record<string, unknown>>;
  /** Members of `configurations` that are secrets by what the provider says of its options. */
  readonly secret_members: readonly string[];
  readonly secret_mappings: readonly SecretMapping[];
  readonly pricing_adjustments: Readonly<Record<string, unknown>> | null;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly allow_all_models: boolean;
  readonly models: readonly ModelRow[];
  readonly access: readonly AccessRow[];
  /** What workspaces get that are made later. */
  readonly global_access: ({ readonly enabled: boolean } & Limits) | null;
}

/** What a workspace calls: an integration under a slug, with limits of its own. */
export interface ProviderDocument extends ManagedDocument, Limits {
  readonly slug: string;
  readonly name: string;
  /** The integration's id, its slug and its vendor, none of which ever changes. Of the file's there is none. */
  readonly integration_id: string;
  readonly integration_slug: string | null;
  /** The integration again, of the one provider that its workspace was given with it. */
  readonly default_of?: string | null;
  readonly ai_provider_id: string;
  readonly note: string | null;
  /** `expired` is told by the clock. */
  readonly status: "active" | "exhausted";
  readonly expires_at: string | null;
  readonly last_reset_at: string | null;
  readonly tags: Readonly<Record<string, string>> | null;
  /** It was made as one, with its integration. */
  readonly virtual_key: boolean;
}

export type IntegrationStore = ResourceStore<IntegrationDocument>;
export type ProviderStore = ResourceStore<ProviderDocument>;

export const integrationStore = (parts: ResourceParts<IntegrationDocument>): IntegrationStore =>
  new ResourceStore(
    {
      collection: "integrations",
      what: "integration",
      schemaVersion: 1,
      slug: { length: 15, scope: "organisation" },
      sealed: ["key", "configurations", "models"],
      unseen: 404,
      shared: true,
    },
    parts,
  );

export const providerStore = (parts: ResourceParts<ProviderDocument>): ProviderStore =>
  new ResourceStore(
    {
      collection: "providers",
      what: "provider",
      schemaVersion: 1,
      indexes: ["integration_id"],
      unique: [["workspace_id", "default_of"]],
      freed: ["default_of"],
      slug: { length: 15, scope: "workspace", taken: "record_invalid" },
      unseen: 403,
    },
    parts,
  );

/** Whether a workspace may call an integration. */
export const isOpenTo = ({ workspace_id, access }: IntegrationDocument, workspace: string): boolean =>
  workspace_id === null ? access.some((row) => row.workspace === workspace && row.enabled) : workspace_id === workspace;
