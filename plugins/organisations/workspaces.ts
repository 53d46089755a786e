import { randomUUID } from "node:crypto";
import {
  type BudgetsService,
  type CheckedCall,
  changeIfStill,
  fields,
  GatewayError,
  listed,
  type Managed,
  type ManagementCall,
  type ManagementService,
  makeIfStill,
  manageResource,
  nothing,
  rowOfOne,
  sentOf,
  type UsageLimits,
  z,
} from "../../core/index.ts";
import { refuseBeyond } from "./caps.ts";
import type { OrganisationDocument } from "./organisation.ts";
import { overridesOf } from "./overrides.ts";
import { categories, dataPlaneSettings, overridable, securitySettings, type WorkspaceOverrides } from "./settings.ts";
import type { WorkspaceDocument, WorkspaceStore } from "./workspace.ts";
import { defaultsField, fittingDefaults, needDefaults, sentDefaults } from "./workspace-defaults.ts";
import { isEmoji, keptName, plainName, refuseOtherIcon, refuseTaken } from "./workspace-names.ts";
import { limitsOf, workspaceRows } from "./workspace-rows.ts";

const body = z.object({
  name: fields.name,
  description: fields.description.optional(),
  icon: z.string().max(16).nullable().optional(),
  defaults: defaultsField.nullable().optional(),
  usage_limits: fields.oneOrMany(fields.newUsageLimits).superRefine(oneOfEachType).nullable().optional(),
  rate_limits: fields.rateLimits.nullable().optional(),
});

const creation = body.extend({
  icon: body.shape.icon.refine((icon) => icon == null || isEmoji(icon), "must be one emoji"),
  users: z.array(z.string()).default([]),
});

const change = body.partial().extend({
  reset_usage: fields.resetUsage.optional(),
  data_plane_security_settings: dataPlaneSettings.optional(),
  security_settings: securitySettings.optional(),
  request_logging: overridable.request_logging.optional(),
  export_settings: overridable.export_settings.optional(),
  user_api_key_auto_create: overridable.user_api_key_auto_create.optional(),
  user_api_key_rotation_period: overridable.user_api_key_rotation_period.optional(),
  user_api_key_ttl: overridable.user_api_key_ttl.optional(),
});

const answer = z.looseObject({ id: z.string(), slug: z.string(), uuid: z.string(), name: z.string() });

/** The workspaces of an organisation (control-plane.md section 3). */
export function manageWorkspaces(management: ManagementService, parts: WorkspacesParts): void {
  const { store } = parts;
  const ofAll = workspaceRows(parts.budgets);
  needDefaults(management, store);
  manageResource(management, {
    tag: "workspaces",
    what: "workspace",
    path: "/admin/workspaces",
    parameter: "workspaceId",
    audit: "workspaces",
    kind: "workspaces",
    store,
    create: {
      scopes: ["workspaces.create"],
      key: "organisation",
      body: creation,
      answer,
      run: (call) => createWorkspace(call, parts),
    },
    list: {
      scopes: ["workspaces.list"],
      query: z.object({
        workspace_id: z.string().optional().describe("Only this one, by id or slug."),
        name: z.string().optional(),
        exact_name: z.string().optional(),
        status: fields.commaList.pipe(z.array(z.enum(["active", "archived"]))).optional(),
      }),
      page: { size: 50, max: 500 },
      async select(call) {
        const { name, exact_name, status = ["active"] } = call.query;
        const only = await call.workspace();
        if (status.includes("archived") && call.own)
          throw new GatewayError("forbidden", "Archived workspaces are shown to keys of the organisation only.");
        return {
          state: status.includes("archived") ? (status.includes("active") ? "any" : "deleted") : "there",
          filter: ({ id, document }) =>
            (only === undefined || id === only.id) &&
            (exact_name === undefined ? document.name.includes(name ?? "") : document.name === exact_name),
        };
      },
      row: { ofAll },
      envelope: listed,
      answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(answer) }),
    },
    update: {
      scopes: ["workspaces.update"],
      body: change,
      answer: nothing,
      run: (call) => changeWorkspace(call, parts),
    },
    remove: {
      scopes: ["workspaces.delete"],
      key: "organisation",
      check(_, { document }) {
        if (document.is_default) throw new GatewayError("record_invalid", "The shared workspace cannot be deleted.");
      },
    },
  });
  management.operation({
    method: "GET",
    path: "/admin/workspaces/{workspaceId}",
    tag: "workspaces",
    summary: "Reads a workspace with who belongs to it.",
    scopes: ["workspaces.read"],
    query: z.object({ name_format: z.enum(["display", "plain"]).default("display") }),
    answer,
    find: (call) => store.find(call, call.path.workspaceId ?? ""),
    async run({ found, query }) {
      const row = await rowOfOne(ofAll)(found);
      const name = query.name_format === "plain" ? plainName(found.document) : row.name;
      const { data_plane_security_settings = {} } = found.document.settings;
      const users = await parts.members(found.tenant, found.id);
      return { ...row, name, origin: found.origin, data_plane_security_settings, users };
    },
  });
}

export interface WorkspacesParts {
  readonly store: WorkspaceStore;
  readonly budgets: BudgetsService | undefined;
  /** How many there may be; undefined is any number. */
  readonly most: number | undefined;
  readonly organisation: (id: string) => OrganisationDocument | Promise<OrganisationDocument>;
  /** Who belongs to a workspace, as it is shown. */
  readonly members: (organisation: string, workspace: string) => Promise<readonly object[]>;
  /** Refuses a user who is not of the organisation. */
  readonly user: (organisation: string, ref: string, param: string) => Promise<string>;
  readonly join: (organisation: string, workspace: string, user: string, role: "admin" | "member") => Promise<void>;
  /** Whether the role of the person behind a key may not change budgets. */
  readonly keepsBudgets: (call: ManagementCall) => Promise<boolean>;
  /** Whether somebody would decide, by some of the security settings, what they themselves may. */
  readonly decidesForItself: (call: ManagementCall, toggles: readonly string[]) => Promise<boolean>;
  /** Told once a workspace is there. */
  readonly made: (record: Managed<WorkspaceDocument>) => Promise<void>;
}

async function createWorkspace(
  call: CheckedCall<undefined, z.output<typeof creation>, unknown>,
  { store, budgets, most, organisation: read, user, join, made: tell }: WorkspacesParts,
) {
  const { organisation, principal, body: given } = call;
  const { icon = null } = given;
  const name = keptName(given.name, icon);
  await refuseTaken(store, organisation, name);
  const { settings } = await read(organisation);
  const users = await Promise.all(given.users.map((ref, at) => user(organisation, ref, `users[${at}]`)));
  await refuseBeyond(most, store, organisation, "workspaces");
  const id = randomUUID();
  const found = async () => (given.defaults ? sentDefaults(call, given.defaults, id) : null);
  const document = {
    workspace_id: id,
    name,
    taken_name: name,
    description: given.description ?? null,
    icon,
    is_default: false,
    defaults: await fittingDefaults(await found(), settings.workspace_metadata_schema),
    usage_limits: given.usage_limits ?? null,
    rate_limits: given.rate_limits ?? null,
    settings: {},
  };
  const made = await makeIfStill(
    () => store.create(organisation, { id, name }, document),
    found,
    (one) => store.remove(one),
  );
  for (const one of users) await join(organisation, id, one, "member");
  if (principal.user !== undefined) await join(organisation, id, principal.user, "admin");
  await tell(made);
  return rowOfOne(workspaceRows(budgets))(made);
}

async function changeWorkspace(
  call: CheckedCall<Managed<WorkspaceDocument>, z.output<typeof change>, unknown>,
  { store, organisation: read, keepsBudgets, decidesForItself, budgets: counted }: WorkspacesParts,
): Promise<object & Record<string, never>> {
  const { organisation, found, body: given } = call;
  const {
    name: sent,
    description,
    icon,
    defaults: wanted,
    usage_limits,
    rate_limits,
    reset_usage,
    ...settings
  } = given;
  refuseOtherIcon(icon, found.document.icon);
  const name = sent === undefined ? undefined : keptName(sent, icon === undefined ? found.document.icon : icon);
  if (name !== undefined && name !== found.document.name) await refuseTaken(store, organisation, name);
  const decisions = await read(organisation);
  const { data_plane_security_settings: stricter, ...toBeOpen } = settings;
  for (const [field, value] of Object.entries(toBeOpen))
    if (value !== undefined) refuseClosed(field, value, overridesOf(decisions));
  const budgets = usage_limits !== undefined || rate_limits !== undefined || reset_usage;
  if (budgets && (await keepsBudgets(call)))
    throw new GatewayError("forbidden", "A manager of this workspace may not change its budgets.");
  if (await decidesForItself(call, Object.keys(settings.security_settings ?? {})))
    throw new GatewayError("forbidden", "What managers of this workspace may is for its admins to decide.");
  const named = async () => wanted && sentDefaults(call, wanted, found.id);
  const changed = await named();
  const change = async (document: WorkspaceDocument) => ({
    ...document,
    ...sentOf({ name, taken_name: name, description, icon, usage_limits, rate_limits }),
    // Those of before, too: what metadata must look like may have been decided since (control-plane.md section 3.3).
    defaults: await fittingDefaults(
      changed === undefined ? document.defaults : changed && { ...document.defaults, ...changed },
      decisions.settings.workspace_metadata_schema,
    ),
    ...(reset_usage && { usage_reset_at: new Date().toISOString() }),
    settings: {
      ...document.settings,
      ...sentOf(settings),
      ...(settings.security_settings && {
        security_settings: { ...document.settings.security_settings, ...settings.security_settings },
      }),
      ...(stricter && {
        data_plane_security_settings: { ...document.settings.data_plane_security_settings, ...stricter },
      }),
    },
  });
  const updated = await changeIfStill(store, found, change, named);
  if (usage_limits || reset_usage) await counted?.edited(organisation, [limitsOf(updated)]);
  return {};
}

/** A workspace sets for itself what the organisation has opened. */
function refuseClosed(field: string, value: unknown, open: WorkspaceOverrides): void {
  const asked = field === "security_settings" ? Object.keys(value as object) : [field];
  for (const one of asked) {
    const category = field === "security_settings" ? categoryOf(one) : field;
    if (!open[category as keyof typeof open])
      throw new GatewayError(
        "record_invalid",
        `${one}: the organisation does not let workspaces set "${category}" for themselves.`,
        {
          param: field === one ? field : `security_settings.${one}`,
        },
      );
  }
}

const categoryOf = (toggle: string): string =>
  Object.entries(categories).find(([, toggles]) => (toggles as readonly string[]).includes(toggle))?.[0] ?? toggle;

function oneOfEachType(limits: readonly UsageLimits[], context: z.RefinementCtx): void {
  for (const [at, { type }] of limits.entries())
    if (limits.findIndex((limit) => limit.type === type) < at)
      context.addIssue({ code: "custom", path: [at, "type"], message: `a second budget of type ${type}` });
}
