import {
  fields,
  GatewayError,
  givenSlug,
  type Managed,
  type ManagementCall,
  nothing,
  type ShownBudgets,
  shownBudgets,
  unlessDeleted,
  type Workspace,
  type WorkspaceRef,
  z,
} from "../../core/index.ts";
import { makeDefaultProvider, refuseTaken } from "./default-provider.ts";
import type { AccessRow, IntegrationDocument, Limits } from "./documents.ts";
import { allowed } from "./integrations.ts";
import { limitsOfShare } from "./limited.ts";
import type { Parts } from "./parts.ts";

/** At most one of each: as one, or as a list of one. */
const limits = {
  usage_limits: fields
    .oneOrMany(fields.newUsageLimits)
    .refine((list) => list.length <= 1, "may hold one entry at most")
    .nullish(),
  rate_limits: fields.rateLimits.refine((list) => list.length <= 1, "may hold one entry at most").nullish(),
};

const grant = z.object({
  id: z.string().min(1),
  enabled: z.boolean(),
  ...limits,
  reset_usage: fields.resetUsage.default(false),
  create_default_provider: z.boolean().optional(),
  default_provider_slug: givenSlug.optional(),
});

const body = z.object({
  workspaces: z.array(grant),
  global_workspace_access: z.object({ enabled: z.boolean(), ...limits }).nullish(),
  override_existing_workspace_access: z.boolean().default(false),
  create_default_provider: z.boolean().default(true),
  default_provider_slug: givenSlug.optional(),
});

type Grant = z.output<typeof grant>;
type Body = z.output<typeof body>;
type SentLimits = z.output<z.ZodObject<typeof limits>>;

const shownRow = z.looseObject({ id: z.string(), enabled: z.boolean() });
const path = "/integrations/{slug}/workspaces";

/** Which workspaces an integration of the organisation is open to (control-plane.md section 7.6). */
export function manageAccess(parts: Parts): void {
  const { management, integrations, organisations, budgets } = parts;
  const found = (verb: "read" | "update") => async (call: ManagementCall) => {
    const record = await integrations.find(call, call.path.slug ?? "");
    allowed(parts, call, record, verb);
    if (record.document.workspace_id === null) return record;
    throw new GatewayError("record_invalid", "This integration belongs to one workspace, and is open to no other.");
  };
  management.operation({
    method: "GET",
    path,
    tag: "integrations",
    summary: "Lists the workspaces an integration of the organisation was opened or closed to.",
    scopes: ["organisation_integrations.read"],
    answer: z.object({ total: z.int(), workspaces: z.array(shownRow), global_workspace_access: z.unknown() }),
    find: found("read"),
    async run({ organisation, found: integration }) {
      const { access, global_access } = integration.document;
      const used = await shownBudgets(budgets, organisation, access, (row) => limitsOfShare(integration, row));
      const rows = await Promise.all(
        used.map(async ([row, budget]) => {
          const workspace = await organisations.workspace(organisation, row.workspace);
          return workspace ? [shown(row, workspace, budget)] : [];
        }),
      );
      const workspaces = rows.flat();
      return {
        total: workspaces.length,
        workspaces,
        global_workspace_access: global_access && { enabled: global_access.enabled, ...shownLimits(global_access) },
      };
    },
  });
  management.operation({
    method: "PUT",
    path,
    tag: "integrations",
    summary: "Opens an integration of the organisation to workspaces, or closes it.",
    scopes: ["organisation_integrations.update"],
    body,
    answer: nothing,
    audit: { resource: "integrations", action: "update" },
    find: found("update"),
    async run(call) {
      await change(parts, call, call.found, call.body);
      return {};
    },
  });
  organisations.made((workspace) => welcome(parts, workspace));
}

interface Named {
  readonly workspace: WorkspaceRef;
  readonly grant: Grant;
}

async function change(
  parts: Parts,
  call: ManagementCall,
  record: Managed<IntegrationDocument>,
  sent: Body,
): Promise<void> {
  const { integrations, organisations, now } = parts;
  const { organisation } = call;
  const named: Named[] = [];
  for (const [at, one] of sent.workspaces.entries())
    named.push({ workspace: await call.workspaceOf(one.id, `workspaces[${at}].id`), grant: one });
  const isNamed = ({ id }: WorkspaceRef) => named.some(({ workspace }) => workspace.id === id);
  const others = sent.override_existing_workspace_access
    ? (await organisations.workspaces(organisation)).filter((one) => !isNamed(one))
    : [];
  const toAll = globalOf(sent, record.document)?.enabled ? others : [];
  const wanted = await providersToMake(parts, record, sent, { named, toAll });
  for (const one of wanted) await refuseTaken(parts, organisation, one, record.id);
  const moment = new Date(now()).toISOString();
  const updated = await integrations.update(record, (document) => {
    const global = globalOf(sent, document);
    return { ...document, access: accessOf(document, { named, others, global, moment }), global_access: global };
  });
  const edited = updated.document.access.filter(({ usage_limits }) => usage_limits);
  await parts.budgets?.edited(
    organisation,
    edited.map((row) => limitsOfShare(updated, row)),
  );
  for (const { workspace, slug } of wanted) await makeDefaultProvider(parts, updated, workspace, slug);
}

/** The workspaces that get a default provider, with its slug; none that has one of this integration already. */
async function providersToMake(
  { providers }: Parts,
  { id, tenant }: Managed<IntegrationDocument>,
  sent: Body,
  { named, toAll }: { readonly named: readonly Named[]; readonly toAll: readonly WorkspaceRef[] },
): Promise<{ workspace: string; slug: string | undefined }[]> {
  const { records } = await providers.select(tenant, { where: { integration_id: id } });
  const { create_default_provider: usually, default_provider_slug: usual } = sent;
  const opened = named
    .filter(({ grant: { enabled, create_default_provider } }) => enabled && (create_default_provider ?? usually))
    .map(({ workspace, grant: one }) => ({ workspace: workspace.id, slug: one.default_provider_slug ?? usual }));
  const byAll = usually ? toAll.map((one) => ({ workspace: one.id, slug: usual })) : [];
  return [...opened, ...byAll].filter(
    ({ workspace }) => !records.some(({ document }) => document.workspace_id === workspace),
  );
}

interface Change {
  readonly named: readonly Named[];
  /** Workspaces that were not named, and take what all get. */
  readonly others: readonly WorkspaceRef[];
  readonly global: IntegrationDocument["global_access"];
  readonly moment: string;
}

/** The rows that are there, with those that were sent, and what becomes of the workspaces that were not named. */
function accessOf({ access }: IntegrationDocument, { named, others, global, moment }: Change): AccessRow[] {
  const rows = new Map(access.map((row) => [row.workspace, row]));
  for (const { workspace, grant: one } of named) {
    const known = rows.get(workspace.id);
    rows.set(workspace.id, {
      workspace: workspace.id,
      enabled: one.enabled,
      ...limitsOf(one, known),
      last_reset_at: one.reset_usage ? moment : (known?.last_reset_at ?? null),
    });
  }
  for (const { id } of others) {
    const known = rows.get(id);
    if (global?.enabled) rows.set(id, { workspace: id, ...global, last_reset_at: known?.last_reset_at ?? null });
    else if (known) rows.set(id, { ...known, enabled: false });
  }
  return [...rows.values()];
}

/** What was not sent stays; null takes it away. */
const limitsOf = ({ usage_limits, rate_limits }: SentLimits, known?: Limits): Limits => ({
  usage_limits: usage_limits === undefined ? (known?.usage_limits ?? null) : (usage_limits?.[0] ?? null),
  rate_limits: rate_limits === undefined ? (known?.rate_limits ?? null) : rate_limits,
});

const globalOf = (
  { global_workspace_access: sent }: Body,
  { global_access }: IntegrationDocument,
): IntegrationDocument["global_access"] => {
  if (sent === undefined) return global_access;
  return sent && { enabled: sent.enabled, ...limitsOf(sent, global_access ?? undefined) };
};

const shownLimits = ({ usage_limits, rate_limits }: Limits) => ({
  usage_limits: usage_limits && [usage_limits],
  rate_limits,
});

const shown = ({ enabled, usage_limits, rate_limits }: AccessRow, { slug }: WorkspaceRef, { usage }: ShownBudgets) => ({
  id: slug,
  enabled,
  usage_limits: usage_limits && usage,
  rate_limits,
});

/** A workspace that was just made gets what is open to all (section 7.8). */
async function welcome(parts: Parts, { organisation, id, slug }: Workspace): Promise<void> {
  const { integrations, now } = parts;
  const moment = new Date(now()).toISOString();
  const { records } = await integrations.select(organisation, {
    filter: ({ document }) => document.workspace_id === null && document.global_access?.enabled === true,
  });
  const open = async (record: Managed<IntegrationDocument>) => {
    const opened = await integrations.update(record, (document) => ({
      ...document,
      access: accessOf(document, { named: [], others: [{ id, slug }], global: document.global_access, moment }),
    }));
    await makeDefaultProvider(parts, opened, id, undefined);
  };
  for (const record of records) await unlessDeleted(integrations, record, () => open(record));
}
