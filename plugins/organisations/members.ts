import {
  GatewayError,
  listed,
  type ManagementCall,
  type ManagementService,
  nothing,
  pageFields,
  pageOf,
  timesOf,
  z,
} from "../../core/index.ts";
import type { MemberKeys } from "./member-keys.ts";
import { type Member, type People, type WorkspaceRole, workspaceRoles } from "./people.ts";
import { scopesOf } from "./roles.ts";
import { named } from "./users.ts";
import type { WorkspaceStore } from "./workspace.ts";

export interface MembersParts {
  readonly people: People;
  readonly workspaces: WorkspaceStore;
  readonly keys: MemberKeys;
  /** Gives somebody who is new in a workspace the key that its settings promise. */
  readonly welcome: (organisation: string, workspace: string, user: string) => Promise<void>;
}

const path = "/admin/workspaces/{workspaceId}/users";
const pages = { size: 50, max: 500 };
const role = z.enum(workspaceRoles);
const answer = z.looseObject({ object: z.literal("workspace-user"), id: z.string(), role, email: z.string() });

/** Who belongs to a workspace (control-plane.md section 3.6). */
export function manageMembers(
  management: ManagementService,
  { people, workspaces, keys, welcome }: MembersParts,
): void {
  const tag = "workspaces";
  const workspaceOf = async (call: ManagementCall) => (await workspaces.find(call, call.path.workspaceId ?? "")).id;
  const memberOf = async (call: ManagementCall): Promise<Member> => {
    const workspace = await workspaceOf(call);
    const user = call.path.userId ?? "";
    const found = await people.member(call.organisation, workspace, user);
    if (found) return found;
    throw unknownMember(user);
  };
  const shown = (member: Member) => shownMember(people, member);

  management.operation({
    method: "POST",
    path,
    tag,
    summary: "Adds users of the organisation to a workspace, or gives them another role in it.",
    scopes: ["workspace_users.create"],
    audit: { resource: "workspaces", action: "manage" },
    body: z.object({
      users: z
        .array(z.object({ id: z.string(), role }))
        .min(1)
        .max(100),
    }),
    answer: nothing,
    find: workspaceOf,
    async run({ organisation, principal, found: workspace, body: { users } }) {
      for (const [at, { id }] of users.entries()) await people.known(organisation, id, `users[${at}].id`);
      await refuseAbove(
        people,
        { organisation, workspace, user: principal.user },
        users.map((one) => one.role),
      );
      for (const { id, role: given } of users)
        if (await people.join(organisation, workspace, id, given)) await welcome(organisation, workspace, id);
      return {};
    },
  });
  management.operation({
    method: "GET",
    path,
    tag,
    summary: "Lists who belongs to a workspace.",
    scopes: ["workspace_users.list"],
    query: z.object({ ...pageFields(pages), role: role.optional(), email: z.string().optional() }),
    answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(answer) }),
    find: workspaceOf,
    async run({ organisation, found, query }) {
      const email = query.email?.toLowerCase();
      const all = (await people.members(organisation, { workspace_id: found })).filter(
        (member) => query.role === undefined || member.document.role === query.role,
      );
      const rows = (await Promise.all(all.map(shown))).filter((row) => row !== undefined);
      const wanted = rows.filter((row) => email === undefined || row.email === email);
      const { number, size } = pageOf(query, pages);
      return listed(wanted.slice(number * size, (number + 1) * size), wanted.length);
    },
  });
  management.operation({
    method: "GET",
    path: `${path}/{userId}`,
    tag,
    summary: "Reads what somebody is in a workspace.",
    scopes: ["workspace_users.read"],
    answer,
    find: memberOf,
    run: ({ found }) => shown(found),
  });
  management.operation({
    method: "PUT",
    path: `${path}/{userId}`,
    tag,
    summary: "Gives somebody another role in a workspace.",
    scopes: ["workspace_users.update"],
    audit: { resource: "workspaces", action: "manage" },
    body: z.object({ role }),
    answer: nothing,
    find: memberOf,
    async run({ organisation, principal, found: { document }, body }) {
      const { workspace_id: workspace, user } = document;
      await refuseAbove(people, { organisation, workspace, user: principal.user }, [body.role]);
      if (await people.assign(organisation, workspace, user, body.role)) return {};
      throw unknownMember(user);
    },
  });
  management.operation({
    method: "DELETE",
    path: `${path}/{userId}`,
    tag,
    summary: "Takes somebody out of a workspace, with the keys they have in it.",
    scopes: ["workspace_users.delete"],
    audit: { resource: "workspaces", action: "manage" },
    answer: nothing,
    find: memberOf,
    async run({ organisation, found: { document } }) {
      await people.leave(organisation, document.workspace_id, document.user);
      await keys.archive(organisation, document.user, document.workspace_id);
      return {};
    },
  });
}

const unknownMember = (user: string) =>
  new GatewayError("record_unknown", `There is no user "${user}" in this workspace.`);

/** A member as they are shown; undefined when the user is no longer there. */
export async function shownMember(people: People, member: Member) {
  const { tenant, document } = member;
  const user = await people.users.get(tenant, document.user);
  if (!user) return undefined;
  return {
    object: "workspace-user",
    id: document.user,
    ...named(user.document),
    org_role: user.document.role,
    role: document.role,
    ...timesOf(member),
    status: "active",
    workspace_id: document.workspace_id,
    email: user.document.email,
    scopes: scopesOf(document.role),
    settings: null,
  };
}

/** A manager gives no role above their own (section 2.7). */
async function refuseAbove(
  people: People,
  { organisation, workspace, user }: { organisation: string; workspace: string; user: string | undefined },
  given: readonly WorkspaceRole[],
): Promise<void> {
  if (user === undefined || !given.includes("admin")) return;
  const roles = await people.rolesOf(organisation, workspace, user);
  if (roles?.organisation === "member" && roles.workspace !== "admin")
    throw new GatewayError("forbidden", "Only an admin makes somebody an admin.");
}
