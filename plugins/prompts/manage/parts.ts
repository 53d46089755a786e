import type { Managed } from "../../../core/index.ts";
import type {
  PartialDocument,
  PartialVersionDocument,
  PromptDocument,
  PromptVersionDocument,
} from "../saved/documents.ts";
import type { SharedParts } from "../saved/shared-provider.ts";
import type { Stores } from "../saved/stores.ts";
import { Versioned } from "../saved/versioned.ts";

export type Prompts = Versioned<PromptDocument, PromptVersionDocument>;
export type Partials = Versioned<PartialDocument, PartialVersionDocument>;
export type PromptRecord = Managed<PromptDocument>;
export type PartialRecord = Managed<PartialDocument>;

/** What the operations on prompts and partials work with. */
export interface ManageParts extends SharedParts {
  readonly stores: Stores;
  readonly prompts: Prompts;
  readonly partials: Partials;
}

export const manageParts = (stores: Stores, shared: SharedParts): ManageParts => ({
  stores,
  prompts: new Versioned(stores.prompts, "prompt_not_found", "prompt_version_not_found"),
  partials: new Versioned(stores.partials, "partial_not_found", "partial_version_not_found"),
  ...shared,
});

/** Bytes of the bodies of prompts and partials (control-plane.md section 1.1). */
export const bodyBytes = 5 * 1024 * 1024;
