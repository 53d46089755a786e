import type { ManagedDocument } from "../../../core/index.ts";
import type { Content } from "../template/content.ts";
import type { Data } from "../template/values.ts";

/** A collection, as it is kept. */
export interface CollectionDocument extends ManagedDocument {
  readonly workspace_id: string;
  readonly name: string;
  readonly parent_collection_id: string | null;
  readonly is_default: boolean;
}

/** A label, as it is kept. Universal ones have no workspace. */
export interface LabelDocument extends ManagedDocument {
  readonly name: string;
  /** The name, as long as the label is there: no two labels of a workspace share it. */
  readonly taken_name: string | null;
  readonly description: string | null;
  readonly color_code: string | null;
}

/** Who else may use a prompt or a partial, besides its own workspace. */
export type Share =
  | { readonly visibility: "organisation" }
  | { readonly visibility: "workspaces"; readonly workspace_ids: readonly string[] };

/**
 * What has versions: a prompt or a partial. Which version is published, and which one a label is on, stands here and
 * nowhere else, so that each of these moves is one write.
 */
export interface VersionedDocument extends ManagedDocument {
  readonly name: string;
  /** Null for those of the config file. */
  readonly collection_id: string | null;
  /** Ids of the versions; the first one is number 1. */
  readonly versions: readonly string[];
  /** The number of the published one. */
  readonly published: number;
  readonly share: Share | null;
}

export interface PromptDocument extends VersionedDocument {
  /** Numbers of versions by the ids of the labels on them. A label that is gone may still stand here. */
  readonly labels: Readonly<Record<string, number>>;
  /** That of the published version, for lists. */
  readonly model: string | null;
}

export interface PartialDocument extends VersionedDocument {
  readonly status: "active" | "archived";
}

/** A version. What is a template in it does not change. */
export interface VersionDocument extends ManagedDocument {
  /** The id of the prompt or partial. */
  readonly of: string;
  readonly string: string;
  readonly description: string | null;
}

export interface PromptVersionDocument extends VersionDocument, Content {
  readonly parameters: Data;
  readonly model: string | null;
  /** The slug of a provider; null where a prompt of the config file names none. */
  readonly virtual_key: string | null;
}

export type PartialVersionDocument = VersionDocument;
