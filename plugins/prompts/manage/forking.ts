import {
  GatewayError,
  type ManagementCall,
  type ManagementService,
  requiredWorkspace,
  z,
} from "../../../core/index.ts";
import type { PromptVersionDocument } from "../saved/documents.ts";
import { sharedDestination } from "../saved/shared-provider.ts";
import { compile } from "../template/content.ts";
import { parse } from "../template/parse.ts";
import { checkPartials, collectionOf, providerOf } from "./checks.ts";
import { defaultCollection, leaveGone } from "./default-collection.ts";
import type { ManageParts } from "./parts.ts";

const body = z.object({
  workspace_id: z.string().optional().describe("Where the copy goes; a credential of a workspace has only its own."),
  collection_id: z.string().min(1).optional(),
});

const answer = z.object({ id: z.string(), slug: z.string(), version_id: z.string() });

const shared = { method: "POST", scopes: ["prompts.create"], body, answer } as const;

/** Copies of prompts and partials, which go their own way from then on (control-plane.md section 12.7). */
export function manageForking(management: ManagementService, parts: ManageParts): void {
  const { prompts, partials } = parts;
  management.operation({
    ...shared,
    path: "/prompts/{promptId}/fork",
    tag: "prompts",
    summary: "Copies the published version of a prompt into a workspace.",
    audit: { resource: "prompts", action: "create" },
    find: (call) => prompts.find(call, call.path.promptId ?? ""),
    async run(call) {
      const { organisation, found } = call;
      const target = await targetOf(call, call.body.collection_id, parts);
      const { document } = await prompts.version(found, found.document.published);
      const { of: _of, slug: _slug, deleted: _deleted, workspace_id: _workspace, ...version } = document;
      const workspace = target.workspace_id;
      await checkPartials(compile(document).partials, { organisation, workspace }, partials);
      const { model, virtual_key } = await destinationIn(call, found.document.workspace_id, document, workspace, parts);
      const { name } = found.document;
      const made = await prompts.create(
        organisation,
        { ...target, name, labels: {}, model },
        { ...version, model, virtual_key },
      );
      await leaveGone(made.owner, "collection_id", prompts.stores.owners, parts.stores.collections);
      return { id: made.owner.id, slug: made.owner.document.slug, version_id: made.version };
    },
  });
  management.operation({
    ...shared,
    path: "/prompts/partials/{promptPartialId}/fork",
    tag: "partials",
    summary: "Copies the published version of a partial into a workspace.",
    audit: { resource: "partials", action: "create" },
    find: (call) => partials.find(call, call.path.promptPartialId ?? ""),
    async run(call) {
      const { organisation, found } = call;
      const target = await targetOf(call, call.body.collection_id, parts);
      const { document } = await partials.version(found, found.document.published);
      const { string, description } = document;
      const used = parse(string, { place: "string" }).partials;
      await checkPartials(used, { organisation, workspace: target.workspace_id }, partials);
      const made = await partials.create(
        organisation,
        { ...target, name: found.document.name, status: "active" },
        { string, description },
      );
      await leaveGone(made.owner, "collection_id", partials.stores.owners, parts.stores.collections);
      return { id: made.owner.id, slug: made.owner.document.slug, version_id: made.version };
    },
  });
}

/** Whom a copy asks: in another workspace, its provider with the same integration. 400 AB01 where it has none. */
async function destinationIn(
  call: ManagementCall,
  owner: string | null,
  { model, virtual_key: provider }: Pick<PromptVersionDocument, "model" | "virtual_key">,
  workspace: string,
  parts: ManageParts,
): Promise<Pick<PromptVersionDocument, "model" | "virtual_key">> {
  const between =
    owner === null || owner === workspace ? undefined : { organisation: call.organisation, owner, workspace };
  const found = between ? await sharedDestination({ model, provider }, between, parts) : { model, provider };
  if ("elsewhere" in found && found.elsewhere)
    throw new GatewayError(
      "record_invalid",
      `virtual_key: the workspace has no provider with the integration of "${found.provider}".`,
      { param: "virtual_key" },
    );
  const slug = found.provider && (await providerOf(call, parts, found.provider, workspace, "record_invalid"));
  return { model: found.model, virtual_key: slug };
}

/** The workspace and the collection a copy goes to. */
async function targetOf(call: ManagementCall, ref: string | undefined, parts: ManageParts) {
  const { id: workspace } = await requiredWorkspace(call, "copy");
  const collection =
    ref === undefined
      ? await defaultCollection(parts.stores.collections, call.organisation, workspace)
      : await collectionOf(call, parts, ref, workspace);
  return { workspace_id: workspace, collection_id: collection.id };
}
