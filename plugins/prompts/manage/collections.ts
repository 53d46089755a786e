import {
  fields,
  GatewayError,
  type Managed,
  type ManagementCall,
  type ManagementService,
  manageResource,
  nothing,
  pageFields,
  pageOf,
  requiredWorkspace,
  timesOf,
  unlessDeleted,
  z,
} from "../../../core/index.ts";
import type { CollectionDocument } from "../saved/documents.ts";
import type { Stores } from "../saved/stores.ts";
import { defaultCollection, leaveGone } from "./default-collection.ts";

type Collection = Managed<CollectionDocument>;

const page = { size: 50, max: 500 };

/** Collections inside collections. */
const deepest = 10;

/** What a collection holds, for lists. */
const details = z.object({
  child_collections_count: z.int(),
  prompts_count: z.int(),
  child_collections_last_updated_at: z.string().nullable(),
  prompts_last_updated_at: z.string().nullable(),
});

const base = {
  id: z.string(),
  name: z.string(),
  workspace_id: z.string(),
  slug: z.string(),
  parent_collection_id: z.string().nullable(),
  is_default: z.boolean(),
  status: z.enum(["active", "archived"]),
  created_at: z.string(),
  last_updated_at: z.string(),
};
const row = z.looseObject({ ...base, collection_details: details });
const single = z.looseObject({
  ...base,
  child_collections: z.array(
    z.object({ id: z.string(), name: z.string(), last_updated_at: z.string(), collection_details: details }),
  ),
});

/** Collections: the folders of prompts (control-plane.md section 11.1). */
export function manageCollections(management: ManagementService, stores: Stores): void {
  const store = stores.collections;
  manageResource(management, {
    tag: "collections",
    what: "collection",
    path: "/collections",
    parameter: "collectionId",
    audit: "collections",
    kind: "collections",
    store,
    create: {
      scopes: ["prompts.create"],
      body: z.object({
        name: fields.name,
        workspace_id: fields.workspace,
        parent_collection_id: z.string().min(1).nullable().optional(),
      }),
      answer: z.object({ id: z.string(), slug: z.string() }),
      async run(call) {
        const workspace = await requiredWorkspace(call, "collection");
        const { name, parent_collection_id: ref } = call.body;
        const parent = ref ? await parentOf(call, stores, workspace.id, ref) : undefined;
        const made = await store.create(
          call.organisation,
          { name },
          { workspace_id: workspace.id, name, parent_collection_id: parent?.id ?? null, is_default: false },
        );
        await leaveGone(made, "parent_collection_id", store, store);
        return { id: made.id, slug: made.document.slug };
      },
    },
    read: {
      scopes: ["prompts.read"],
      answer: single,
      async row(collection) {
        const contents = await contentsOf(stores, collection.tenant, collection.document.workspace_id);
        const children = contents.collections.filter((one) => one.document.parent_collection_id === collection.id);
        return {
          ...shown(collection),
          child_collections: children.map((child) => ({
            id: child.id,
            name: child.document.name,
            last_updated_at: timesOf(child).last_updated_at,
            collection_details: contents.detailsOf(child.id),
          })),
        };
      },
    },
    update: {
      scopes: ["prompts.update"],
      body: z.object({ name: fields.name }),
      answer: nothing,
      async run({ found, body: { name } }) {
        await store.update(found, (document) => ({ ...document, name }));
        return {};
      },
    },
    remove: {
      scopes: ["prompts.delete"],
      async check(_call, collection) {
        if (collection.document.is_default)
          throw new GatewayError("record_unknown", "The default collection cannot be deleted.");
        // Before it is gone: what is in it is never nowhere.
        await moveToDefault(stores, collection);
      },
      // What was put into it meanwhile.
      after: (_call, collection) => moveToDefault(stores, collection),
    },
  });
  management.operation({
    method: "GET",
    path: "/collections",
    tag: "collections",
    summary: "Lists each collection of a workspace.",
    scopes: ["prompts.list"],
    query: z.object({ workspace_id: z.string().optional(), search: z.string().optional(), ...pageFields(page) }),
    answer: z.object({ total: z.int(), data: z.array(row) }),
    async run(call) {
      const { id: workspace } = await requiredWorkspace(call, "list of collections");
      await defaultCollection(store, call.organisation, workspace);
      const search = call.query.search?.toLowerCase() ?? "";
      const { records, total } = await store.list(call, {
        workspace,
        page: pageOf(call.query, page),
        ...(search && { filter: ({ document }) => document.name.toLowerCase().includes(search) }),
      });
      const { detailsOf } = await contentsOf(stores, call.organisation, workspace);
      const data = records.map((one) => ({
        ...shown(one),
        collection_details: detailsOf(one.id),
        origin: one.origin,
      }));
      return { total, data };
    },
  });
}

function shown(collection: Collection) {
  const { id, document } = collection;
  const { name, workspace_id, slug, parent_collection_id, is_default } = document;
  return { id, name, workspace_id, slug, parent_collection_id, is_default, status: "active", ...timesOf(collection) };
}

/** A collection that may hold another one. */
async function parentOf(
  call: ManagementCall,
  { collections }: Stores,
  workspace: string,
  ref: string,
): Promise<Collection> {
  const parent = await collections.usable(call.organisation, workspace, ref);
  if (!parent)
    throw new GatewayError("reference_unknown", `parent_collection_id: there is no collection "${ref}".`, {
      param: "parent_collection_id",
    });
  let depth = 2;
  for (let above = parent.document.parent_collection_id; above !== null; depth++)
    above = (await collections.get(call.organisation, above))?.document.parent_collection_id ?? null;
  if (depth <= deepest) return parent;
  throw new GatewayError("record_invalid", `parent_collection_id: collections are nested ${deepest} deep at most.`, {
    param: "parent_collection_id",
  });
}

interface Contents {
  readonly collections: readonly Collection[];
  detailsOf(collection: string): z.output<typeof details>;
}

/** What is in the collections of a workspace, all of them read at once. */
async function contentsOf(
  { collections, prompts }: Stores,
  organisation: string,
  workspace: string,
): Promise<Contents> {
  const [all, inThem] = await Promise.all([
    collections.select(organisation, { workspace }),
    prompts.owners.select(organisation, { workspace }),
  ]);
  const children = grouped(all.records, ({ document }) => document.parent_collection_id);
  const held = grouped(inThem.records, ({ document }) => document.collection_id);
  return {
    collections: all.records,
    detailsOf(collection) {
      const [below = [], own = []] = [children.get(collection), held.get(collection)];
      return {
        child_collections_count: below.length,
        prompts_count: own.length,
        child_collections_last_updated_at: lastUpdate(below),
        prompts_last_updated_at: lastUpdate(own),
      };
    },
  };
}

function grouped<One>(all: readonly One[], by: (one: One) => string | null): Map<string | null, One[]> {
  const groups = new Map<string | null, One[]>();
  for (const one of all) {
    const key = by(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

const lastUpdate = (all: readonly { readonly updatedAt: number }[]): string | null =>
  all.length === 0 ? null : new Date(Math.max(...all.map(({ updatedAt }) => updatedAt))).toISOString();

/** What is in a collection that is to go moves to the default one (control-plane.md section 1.7). */
async function moveToDefault(stores: Stores, { id, tenant, document }: Collection): Promise<void> {
  const { collections, prompts, partials } = stores;
  const { workspace_id: workspace } = document;
  const target = await defaultCollection(collections, tenant, workspace);
  const { records } = await collections.select(tenant, {
    workspace,
    filter: (one) => one.document.parent_collection_id === id,
  });
  for (const child of records)
    await unlessDeleted(collections, child, () =>
      collections.update(child, (one) => ({ ...one, parent_collection_id: target.id })),
    );
  for (const prompt of (await prompts.owners.select(tenant, { where: { collection_id: id } })).records)
    await unlessDeleted(prompts.owners, prompt, () =>
      prompts.owners.update(prompt, (one) => ({ ...one, collection_id: target.id })),
    );
  for (const partial of (await partials.owners.select(tenant, { where: { collection_id: id } })).records)
    await unlessDeleted(partials.owners, partial, () =>
      partials.owners.update(partial, (one) => ({ ...one, collection_id: target.id })),
    );
}
