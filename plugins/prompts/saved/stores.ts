import { type RecordsService, ResourceStore, type SealingService } from "../../../core/index.ts";
import type {
  CollectionDocument,
  LabelDocument,
  PartialDocument,
  PartialVersionDocument,
  PromptDocument,
  PromptVersionDocument,
  VersionDocument,
  VersionedDocument,
} from "./documents.ts";
import { universalLabels } from "./universal-labels.ts";

/** Where prompts and what belongs to them are kept. */
export interface Stores {
  readonly collections: ResourceStore<CollectionDocument>;
  readonly labels: ResourceStore<LabelDocument>;
  readonly prompts: VersionedStores<PromptDocument, PromptVersionDocument>;
  readonly partials: VersionedStores<PartialDocument, PartialVersionDocument>;
}

/** Where one kind of what has versions is kept, and the versions. */
export interface VersionedStores<Document extends VersionedDocument, Version extends VersionDocument> {
  readonly owners: ResourceStore<Document>;
  readonly versions: ResourceStore<Version>;
}

/** A prompt or partial of the config file, with its only version. */
export interface Declared<Document, Version> {
  readonly owner: { readonly id: string; readonly document: Document };
  readonly version: { readonly id: string; readonly document: Version };
}

export interface StoresInput {
  readonly records: RecordsService;
  readonly sealing: SealingService | undefined;
  readonly prompts: readonly Declared<PromptDocument, PromptVersionDocument>[];
  readonly partials: readonly Declared<PartialDocument, PartialVersionDocument>[];
}

export const openStores = ({ records, sealing, prompts, partials }: StoresInput): Stores => ({
  collections: new ResourceStore<CollectionDocument>(
    {
      collection: "collections",
      what: "collection",
      schemaVersion: 1,
      slug: { prefix: "col-", length: 12, scope: "workspace" },
      unseen: 404,
    },
    { records },
  ),
  labels: new ResourceStore<LabelDocument>(
    {
      collection: "labels",
      what: "label",
      schemaVersion: 1,
      unique: [["workspace_id", "taken_name"]],
      freed: ["taken_name"],
      unseen: 404,
      shared: true,
    },
    { records, declared: universalLabels },
  ),
  prompts: {
    owners: new ResourceStore<PromptDocument>(
      {
        collection: "prompts",
        what: "prompt",
        schemaVersion: 1,
        indexes: ["collection_id"],
        slug: { prefix: "pp-", length: 10, scope: "organisation" },
        unseen: 404,
      },
      { records, declared: prompts.map(({ owner }) => owner) },
    ),
    versions: new ResourceStore<PromptVersionDocument>(
      {
        collection: "prompt_versions",
        what: "prompt version",
        schemaVersion: 1,
        indexes: ["of"],
        sealed: ["string", "parameters", "tools", "functions", "tool_choice"],
        unseen: 404,
      },
      { records, sealing, declared: prompts.map(({ version }) => version) },
    ),
  },
  partials: {
    owners: new ResourceStore<PartialDocument>(
      {
        collection: "prompt_partials",
        what: "partial",
        schemaVersion: 1,
        indexes: ["collection_id"],
        slug: { prefix: "pl-", length: 6, scope: "organisation" },
        unseen: 404,
      },
      { records, declared: partials.map(({ owner }) => owner) },
    ),
    versions: new ResourceStore<PartialVersionDocument>(
      {
        collection: "prompt_partial_versions",
        what: "partial version",
        schemaVersion: 1,
        indexes: ["of"],
        sealed: ["string"],
        unseen: 404,
      },
      { records, sealing, declared: partials.map(({ version }) => version) },
    ),
  },
});
