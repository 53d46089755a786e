import {
  Budgets,
  definePlugin,
  type Home,
  keepsWorkspaces,
  type Managed,
  Management,
  Notifications,
  Organisations,
  Records,
  type Workspace,
  z,
} from "../../core/index.ts";
import { Decisions } from "./decisions.ts";
import { openHome } from "./home.ts";
import { manageInvites } from "./invites.ts";
import { logSight } from "./log-sight.ts";
import { MemberKeys } from "./member-keys.ts";
import { manageMembers, shownMember } from "./members.ts";
import { organisationStore } from "./organisation.ts";
import { manageOrganisation } from "./organisation-routes.ts";
import { People } from "./people.ts";
import { roleGuard } from "./roles.ts";
import { manageScim } from "./scim.ts";
import { manageUsers } from "./users.ts";
import { type WorkspaceDocument, workspaceStore } from "./workspace.ts";
import { limitsOf } from "./workspace-rows.ts";
import { manageWorkspaces } from "./workspaces.ts";

export default definePlugin({
  name: "organisations",
  summary: "Organisations, their workspaces and their people: whose everything is.",
  options: z.strictObject({
    publicUrl: z
      .url()
      .exactOptional()
      .describe("Where people reach this gateway, for the links of invites; where it listens unless said otherwise."),
    maxWorkspaces: z
      .int()
      .positive()
      .exactOptional()
      .describe("Workspaces of an organisation at most; another one is refused with 402."),
    maxUsers: z
      .int()
      .positive()
      .exactOptional()
      .describe("People of an organisation at most; another one is refused with 402."),
    automaticGroups: z
      .string()
      .default("^ws-.+-role-(?:admin|manager|member)$")
      .describe(
        "Names of SCIM groups that are mapped of themselves, as a regular expression: nobody maps those by hand.",
      ),
  }),
  needs: [Management, Records],
  uses: [Budgets, Notifications],
  provides: [Organisations],
  setup({ service, offered, provide, server, log, onClose }, { publicUrl, automaticGroups, maxWorkspaces, maxUsers }) {
    const management = service(Management);
    const records = service(Records);
    const organisations = organisationStore(records);
    const workspaces = workspaceStore({ records });
    const people = new People(records);
    const keys = new MemberKeys(log);
    const listeners: ((workspace: Workspace) => void | Promise<void>)[] = [];
    let home: Promise<Home> | undefined;
    const decisions = new Decisions({ organisations, workspaces, people, keys });
    const kept = workspaces.kept(knownAs, { staleAfterChange: true });
    for (const one of [organisations, people, kept, decisions]) onClose(() => one.close());
    provide(Organisations, {
      home() {
        home ??= openHome(records, organisations, workspaces).catch((error: unknown) => {
          home = undefined;
          throw error;
        });
        return home;
      },
      workspace: kept.find,
      workspaces: async (organisation) => (await workspaces.select(organisation)).records.map(knownAs),
      settings: decisions.settings,
      logSight: logSight({ people, allows: decisions.allows }),
      keys(issuer) {
        keys.issuer = issuer;
      },
      made(listener) {
        listeners.push(listener);
      },
    });
    management.workspaces(kept.find);
    keepsWorkspaces(records, async (organisation, id) => (await workspaces.get(organisation, id)) !== undefined);
    management.guard(roleGuard({ people, allows: decisions.allows }));
    manageWorkspaces(management, {
      store: workspaces,
      budgets: offered(Budgets),
      most: maxWorkspaces,
      organisation: organisations.get,
      async members(organisation, workspace) {
        const members = await people.members(organisation, { workspace_id: workspace });
        return (await Promise.all(members.map((member) => shownMember(people, member)))).filter(
          (row) => row !== undefined,
        );
      },
      user: async (organisation, ref, param) => (await people.known(organisation, ref, param)).id,
      join: decisions.join,
      keepsBudgets: decisions.keepsBudgets,
      decidesForItself: decisions.decidesForItself,
      async made(record) {
        for (const listener of listeners) await listener(knownAs(record));
      },
    });
    manageUsers(management, { people, workspaces, keys });
    manageMembers(management, { people, workspaces, keys, welcome: decisions.welcome });
    manageOrganisation(management, organisations, workspaces);
    manageInvites(management, {
      records,
      people,
      workspaces,
      keys,
      welcome: decisions.welcome,
      notifications: offered(Notifications),
      publicUrl: (publicUrl ?? `${server.secure ? "https" : "http"}://${server.host}:${server.port}`).replace(
        /\/$/,
        "",
      ),
      mostUsers: maxUsers,
      now: Date.now,
    });
    manageScim(management, { records, automatic: new RegExp(automaticGroups, "i") });
  },
});

/** A workspace as the data path knows it. */
function knownAs(record: Managed<WorkspaceDocument>): Workspace {
  const { id, tenant, document } = record;
  const { slug = id, name, defaults } = document;
  return {
    id,
    slug,
    organisation: tenant,
    name,
    metadata: defaults?.metadata ?? {},
    ...((document.usage_limits || document.rate_limits) && { limits: limitsOf(record) }),
    ...(defaults?.input_guardrails?.length && { inputGuardrails: defaults.input_guardrails }),
    ...(defaults?.output_guardrails?.length && { outputGuardrails: defaults.output_guardrails }),
    ...(defaults?.user_api_key_config && { userKeyConfig: defaults.user_api_key_config }),
  };
}
