import type { RecordsService, StoredRecord } from "../services/records.ts";
import type { SealingService } from "../services/sealing.ts";
import type { Managed, ManagedDocument } from "./document.ts";
import type { Page } from "./paging.ts";
import type { SlugRule } from "./slugs.ts";

/** How records of one kind are kept and found. */
export interface ResourceDefinition<Document extends ManagedDocument> {
  /** The collection: `configs`. */
  readonly collection: string;
  /** What one of them is called in messages: `config`. */
  readonly what: string;
  readonly schemaVersion: number;
  readonly upgrade?: (document: Readonly<Record<string, unknown>>, from: number) => Document;
  readonly indexes?: readonly (keyof Document & string)[];
  readonly unique?: readonly (readonly (keyof Document & string)[])[];
  /** Unique fields that are null once a record is deleted: others may have what stood there. */
  readonly freed?: readonly (keyof Document & string)[];
  /** Absent for records without slugs. */
  readonly slug?: SlugRule & {
    /** Within which no two records share one. */
    readonly scope: "organisation" | "workspace";
    /** What a slug that the caller chose and somebody has already comes to; 409 AB07 unless said otherwise. */
    readonly taken?: "record_invalid" | "already_exists";
  };
  /** Fields kept encrypted. None of them is indexed. */
  readonly sealed?: readonly (keyof Document & string)[];
  /** What an id that is unknown, or somebody else's, comes to (control-plane.md section 1.5). */
  readonly unseen: 403 | 404;
  /** Whether a workspace sees what the organisation owns, besides its own. */
  readonly shared?: boolean;
}

export interface ResourceParts<Document extends ManagedDocument> {
  readonly records: RecordsService;
  /** Where fields are sealed. */
  readonly sealing?: SealingService | undefined;
  /** Records of the config file, and of the product itself; they win over those of the store. */
  readonly declared?: readonly {
    readonly id: string;
    readonly document: Document;
    readonly origin?: "file" | "built-in";
  }[];
}

export interface Selection<Document extends ManagedDocument> {
  /** Of one workspace only, with what its organisation shares where the kind is shared. */
  readonly workspace?: string | undefined;
  readonly where?: { readonly [Field in keyof Document]?: string | number | boolean };
  readonly filter?: (record: Managed<Document>) => boolean;
  /** Whether the workspace of a record is there; records of others are left out. */
  readonly placed?: (record: Pick<StoredRecord<Document>, "id" | "document">) => boolean | Promise<boolean>;
  /** `there` unless said otherwise. */
  readonly state?: "there" | "deleted" | "any";
  /** Absent asks for all. */
  readonly page?: Page;
}

export interface Listed<Document extends ManagedDocument> {
  readonly records: readonly Managed<Document>[];
  /** How many there are on all pages. */
  readonly total: number;
}
