import type { ManagementService } from "../../../core/index.ts";
import { promptReference } from "../saved/prompt-reference.ts";
import type { SharedParts } from "../saved/shared-provider.ts";
import type { Stores } from "../saved/stores.ts";
import { isOpenTo } from "../saved/versioned.ts";
import { manageCollections } from "./collections.ts";
import { manageForking } from "./forking.ts";
import { manageLabels } from "./labels.ts";
import { managePartials } from "./partials.ts";
import { manageParts } from "./parts.ts";
import { readPrompts } from "./prompt-reads.ts";
import { managePromptVersions } from "./prompt-versions.ts";
import { managePrompts } from "./prompts.ts";
import { manageSharing } from "./sharing.ts";

/** Adds collections, labels, prompts and partials to the management API (control-plane.md sections 11 and 12). */
export function manage(management: ManagementService, stores: Stores, shared: SharedParts): void {
  const parts = manageParts(stores, shared);
  manageCollections(management, stores);
  manageLabels(management, stores);
  managePrompts(management, parts);
  readPrompts(management, parts);
  managePromptVersions(management, parts);
  managePartials(management, parts);
  manageSharing(management, parts);
  manageForking(management, parts);
  tellOthers(management, stores);
}

/** What other plugins ask about prompts and partials: whether one is there, and what a workspace still holds. */
function tellOthers(management: ManagementService, stores: Stores): void {
  for (const kind of ["prompts", "partials"] as const) {
    const { owners } = stores[kind];
    management.keeps(kind, async (organisation, workspace, reference) => {
      const found = await owners.get(organisation, promptReference(reference).ref);
      if (!found || (workspace !== undefined && !isOpenTo(found, workspace))) return undefined;
      const { id, document } = found;
      return { id, workspace: document.workspace_id, ...(document.slug !== undefined && { slug: document.slug }) };
    });
    management.needs("workspaces", async (organisation, { id }) => {
      const { total } = await owners.select(organisation, {
        filter: ({ origin, document }) => origin === "store" && document.workspace_id === id,
      });
      return total === 0 ? [] : [`${total} ${total === 1 ? kind.slice(0, -1) : kind}`];
    });
  }
}
