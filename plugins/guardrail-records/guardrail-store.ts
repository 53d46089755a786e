import { type GuardrailActions, type ManagedDocument, type ResourceParts, ResourceStore } from "../../core/index.ts";
import type { KeptCheck } from "./checks.ts";

/** A guardrail, as it is kept. Without a workspace it is the organisation's. */
export interface GuardrailDocument extends ManagedDocument {
  readonly name: string;
  readonly checks: readonly KeptCheck[];
  readonly actions: GuardrailActions;
  /** Another one with every change; null in the config file. */
  readonly version_id: string | null;
  readonly owner_id: string | null;
  readonly updated_by: string | null;
}

/** What a guardrail was in one of its versions. It is written once and never changed; its id is that of the version. */
export interface VersionDocument extends ManagedDocument {
  readonly guardrail_id: string;
  readonly name: string;
  readonly checks: readonly KeptCheck[];
  readonly actions: GuardrailActions;
}

export type GuardrailStore = ResourceStore<GuardrailDocument>;
export type VersionStore = ResourceStore<VersionDocument>;

export const guardrailStore = (parts: ResourceParts<GuardrailDocument>): GuardrailStore =>
  new ResourceStore(
    {
      collection: "guardrails",
      what: "guardrail",
      schemaVersion: 1,
      slug: { prefix: "pg-", length: 6, scope: "organisation" },
      sealed: ["checks", "actions"],
      unseen: 403,
      shared: true,
    },
    parts,
  );

export const versionStore = (parts: Pick<ResourceParts<VersionDocument>, "records" | "sealing">): VersionStore =>
  new ResourceStore(
    {
      collection: "guardrail_versions",
      what: "guardrail version",
      schemaVersion: 1,
      sealed: ["checks", "actions"],
      unseen: 403,
    },
    parts,
  );
