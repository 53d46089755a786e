import {
  fields,
  type Managed,
  type ManagementCall,
  type ManagementService,
  nothing,
  placesOf,
  requiredWorkspace,
  timesOf,
  z,
} from "../../../core/index.ts";
import type { PartialDocument, PartialVersionDocument } from "../saved/documents.ts";
import { parse } from "../template/parse.ts";
import { checkPartials, collectionOf } from "./checks.ts";
import { defaultCollection, leaveGone } from "./default-collection.ts";
import { bodyBytes, type ManageParts, type PartialRecord } from "./parts.ts";

const shared = { tag: "partials", bodyBytes };
const path = "/prompts/partials";
const onOne = `${path}/{promptPartialId}`;

const times = { created_at: z.string(), last_updated_at: z.string() };
const status = z.enum(["active", "archived"]);
const row = z.looseObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  collection_id: z.string().nullable(),
  ...times,
  status,
  object: z.literal("partial"),
});
const record = z.looseObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  collection_id: z.string().nullable(),
  string: z.string(),
  version: z.int(),
  version_description: z.string().nullable(),
  prompt_partial_version_id: z.string(),
  ...times,
  status,
});
const versionRow = z.looseObject({
  prompt_partial_id: z.string(),
  prompt_partial_version_id: z.string(),
  slug: z.string(),
  version: z.string(),
  string: z.string(),
  description: z.string().nullable(),
  created_at: z.string(),
  prompt_version_status: status,
  object: z.literal("partial"),
});

/** Partials: texts that templates share (control-plane.md section 12.6). */
export function managePartials(management: ManagementService, parts: ManageParts): void {
  makePartials(management, parts);
  readPartials(management, parts);
  changePartials(management, parts);
}

function makePartials(management: ManagementService, parts: ManageParts): void {
  management.operation({
    ...shared,
    method: "POST",
    path,
    summary: "Makes a partial; its first version is published.",
    scopes: ["prompts.create"],
    audit: { resource: "partials", action: "create" },
    body: z.object({
      name: fields.name,
      string: z.string(),
      version_description: fields.description.default(null),
      workspace_id: fields.workspace,
      collection_id: z.string().min(1).optional(),
    }),
    answer: z.object({ id: z.string(), slug: z.string(), version_id: z.string() }),
    async run(call) {
      const { name, string, version_description: description, collection_id: ref } = call.body;
      const { organisation } = call;
      const { partials: used } = parse(string, { place: "string" });
      const { id: workspace } = await requiredWorkspace(call, "partial");
      const collection =
        ref === undefined
          ? await defaultCollection(parts.stores.collections, organisation, workspace)
          : await collectionOf(call, parts, ref, workspace);
      await checkPartials(used, { organisation, workspace }, parts.partials);
      const { owner, version } = await parts.partials.create(
        organisation,
        { name, collection_id: collection.id, workspace_id: workspace, status: "active" },
        { string, description },
      );
      await leaveGone(owner, "collection_id", parts.partials.stores.owners, parts.stores.collections);
      return { id: owner.id, slug: owner.document.slug, version_id: version };
    },
  });
}

function readPartials(management: ManagementService, parts: ManageParts): void {
  const { partials, stores } = parts;
  const find = (call: ManagementCall) => partials.find(call, call.path.promptPartialId ?? "");
  management.operation({
    ...shared,
    method: "GET",
    path,
    summary: "Lists the partials of a workspace.",
    scopes: ["prompts.list"],
    query: z.object({ collection_id: z.string().optional(), workspace_id: z.string().optional() }),
    answer: z.array(row),
    async run(call) {
      const { collection_id: ref } = call.query;
      const workspace = (await call.workspace())?.id;
      const collection =
        ref === undefined ? undefined : await call.reference("collections", ref, "collection_id", { workspace });
      const { records } = await stores.partials.owners.select(call.organisation, {
        placed: placesOf(call),
        workspace,
        ...(collection && { where: { collection_id: collection.id } }),
      });
      return records.map((partial) => ({ ...shown(partial), object: "partial" }));
    },
  });
  management.operation({
    ...shared,
    method: "GET",
    path: onOne,
    summary: "Reads a partial in its published version.",
    scopes: ["prompts.read"],
    answer: record,
    find,
    async run({ found }) {
      const { published } = found.document;
      const { id, document } = await partials.version(found, published);
      const { string, description } = document;
      return {
        ...shown(found),
        string,
        version: published,
        version_description: description,
        prompt_partial_version_id: id,
      };
    },
  });
  management.operation({
    ...shared,
    method: "GET",
    path: `${onOne}/versions`,
    summary: "Lists the versions of a partial, newest first.",
    scopes: ["prompts.read"],
    answer: z.array(versionRow),
    find,
    run: async ({ found }) =>
      (await partials.versions(found)).map(([number, version]) => versionOf(found, number, version)),
  });
}

function changePartials(management: ManagementService, parts: ManageParts): void {
  const { partials, stores } = parts;
  const find = (call: ManagementCall) => partials.findOwn(call, call.path.promptPartialId ?? "");
  management.operation({
    ...shared,
    method: "PUT",
    path: onOne,
    summary: "Changes a partial; another text makes another version, which is not published.",
    scopes: ["prompts.update"],
    audit: { resource: "partials", action: "update" },
    body: z.object({
      name: fields.name.optional(),
      string: z.string().optional(),
      description: fields.description.optional().describe("Of the version."),
      status: status.optional().describe("Templates cannot use one that is archived."),
    }),
    answer: z.object({ prompt_partial_version_id: z.string() }),
    find,
    run: async (call) => ({ prompt_partial_version_id: await change(call, call.found, call.body, parts) }),
  });
  management.operation({
    ...shared,
    method: "PUT",
    path: `${onOne}/makeDefault`,
    summary: "Publishes a version of a partial, for every template that names none.",
    scopes: ["prompts.publish"],
    audit: { resource: "partials", action: "publish" },
    body: z.object({ version: z.int().min(1) }),
    answer: nothing,
    find,
    async run({ found, body: { version } }) {
      await partials.version(found, version);
      await partials.publish(found, version);
      return {};
    },
  });
  management.operation({
    ...shared,
    method: "DELETE",
    path: onOne,
    summary: "Deletes a partial; its slug stays taken.",
    scopes: ["prompts.delete"],
    audit: { resource: "partials", action: "delete" },
    answer: nothing,
    find,
    async run({ found }) {
      await stores.partials.owners.remove(found);
      return {};
    },
  });
}

interface Change {
  readonly name?: string | undefined;
  readonly string?: string | undefined;
  readonly description?: string | null | undefined;
  readonly status?: "active" | "archived" | undefined;
}

/** Does what a change says, and names the version that is the latest then. */
async function change(
  call: ManagementCall,
  partial: PartialRecord,
  { name, string, description, status }: Change,
  { partials, stores }: ManageParts,
): Promise<string> {
  const { workspace_id: workspace } = partial.document;
  const latest = await partials.version(partial);
  const rename = (document: PartialDocument): PartialDocument => ({
    ...document,
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
  });
  if (string !== undefined && string !== latest.document.string) {
    const { partials: used } = parse(string, { place: "string" });
    await checkPartials(used, { organisation: call.organisation, workspace }, partials);
    return partials.append(partial, { string, description: description ?? null }, rename);
  }
  if (description !== undefined)
    await stores.partials.versions.update(latest, (document) => ({ ...document, description }));
  await stores.partials.owners.update(partial, rename);
  return latest.id;
}

function shown(partial: PartialRecord) {
  const { id, origin, document } = partial;
  const { slug, name, collection_id, status } = document;
  return { id, slug, name, collection_id, ...timesOf(partial), status, origin };
}

function versionOf(partial: PartialRecord, number: number, version: Managed<PartialVersionDocument>) {
  const { slug, published } = partial.document;
  const { string, description } = version.document;
  return {
    prompt_partial_id: partial.id,
    prompt_partial_version_id: version.id,
    slug,
    version: String(number),
    string,
    description,
    created_at: timesOf(version).created_at,
    prompt_version_status: number === published ? "active" : "archived",
    object: "partial",
  };
}
