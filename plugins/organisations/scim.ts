import {
  GatewayError,
  type ManagedDocument,
  type ManagementService,
  pageFields,
  pageOf,
  type RecordsService,
  ResourceStore,
  z,
} from "../../core/index.ts";
import { workspaceRoles } from "./people.ts";
import { type MappingDocument, mapGroup, mappingStore } from "./scim-mappings.ts";

/** A group of an identity provider, as it is kept. */
interface GroupDocument extends ManagedDocument {
  readonly workspace_id: null;
  readonly display_name: string;
  /** The same: no two groups have one. Absent of those that were made before that was seen to. */
  readonly taken_name?: string;
}

export interface ScimParts {
  readonly records: RecordsService;
  /** Names of groups that are mapped of themselves: nobody maps those. */
  readonly automatic: RegExp;
}

const sizes = { size: 50, max: 500 };
const { current_page: page, page_size } = pageFields(sizes);
/** As all pages are, by another name (control-plane.md section 1.3). */
const paged = { page, page_size };
const answer = z.looseObject({
  id: z.string(),
  workspace_id: z.string(),
  role: z.enum(workspaceRoles),
  scim_group_id: z.string(),
});

/** Which groups of an identity provider make members of which workspaces (control-plane.md section 19). */
export function manageScim(management: ManagementService, { records, automatic }: ScimParts): void {
  const groups = new ResourceStore<GroupDocument>(
    { collection: "scim_groups", what: "SCIM group", schemaVersion: 1, unique: [["taken_name"]], unseen: 404 },
    { records },
  );
  const mappings = mappingStore(records);
  const shown = async (organisation: string, { id, document }: { id: string; document: MappingDocument }) => ({
    id,
    workspace_id: (await management.reference("workspaces", organisation, undefined, document.workspace_id ?? ""))
      ?.slug,
    scim_group: (await groups.get(organisation, document.group))?.document.display_name,
    role: document.role,
    scim_group_id: document.group,
  });
  const groupOf = async (organisation: string, { scim_group_id, scim_group_name }: Named) => {
    if (scim_group_id !== undefined) {
      const found = await groups.get(organisation, scim_group_id);
      if (found) return found;
      throw new GatewayError("reference_unknown", `There is no SCIM group "${scim_group_id}".`, {
        param: "scim_group_id",
      });
    }
    const name = scim_group_name ?? "";
    if (automatic.test(name))
      throw new GatewayError("record_invalid", `"${name}" is mapped by its name already.`, {
        param: "scim_group_name",
      });
    return knownOrMade(
      async () => {
        const filter = ({ document }: { document: GroupDocument }) => document.display_name === name;
        return (await groups.select(organisation, { filter })).records[0];
      },
      () => groups.create(organisation, {}, { workspace_id: null, display_name: name, taken_name: name }),
    );
  };

  management.operation({
    method: "POST",
    path: "/scim/workspaces",
    tag: "scim",
    summary: "Gives who is in a group a role in a workspace.",
    scopes: ["organisation_settings.update"],
    key: "organisation",
    audit: { resource: "scim", action: "create" },
    body: z
      .object({
        workspace_id: z.string().transform((id) => id.replace(/^ws_/, "ws-")),
        role: z.string().toLowerCase().pipe(z.enum(workspaceRoles)),
        scim_group_id: z.string().optional(),
        scim_group_name: z.string().min(1).max(255).optional(),
      })
      .refine(({ scim_group_id: id, scim_group_name: name }) => (id === undefined) !== (name === undefined), {
        message: "exactly one of scim_group_id and scim_group_name is needed",
        path: ["scim_group_id"],
      }),
    answer,
    async run(call) {
      const { organisation, body } = call;
      const workspace = await call.workspaceOf(body.workspace_id, "workspace_id");
      const group = await groupOf(organisation, body);
      const wanted = { group: group.id, workspace: workspace.id, role: body.role };
      const mapping = await mapGroup(mappings, call, wanted);
      return shown(organisation, mapping);
    },
  });
  management.operation({
    method: "GET",
    path: "/scim/workspaces",
    tag: "scim",
    summary: "Lists which groups have which roles in which workspaces.",
    scopes: ["organisation_settings.read"],
    key: "organisation",
    query: z.object({
      ...paged,
      workspace_id: z.string().optional(),
      workspaceId: z.string().optional(),
      scim_group_id: z.string().optional(),
      scimGroupId: z.string().optional(),
      role: z.string().toLowerCase().pipe(z.enum(workspaceRoles)).optional(),
    }),
    answer: z.object({ mappings: z.array(answer), total_count: z.int() }),
    async run(call) {
      const { organisation, query } = call;
      const ref = query.workspace_id ?? query.workspaceId;
      const workspace = ref === undefined ? undefined : (await call.workspaceOf(ref, "workspace_id")).id;
      const group = query.scim_group_id ?? query.scimGroupId;
      const { records: found, total } = await mappings.list(call, {
        filter: ({ document }) =>
          (workspace === undefined || document.workspace_id === workspace) &&
          (group === undefined || document.group === group) &&
          (query.role === undefined || document.role === query.role),
        page: pageFrom(query),
      });
      return { mappings: await Promise.all(found.map((one) => shown(organisation, one))), total_count: total };
    },
  });
  management.operation({
    method: "DELETE",
    path: "/scim/workspaces/{scimWorkspaceGroupId}",
    tag: "scim",
    summary: "Ends a mapping; who is a member by it stays one.",
    scopes: ["organisation_settings.update"],
    key: "organisation",
    audit: { resource: "scim", action: "delete" },
    answer: z.object({ success: z.literal(true) }),
    find: (call) => mappings.find(call, call.path.scimWorkspaceGroupId ?? ""),
    async run({ found }) {
      await mappings.remove(found);
      return { success: true };
    },
  });
  management.operation({
    method: "GET",
    path: "/scim/groups",
    tag: "scim",
    summary: "Lists the groups that are known.",
    scopes: ["organisation_settings.read"],
    key: "organisation",
    query: z.object({ ...paged, search: z.string().optional() }),
    answer: z.object({
      groups: z.array(z.looseObject({ id: z.string(), display_name: z.string() })),
      total_count: z.int(),
    }),
    async run({ organisation, query }) {
      const search = query.search?.toLowerCase() ?? "";
      const { records: found, total } = await groups.select(organisation, {
        filter: ({ document }) => document.display_name.toLowerCase().includes(search),
        page: pageFrom(query),
      });
      return {
        groups: found.map(({ id, document }) => ({ id, display_name: document.display_name })),
        total_count: total,
      };
    },
  });
}

/** What is there, or else is made. Where somebody makes it in the same moment, there it is. */
async function knownOrMade<Found>(known: () => Promise<Found | undefined>, make: () => Promise<Found>): Promise<Found> {
  const there = await known();
  if (there) return there;
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== "already_exists") throw error;
    const since = await known();
    if (since) return since;
    throw error;
  }
}

interface Named {
  readonly scim_group_id?: string | undefined;
  readonly scim_group_name?: string | undefined;
}

const pageFrom = ({ page, page_size }: { page?: number | undefined; page_size?: number | undefined }) =>
  pageOf({ current_page: page, page_size }, sizes);
