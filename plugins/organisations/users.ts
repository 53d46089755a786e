import {
  GatewayError,
  listed,
  type Managed,
  type ManagementService,
  manageResource,
  nothing,
  timesOf,
  z,
} from "../../core/index.ts";
import type { MemberKeys } from "./member-keys.ts";
import { organisationRoles, type People, type UserDocument } from "./people.ts";
import type { WorkspaceStore } from "./workspace.ts";

const answer = z.looseObject({
  object: z.literal("user"),
  id: z.string(),
  email: z.string(),
  role: z.enum(organisationRoles),
});

export interface UsersParts {
  readonly people: People;
  readonly workspaces: WorkspaceStore;
  readonly keys: MemberKeys;
}

/** The users of an organisation (control-plane.md section 4.2). */
export function manageUsers(management: ManagementService, { people, workspaces, keys }: UsersParts): void {
  const shown = async (record: Managed<UserDocument>) => ({
    object: "user",
    id: record.id,
    ...named(record.document),
    role: record.document.role,
    email: record.document.email,
    ...timesOf(record),
    workspace_ids: await workspacesOf(record),
  });
  const workspacesOf = async ({ tenant, id, document }: Managed<UserDocument>): Promise<string[]> => {
    const { records } = await workspaces.select(tenant);
    if (document.role !== "member") return records.map(({ document: { slug } }) => slug ?? "");
    const own = new Set((await people.members(tenant, { user: id })).map((member) => member.document.workspace_id));
    return records.filter((workspace) => own.has(workspace.id)).map(({ document: { slug } }) => slug ?? "");
  };

  /** Who is no admin any more keeps their keys where they belong, and nowhere else. */
  const leaveOthers = async (organisation: string, user: string): Promise<void> => {
    const own = new Set((await people.members(organisation, { user })).map((member) => member.document.workspace_id));
    const { records } = await workspaces.select(organisation);
    for (const { id } of records) if (!own.has(id)) await keys.archive(organisation, user, id);
  };

  management.keeps("users", async (organisation, workspace, ref) => {
    const found = await people.users.get(organisation, ref);
    if (!found) return undefined;
    const { email, role } = found.document;
    const everywhere = workspace === undefined || role !== "member";
    if (!everywhere && !(await people.member(organisation, workspace, found.id))) return undefined;
    return { id: found.id, workspace: workspace ?? null, email };
  });
  manageResource(management, {
    tag: "users",
    what: "user",
    path: "/admin/users",
    parameter: "userId",
    audit: "users",
    key: "organisation",
    store: people.users,
    list: {
      scopes: ["organisation_users.list"],
      query: z.object({ role: z.enum(organisationRoles).optional(), email: z.string().optional() }),
      page: { size: 50, max: 500 },
      select: ({ query: { role, email } }) => ({
        where: { ...(role && { role }), ...(email !== undefined && { email: email.toLowerCase() }) },
      }),
      row: shown,
      envelope: listed,
      answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(answer) }),
    },
    read: { scopes: ["organisation_users.read"], row: shown, answer },
    update: {
      scopes: ["organisation_users.update"],
      body: z.object({ role: z.enum(["admin", "member"]) }),
      answer: nothing,
      async run({ found, body: { role } }) {
        await refuseLastOwner(people, found);
        await people.users.update(found, (document) => ({ ...document, role }));
        if (role === "member") await leaveOthers(found.tenant, found.id);
        return {};
      },
    },
    remove: {
      scopes: ["organisation_users.delete"],
      check: (_, found) => refuseLastOwner(people, found),
      async after({ organisation }, { id }) {
        for (const { document } of await people.members(organisation, { user: id }))
          await people.leave(organisation, document.workspace_id, id);
        await keys.archive(organisation, id);
      },
    },
  });
}

/** An organisation without an owner could not be managed by anybody. */
async function refuseLastOwner(people: People, { tenant, document }: Managed<UserDocument>): Promise<void> {
  if (document.role !== "owner") return;
  const { total } = await people.users.select(tenant, { where: { role: "owner" } });
  if (total === 1)
    throw new GatewayError("record_invalid", "The last owner of an organisation stays its owner.", { param: "role" });
}

export const named = ({ first_name, last_name }: Pick<UserDocument, "first_name" | "last_name">) => ({
  first_name,
  last_name,
});
