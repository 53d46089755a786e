import {
  type Managed,
  type ManagementCall,
  type ManagementService,
  pageFields,
  pageOf,
  placesOf,
  timesOf,
  z,
} from "../../../core/index.ts";
import type { PromptVersionDocument } from "../saved/documents.ts";
import { promptReference } from "../saved/prompt-reference.ts";
import { isShared } from "../saved/versioned.ts";
import { because } from "../template/refusals.ts";
import type { ManageParts, PromptRecord } from "./parts.ts";

const page = { size: 50, max: 500 };

const times = { created_at: z.string(), last_updated_at: z.string() };
const row = z.looseObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  collection_id: z.string().nullable(),
  model: z.string().nullable(),
  status: z.literal("active"),
  ...times,
  object: z.literal("prompt"),
});

/** The record of a prompt in one of its versions (the owner's document). */
const record = z.looseObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  collection_id: z.string().nullable(),
  string: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  prompt_version: z.int(),
  prompt_version_id: z.string(),
  prompt_version_status: z.enum(["active", "archived"]),
  prompt_version_description: z.string().nullable(),
  prompt_version_label_id: z.string().nullable(),
  prompt_version_label_ids: z.array(z.string()),
  virtual_key: z.string().nullable(),
  model: z.string().nullable(),
  functions: z.array(z.unknown()).nullable(),
  tools: z.array(z.unknown()).nullable(),
  tool_choice: z.unknown(),
  template_metadata: z.record(z.string(), z.unknown()),
  is_raw_template: z.boolean(),
  status: z.literal("active"),
  ...times,
});

const summary = z.looseObject({
  id: z.string(),
  prompt_id: z.string(),
  prompt_template: z.record(z.string(), z.unknown()),
  prompt_version: z.int(),
  prompt_description: z.string().nullable(),
  label_id: z.string().nullable(),
  created_at: z.string(),
  status: z.enum(["active", "archived"]),
  object: z.literal("prompt"),
});

/** Prompts and their versions, listed and read (control-plane.md section 12.3). */
export function readPrompts(management: ManagementService, parts: ManageParts): void {
  const { prompts, stores } = parts;
  const shared = { method: "GET", tag: "prompts" } as const;
  management.operation({
    ...shared,
    path: "/prompts",
    summary: "Lists prompts: a workspace's own, or those that others share with it.",
    scopes: ["prompts.list"],
    query: z.object({
      collection_id: z.string().optional(),
      workspace_id: z.string().optional(),
      search: z.string().optional(),
      type: z.enum(["owned", "shared"]).default("owned"),
      show_prompt_share: z.enum(["true", "false"]).optional(),
      ...pageFields(page),
    }),
    answer: z.object({ total: z.int(), data: z.array(row) }),
    async run(call) {
      const { collection_id, search = "", type, show_prompt_share } = call.query;
      const workspace = (await call.workspace())?.id;
      const collection =
        collection_id === undefined
          ? undefined
          : await call.reference("collections", collection_id, "collection_id", { workspace });
      const text = search.toLowerCase();
      const { records, total } = await stores.prompts.owners.select(call.organisation, {
        placed: placesOf(call),
        workspace: type === "owned" ? workspace : undefined,
        ...(collection && { where: { collection_id: collection.id } }),
        ...((text !== "" || type === "shared") && {
          filter: (prompt: PromptRecord) =>
            prompt.document.name.toLowerCase().includes(text) && (type === "owned" || isSharedWith(prompt, workspace)),
        }),
        page: pageOf(call.query, page),
      });
      return { total, data: records.map((prompt) => rowOf(prompt, show_prompt_share === "true")) };
    },
  });
  management.operation({
    ...shared,
    path: "/prompts/{promptId}",
    summary: "Reads a prompt in its published version, or in the one behind an @.",
    scopes: ["prompts.read"],
    answer: record,
    find: (call) => prompts.find(call, promptReference(call.path.promptId ?? "").ref),
    async run({ found, path }) {
      const number = await numberOf(found, path.promptId ?? "", parts);
      return recordOf(found, number, await prompts.version(found, number), await liveLabels(found, parts));
    },
  });
  management.operation({
    ...shared,
    path: "/prompts/{promptId}/versions",
    summary: "Lists the versions of a prompt, newest first.",
    scopes: ["prompts.read"],
    answer: z.array(summary),
    find: (call) => prompts.find(call, call.path.promptId ?? ""),
    async run({ found }) {
      const labels = await liveLabels(found, parts);
      return (await prompts.versions(found)).map(([number, version]) => summaryOf(found, number, version, labels));
    },
  });
  management.operation({
    ...shared,
    path: "/prompts/{promptId}/versions/{versionId}",
    summary: "Reads a version of a prompt.",
    scopes: ["prompts.read"],
    answer: summary,
    find: (call) => findVersion(call, parts, "find"),
    run: async ({ found: { prompt, number } }) =>
      summaryOf(prompt, number, await prompts.version(prompt, number), await liveLabels(prompt, parts)),
  });
}

/** The prompt of a path, and which of its versions the path names by id. */
export async function findVersion(
  call: ManagementCall,
  { prompts }: ManageParts,
  how: "find" | "findOwn",
): Promise<{ readonly prompt: PromptRecord; readonly number: number }> {
  const { promptId = "", versionId = "" } = call.path;
  const prompt = await prompts[how](call, promptId);
  const number = prompt.document.versions.indexOf(versionId) + 1;
  if (number > 0) return { prompt, number };
  throw because("prompt_version_not_found", `The prompt "${promptId}" has no version "${versionId}".`);
}

/** The number of the version a reference means. */
async function numberOf(prompt: PromptRecord, reference: string, parts: ManageParts): Promise<number> {
  const { version } = promptReference(reference);
  switch (version.kind) {
    case "published":
      return prompt.document.published;
    case "latest":
      return prompt.document.versions.length;
    case "number":
      return version.number;
    case "label": {
      const { records } = await parts.stores.labels.select(prompt.tenant, {
        filter: ({ id, document }) => id in prompt.document.labels && document.name === version.name,
      });
      const number = records[0] && prompt.document.labels[records[0].id];
      if (number !== undefined) return number;
      throw because("prompt_label_not_found", `The prompt "${prompt.document.slug}" has no label "${version.name}".`);
    }
  }
}

/** The labels that are on versions of a prompt, by number: those that are gone by now are left out. */
async function liveLabels(
  prompt: PromptRecord,
  { stores }: ManageParts,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const byNumber = new Map<number, string[]>();
  for (const [id, number] of Object.entries(prompt.document.labels))
    if (await stores.labels.get(prompt.tenant, id)) byNumber.set(number, [...(byNumber.get(number) ?? []), id]);
  return byNumber;
}

/** Shared with a workspace by another one; without a workspace, shared with anybody. */
const isSharedWith = ({ document: { share, workspace_id } }: PromptRecord, workspace: string | undefined): boolean =>
  workspace === undefined ? share !== null : workspace_id !== workspace && isShared(share, workspace);

function rowOf(prompt: PromptRecord, withShare: boolean) {
  const { id, origin, document } = prompt;
  const { slug, name, collection_id, model, share } = document;
  return {
    id,
    slug,
    name,
    collection_id,
    model,
    status: "active",
    ...timesOf(prompt),
    object: "prompt",
    ...(withShare && { prompt_share: share }),
    origin,
  };
}

type Version = Managed<PromptVersionDocument>;
type Labels = ReadonlyMap<number, readonly string[]>;

const statusOf = ({ document: { published } }: PromptRecord, number: number): "active" | "archived" =>
  number === published ? "active" : "archived";

function recordOf(prompt: PromptRecord, number: number, { id, document }: Version, labels: Labels) {
  const { of: _of, slug: _slug, deleted: _deleted, workspace_id: _workspace, description, ...content } = document;
  const { slug, name, collection_id } = prompt.document;
  const on = labels.get(number) ?? [];
  return {
    id: prompt.id,
    slug,
    name,
    collection_id,
    ...content,
    prompt_version: number,
    prompt_version_id: id,
    prompt_version_status: statusOf(prompt, number),
    prompt_version_description: description,
    prompt_version_label_id: on[0] ?? null,
    prompt_version_label_ids: on,
    status: "active",
    ...timesOf(prompt),
    origin: prompt.origin,
  };
}

function summaryOf(prompt: PromptRecord, number: number, version: Version, labels: Labels) {
  const {
    of: _of,
    slug: _slug,
    deleted: _deleted,
    workspace_id: _workspace,
    description,
    ...content
  } = version.document;
  return {
    id: version.id,
    prompt_id: prompt.id,
    prompt_template: content,
    prompt_version: number,
    prompt_description: description,
    label_id: labels.get(number)?.[0] ?? null,
    created_at: timesOf(version).created_at,
    status: statusOf(prompt, number),
    object: "prompt",
  };
}
