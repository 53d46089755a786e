import { type ManagedDocument, type ResourceParts, ResourceStore, Secret } from "../../core/index.ts";
import type { ManagerType } from "./managers/index.ts";
import type { DeclaredReference } from "./options.ts";

/** A reference, as it is kept. All are the organisation's. */
export interface ReferenceDocument extends ManagedDocument {
  readonly name: string;
  readonly description: string | null;
  readonly manager_type: ManagerType;
  readonly auth_config: Readonly<Record<string, unknown>>;
  readonly secret_path: string;
  readonly secret_key: string | null;
  /** Ids of workspaces, or slugs where the file names them; null allows all. */
  readonly allowed_workspaces: readonly string[] | null;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly created_by: string | null;
}

export type ReferenceStore = ResourceStore<ReferenceDocument>;

export const referenceStore = (parts: ResourceParts<ReferenceDocument>): ReferenceStore =>
  new ResourceStore(
    {
      collection: "secret_references",
      what: "secret reference",
      schemaVersion: 1,
      indexes: ["manager_type"],
      slug: { length: 24, scope: "organisation", taken: "record_invalid" },
      sealed: ["auth_config"],
      unseen: 404,
    },
    parts,
  );

export const declaredReference = (slug: string, given: DeclaredReference) => ({
  id: slug,
  document: {
    workspace_id: null,
    deleted: false,
    slug,
    name: given.name ?? slug,
    description: given.description ?? null,
    manager_type: given.manager_type,
    auth_config: revealed(given.auth_config),
    secret_path: given.secret_path,
    secret_key: given.secret_key ?? null,
    allowed_workspaces: given.allowed_workspaces ?? null,
    tags: given.tags ?? null,
    created_by: null,
  } satisfies ReferenceDocument,
});

const revealed = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value]),
  );
