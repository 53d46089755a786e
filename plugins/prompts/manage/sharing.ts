import {
  type CheckedCall,
  GatewayError,
  type Managed,
  type ManagementCall,
  type ManagementService,
  nothing,
  z,
} from "../../../core/index.ts";
import type { Share, VersionDocument, VersionedDocument } from "../saved/documents.ts";
import type { Versioned } from "../saved/versioned.ts";
import type { ManageParts, PartialRecord } from "./parts.ts";
import { referencesOfPartial, referencesOfPrompt, usedPartials } from "./used-partials.ts";

const body = z
  .object({
    visibility: z.enum(["organisation", "workspaces"]),
    workspace_ids: z.array(z.string().min(1)).optional(),
    include_partials: z.boolean().default(false).describe("Whether the partials it uses are shared, too."),
  })
  .refine(({ visibility, workspace_ids }) => visibility === "organisation" || (workspace_ids?.length ?? 0) > 0, {
    path: ["workspace_ids"],
    message: "names at least one workspace",
  });

type Body = z.output<typeof body>;

/** Prompts and partials that other workspaces may read and use (control-plane.md section 12.7). */
export function manageSharing(management: ManagementService, parts: ManageParts): void {
  shareOperations(management, parts, {
    versioned: parts.prompts,
    what: "prompts",
    path: "/prompts/{promptId}/share",
    references: (prompt) => referencesOfPrompt(prompt, parts),
  });
  shareOperations(management, parts, {
    versioned: parts.partials,
    what: "partials",
    path: "/prompts/partials/{promptPartialId}/share",
    references: (partial) => referencesOfPartial(partial, parts),
  });
}

interface Shareable<Document extends VersionedDocument, Version extends VersionDocument> {
  readonly versioned: Versioned<Document, Version>;
  readonly what: "prompts" | "partials";
  readonly path: string;
  readonly references: (owner: Managed<Document>) => Promise<string[]>;
}

function shareOperations<Document extends VersionedDocument, Version extends VersionDocument>(
  management: ManagementService,
  parts: ManageParts,
  { versioned, what, path, references }: Shareable<Document, Version>,
): void {
  const shared = {
    path,
    tag: what,
    scopes: ["prompts.update"],
    audit: { resource: what, action: "update" },
    answer: nothing,
    find: (call: ManagementCall) => versioned.findOwn(call, call.path.promptId ?? call.path.promptPartialId ?? ""),
  } as const;
  const { owners } = versioned.stores;
  const share = async (call: CheckedCall<Managed<Document>, Body, object>) => {
    const audience = await audienceOf(call, call.body);
    const used = await usedPartials(
      await references(call.found),
      { organisation: call.organisation, workspace: call.found.document.workspace_id },
      parts,
    );
    await shareAlong(
      used.filter((partial) => !reaches(partial, audience)),
      call.found.document.workspace_id,
      audience,
      call.body.include_partials,
      parts,
    );
    await owners.update(call.found, (document) => ({ ...document, share: audience }));
    return {};
  };
  management.operation({ ...shared, method: "POST", summary: "Shares it for reading and using.", body, run: share });
  management.operation({ ...shared, method: "PUT", summary: "Shares it with others than before.", body, run: share });
  management.operation({
    ...shared,
    method: "DELETE",
    summary: "Shares it with nobody any more.",
    async run({ found }) {
      await owners.update(found, (document) => ({ ...document, share: null }));
      return {};
    },
  });
}

async function audienceOf(call: ManagementCall, { visibility, workspace_ids = [] }: Body): Promise<Share> {
  if (visibility === "organisation") return { visibility };
  const workspaces = await Promise.all(workspace_ids.map((ref, at) => call.workspaceOf(ref, `workspace_ids[${at}]`)));
  return { visibility, workspace_ids: [...new Set(workspaces.map(({ id }) => id))] };
}

/** Whether a partial is there for everybody who is to use what it is used in. */
function reaches({ origin, document }: PartialRecord, audience: Share): boolean {
  const { share, workspace_id } = document;
  if (origin !== "store" || share?.visibility === "organisation") return true;
  if (audience.visibility === "organisation") return false;
  return audience.workspace_ids.every((id) => id === workspace_id || share?.workspace_ids.includes(id));
}

/** Shares partials, where that is wanted and they are the workspace's own. */
async function shareAlong(
  hidden: readonly PartialRecord[],
  workspace: string | null,
  audience: Share,
  wanted: boolean,
  { stores }: ManageParts,
): Promise<void> {
  const refused = wanted ? hidden.filter(({ document }) => document.workspace_id !== workspace) : hidden;
  if (refused.length > 0) {
    const names = refused.map(({ document }) => document.slug).join(", ");
    const remedy = wanted ? "they are another workspace's" : "share them first, or say include_partials: true";
    throw new GatewayError("record_invalid", `It uses partials that are not shared as widely: ${names}; ${remedy}.`, {
      param: "include_partials",
    });
  }
  for (const partial of hidden)
    await stores.partials.owners.update(partial, (document) => ({
      ...document,
      share: joined(document.share, audience),
    }));
}

function joined(share: Share | null, audience: Share): Share {
  if (share?.visibility !== "workspaces" || audience.visibility !== "workspaces") return audience;
  return { visibility: "workspaces", workspace_ids: [...new Set([...share.workspace_ids, ...audience.workspace_ids])] };
}
