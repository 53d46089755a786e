import {
  type Managed,
  type ManagedDocument,
  type ResourceParts,
  ResourceStore,
  type RoutingService,
} from "../../core/index.ts";

/** A config, as it is kept: with what it says now. */
export interface ConfigDocument extends ManagedDocument {
  readonly name: string;
  /** As it was written, credentials included. */
  readonly config: unknown;
  readonly is_default: boolean;
  /** When it became the default, in milliseconds. */
  readonly default_at?: number;
  /** An archived one routes nothing until it is active again. */
  readonly status: "active" | "archived";
  /** The ids of its versions, oldest first: the last one is what counts. Of the config file: none. */
  readonly versions: readonly string[];
  readonly owner_id: string | null;
  readonly updated_by: string | null;
}

/** A version of a config. It is written once and never changed. */
export interface VersionDocument extends ManagedDocument {
  readonly config_id: string;
  readonly config: unknown;
  readonly updated_by: string | null;
}

export type ConfigStore = ResourceStore<ConfigDocument>;
export type VersionStore = ResourceStore<VersionDocument>;

export const configStore = (parts: ResourceParts<ConfigDocument>): ConfigStore =>
  new ResourceStore(
    {
      collection: "configs",
      what: "config",
      schemaVersion: 1,
      indexes: ["is_default"],
      slug: { prefix: "pc-", length: 6, scope: "organisation" },
      sealed: ["config"],
      unseen: 403,
    },
    parts,
  );

export const versionStore = (parts: Pick<ResourceParts<VersionDocument>, "records" | "sealing">): VersionStore =>
  new ResourceStore(
    {
      collection: "config_versions",
      what: "config version",
      schemaVersion: 1,
      indexes: ["config_id"],
      sealed: ["config"],
      unseen: 403,
    },
    parts,
  );

/** The configs of the config file, for every workspace. */
export const declaredConfigs = ({ declared }: Pick<RoutingService, "declared">) =>
  Object.entries(declared).map(([slug, config]) => ({
    id: slug,
    document: {
      workspace_id: null,
      deleted: false,
      slug,
      name: slug,
      config,
      is_default: false,
      status: "active",
      versions: [],
      owner_id: null,
      updated_by: null,
    } satisfies ConfigDocument,
  }));

/** The id of the version that counts. */
export const currentVersion = ({ document }: Managed<ConfigDocument>): string | null =>
  document.versions.at(-1) ?? null;
