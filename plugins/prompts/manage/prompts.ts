import { fields, type ManagementCall, type ManagementService, nothing, z } from "../../../core/index.ts";
import type { PromptDocument } from "../saved/documents.ts";
import { versionFields } from "../saved/version-fields.ts";
import { compile } from "../template/content.ts";
import { checkPartials, collectionOf, providerOf } from "./checks.ts";
import { leaveGone } from "./default-collection.ts";
import { bodyBytes, type ManageParts, type PromptRecord } from "./parts.ts";
import { makesVersion, newVersion, promptChanges } from "./prompt-changes.ts";

const shared = { tag: "prompts", bodyBytes };

const optional = z.object(versionFields).partial().shape;

/** The body of a new prompt (control-plane.md section 12.2). */
const newPrompt = z.object({
  name: fields.name,
  collection_id: z.string().min(1).describe("Id or slug; it decides the workspace."),
  ...optional,
  string: versionFields.string,
  parameters: versionFields.parameters,
  virtual_key: versionFields.virtual_key,
  prompt_metadata: optional.template_metadata.describe("The same as template_metadata."),
});

/** Prompts made, changed and deleted (control-plane.md sections 12.2, 12.4 and 12.5). */
export function managePrompts(management: ManagementService, parts: ManageParts): void {
  const { prompts, partials } = parts;
  management.operation({
    ...shared,
    method: "POST",
    path: "/prompts",
    summary: "Makes a prompt; its first version is published.",
    scopes: ["prompts.create"],
    audit: { resource: "prompts", action: "create" },
    body: newPrompt,
    answer: z.object({ id: z.string(), slug: z.string(), version_id: z.string(), object: z.literal("prompt") }),
    async run(call) {
      const { body, organisation } = call;
      const version = newVersion(body);
      const { partials: used } = compile(version);
      const { id: collection_id, document } = await collectionOf(call, parts, body.collection_id);
      const { workspace_id } = document;
      call.concerns({ workspace: workspace_id });
      const virtual_key = await providerOf(call, parts, body.virtual_key, workspace_id);
      await checkPartials(used, { organisation, workspace: workspace_id }, partials);
      const { owner, version: id } = await prompts.create(
        organisation,
        { name: body.name, collection_id, workspace_id, labels: {}, model: version.model },
        { ...version, virtual_key },
      );
      await leaveGone(owner, "collection_id", prompts.stores.owners, parts.stores.collections);
      return { id: owner.id, slug: owner.document.slug, version_id: id, object: "prompt" };
    },
  });
  management.operation({
    ...shared,
    method: "PUT",
    path: "/prompts/{promptId}",
    summary: "Changes a prompt; another template makes another version, which is not published.",
    scopes: ["prompts.update"],
    audit: { resource: "prompts", action: "update" },
    body: promptChanges,
    answer: z.object({ id: z.string(), slug: z.string(), prompt_version_id: z.string() }),
    find: (call) => prompts.findOwn(call, call.path.promptId ?? ""),
    async run(call) {
      const { found, body, sent } = call;
      const prompt_version_id = makesVersion(body, sent)
        ? await addVersion(call, found, body, parts)
        : await changeInPlace(call, found, body, parts);
      const { owners } = prompts.stores;
      const moved = body.collection_id === undefined ? undefined : await owners.get(found.tenant, found.id);
      if (moved) await leaveGone(moved, "collection_id", owners, parts.stores.collections);
      return { id: found.id, slug: found.document.slug, prompt_version_id };
    },
  });
  management.operation({
    ...shared,
    method: "DELETE",
    path: "/prompts/{promptId}",
    summary: "Deletes a prompt; its slug stays taken.",
    scopes: ["prompts.delete"],
    audit: { resource: "prompts", action: "delete" },
    answer: nothing,
    find: (call) => prompts.findOwn(call, call.path.promptId ?? ""),
    async run({ found }) {
      await prompts.stores.owners.remove(found);
      return {};
    },
  });
}

type Changes = z.output<typeof promptChanges>;

async function addVersion(
  call: ManagementCall,
  prompt: PromptRecord,
  body: Changes,
  parts: ManageParts,
): Promise<string> {
  const { prompts, partials } = parts;
  const { workspace_id: workspace } = prompt.document;
  const latest = (await prompts.version(prompt)).document;
  const version = newVersion(body, body.patch ? latest : undefined);
  const { partials: used } = compile(version);
  const rename = await renaming(call, prompt, body, parts);
  const virtual_key =
    body.virtual_key === undefined ? latest.virtual_key : await providerOf(call, parts, body.virtual_key, workspace);
  await checkPartials(used, { organisation: call.organisation, workspace }, partials);
  return prompts.append(prompt, { ...version, virtual_key }, rename);
}

/** What a change does that makes no version: provider and description are the latest version's. */
async function changeInPlace(
  call: ManagementCall,
  prompt: PromptRecord,
  body: Changes,
  parts: ManageParts,
): Promise<string> {
  const { prompts } = parts;
  const { version_description: description, virtual_key: ref } = body;
  const latest = await prompts.version(prompt);
  const rename = await renaming(call, prompt, body, parts);
  const virtual_key = ref === undefined ? undefined : await providerOf(call, parts, ref, prompt.document.workspace_id);
  if (virtual_key !== undefined || description !== undefined)
    await prompts.stores.versions.update(latest, (document) => ({
      ...document,
      ...(virtual_key !== undefined && { virtual_key }),
      ...(description !== undefined && { description }),
    }));
  await prompts.stores.owners.update(prompt, rename);
  return latest.id;
}

async function renaming(
  call: ManagementCall,
  prompt: PromptRecord,
  { name, collection_id: ref }: Changes,
  parts: ManageParts,
): Promise<(document: PromptDocument) => PromptDocument> {
  const collection = ref === undefined ? undefined : await collectionOf(call, parts, ref, prompt.document.workspace_id);
  return (document) => ({
    ...document,
    ...(name !== undefined && { name }),
    ...(collection && { collection_id: collection.id }),
  });
}
