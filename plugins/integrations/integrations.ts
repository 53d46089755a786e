import {
  changeIfStill,
  fields,
  GatewayError,
  givenSlug,
  listed,
  type Managed,
  type ManagementCall,
  makeIfStill,
  manageResource,
  maskedSecret,
  nothing,
  sentOf,
  timesOf,
  unlessDeleted,
  z,
} from "../../core/index.ts";
import { makeDefaultProvider, refuseTaken } from "./default-provider.ts";
import { type IntegrationDocument, isOpenTo } from "./documents.ts";
import { refuseOtherHost } from "./hosts.ts";
import { inConfigurations, judge } from "./judge.ts";
import { maskedConfigurations, mergedConfigurations } from "./masking.ts";
import type { Parts } from "./parts.ts";
import { keptMappings, type SentMapping } from "./secret-mappings.ts";
import { vendorOf } from "./vendors.ts";

export const configurations = z.looseObject({
  custom_host: z.string().nullish(),
  custom_headers: z.record(z.string(), z.string()).nullish(),
  forward_headers: z.array(z.string()).nullish(),
});

const changeable = {
  name: fields.name,
  key: z.string().min(1).max(16_384).nullish(),
  description: fields.description.optional(),
  configurations: configurations.optional(),
  secret_mappings: fields.secretMappings.optional(),
  pricing_adjustments: fields.pricingAdjustments.optional(),
  tags: fields.tags.optional(),
};

const createBody = z.object({
  ...changeable,
  slug: givenSlug.optional(),
  ai_provider_id: z.string().min(1),
  workspace_id: z.string().optional(),
  create_default_provider: z.boolean().default(true),
  default_provider_slug: givenSlug.optional(),
});

const row = z.looseObject({ id: z.string(), slug: z.string(), name: z.string(), object: z.literal("integration") });

/** The family of scopes an integration belongs to: its owner's. */
export const familyOf = ({ workspace_id }: Pick<IntegrationDocument, "workspace_id">): string =>
  workspace_id === null ? "organisation_integrations" : "workspace_integrations";

export const eitherFamily = (verb: string): string[] => [
  `organisation_integrations.${verb}`,
  `workspace_integrations.${verb}`,
];

/**
 * Credentials of a workspace see what it owns; of what the organisation owns they are told that it is shared with them,
 * and no more.
 */
export function allowed(
  { integrations }: Parts,
  call: ManagementCall,
  { id, document }: Managed<IntegrationDocument>,
  verb: "read" | "update" | "delete",
): void {
  if (call.own && document.workspace_id === null) {
    if (!isOpenTo(document, call.own.id)) throw integrations.unseen(call.path.slug ?? id);
    throw new GatewayError("forbidden", "This integration belongs to the organisation, whose API key it takes.");
  }
  call.require(`${familyOf(document)}.${verb}`);
}

/** Integrations (control-plane.md section 7): the credentials of vendors. */
export function manageIntegrations(parts: Parts): void {
  const { management, integrations } = parts;
  management.keeps("integrations", async (organisation, workspace, ref) => {
    const found = await integrations.usable(organisation, workspace, ref);
    if (!found || (workspace !== undefined && !isOpenTo(found.document, workspace))) return undefined;
    return { id: found.id, slug: found.document.slug ?? found.id, workspace: found.document.workspace_id };
  });
  manageResource(management, {
    tag: "integrations",
    what: "integration",
    path: "/integrations",
    parameter: "slug",
    audit: "integrations",
    store: integrations,
    allow: (call, record, verb) => allowed(parts, call, record, verb),
    create: {
      scopes: eitherFamily("create"),
      body: createBody,
      answer: z.object({ id: z.string(), slug: z.string() }),
      run: async (call) => created(parts, call, call.body),
    },
    list: {
      scopes: eitherFamily("list"),
      query: z.object({
        workspace_id: z.string().optional(),
        type: z.enum(["workspace", "organisation", "all"]).default("all"),
        tags: fields.tagsQuery.optional(),
      }),
      page: { size: 100, max: 1000 },
      async select(call) {
        const { type, tags = {} } = call.query;
        const workspace = (await call.workspace())?.id;
        return {
          workspace,
          filter: ({ document }) =>
            (workspace === undefined || isOpenTo(document, workspace)) &&
            (type === "all" || (type === "organisation") === (document.workspace_id === null)) &&
            carries(document.tags, tags),
        };
      },
      row: listRow,
      envelope: listed,
      answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(row) }),
    },
    read: { scopes: eitherFamily("read"), row: (record) => detail(parts, record), answer: row },
    update: {
      scopes: eitherFamily("update"),
      body: z.object(changeable).partial(),
      answer: nothing,
      async run(call) {
        const { found, body } = call;
        const named = async () => body.secret_mappings && ownMappings(call, body.secret_mappings, found.document);
        const mappings = await named();
        const { key, configurations: sent = {} } = body;
        const change = async (document: IntegrationDocument) => {
          const changed = await judged(parts, {
            ...document,
            ...sentOf(body),
            key: key === undefined ? document.key : key,
            configurations: mergedConfigurations(document.configurations, sent, inConfigurations),
            secret_mappings: mappings ?? document.secret_mappings,
          });
          refuseOtherHost(document, changed, { key, configurations: sent }, inConfigurations);
          return changed;
        };
        await changeIfStill(integrations, found, change, named);
        return {};
      },
    },
    remove: {
      scopes: eitherFamily("delete"),
      /** Its providers go with it (section 1.7). */
      after: ({ organisation }, { id }) => removeProviders(parts, organisation, id),
    },
  });
}

/** The providers of an integration that is no longer there. */
export async function removeProviders({ providers }: Parts, organisation: string, integration: string): Promise<void> {
  const { records } = await providers.select(organisation, { where: { integration_id: integration } });
  for (const record of records) await unlessDeleted(providers, record, () => providers.remove(record));
}

/** Whether a record carries every one of some pairs. */
export const carries = (
  tags: Readonly<Record<string, string>> | null,
  wanted: Readonly<Record<string, string>>,
): boolean => Object.entries(wanted).every(([name, value]) => tags?.[name] === value);

/** A document whose settings are fine, with the members of it that are secrets. */
const judged = async (parts: Parts, document: IntegrationDocument): Promise<IntegrationDocument> => ({
  ...document,
  secret_members: await judge(parts, document, { complete: true, named: inConfigurations }),
});

const ownMappings = (
  call: ManagementCall,
  sent: readonly SentMapping[],
  { workspace_id }: Pick<IntegrationDocument, "workspace_id">,
) => keptMappings(call, sent, workspace_id ?? undefined);

async function created(parts: Parts, call: ManagementCall, body: z.output<typeof createBody>) {
  const workspace = await call.workspace();
  call.require(`${familyOf({ workspace_id: workspace?.id ?? null })}.create`);
  const { name, slug, key, create_default_provider, default_provider_slug } = body;
  const bare: IntegrationDocument = {
    ...emptyIntegration(workspace?.id ?? null),
    name,
    description: body.description ?? null,
    ai_provider_id: vendorOf(body.ai_provider_id),
    key: key ?? null,
    configurations: mergedConfigurations({}, body.configurations ?? {}, inConfigurations),
    pricing_adjustments: body.pricing_adjustments ?? null,
    tags: body.tags ?? null,
  };
  const named = () => ownMappings(call, body.secret_mappings ?? [], bare);
  const document = await judged(parts, { ...bare, secret_mappings: await named() });
  const withProvider = workspace !== undefined && create_default_provider;
  if (withProvider)
    await refuseTaken(parts, call.organisation, { workspace: workspace.id, slug: default_provider_slug });
  const made = await makeIfStill(
    () => parts.integrations.create(call.organisation, { name, slug }, document),
    named,
    (one) => parts.integrations.remove(one),
  );
  if (withProvider) {
    try {
      await makeDefaultProvider(parts, made, workspace.id, default_provider_slug);
    } catch (error) {
      // Somebody took the slug in the meantime: an integration without its provider was not asked for.
      await parts.integrations.remove(made);
      throw error;
    }
  }
  return { id: made.id, slug: made.document.slug };
}

/** An integration that says nothing yet. */
export const emptyIntegration = (workspace: string | null): IntegrationDocument => ({
  workspace_id: workspace,
  deleted: false,
  name: "",
  description: null,
  ai_provider_id: "",
  key: null,
  configurations: {},
  secret_members: [],
  secret_mappings: [],
  pricing_adjustments: null,
  tags: null,
  allow_all_models: true,
  models: [],
  access: [],
  global_access: null,
});

function listRow(record: Managed<IntegrationDocument>) {
  const { id, tenant, document } = record;
  const { slug = id, name, description, ai_provider_id, workspace_id, tags } = document;
  return {
    id,
    slug,
    organisation_id: tenant,
    workspace_id,
    ai_provider_id,
    name,
    description,
    status: "active",
    tags,
    ...timesOf(record),
    object: "integration",
  };
}

async function detail({ organisations }: Parts, record: Managed<IntegrationDocument>) {
  const { document } = record;
  const open = new Set(document.access.flatMap(({ workspace, enabled }) => (enabled ? [workspace] : [])));
  const there = open.size > 0 ? await organisations.workspaces(record.tenant) : [];
  return {
    ...listRow(record),
    masked_key: document.key === null ? null : maskedSecret(document.key),
    configurations: maskedConfigurations(document.configurations, document.secret_members),
    global_workspace_access_settings: document.global_access,
    allow_all_models: document.allow_all_models,
    workspace_count: there.filter(({ id }) => open.has(id)).length,
    secret_mappings: document.secret_mappings,
    pricing_adjustments: document.pricing_adjustments,
  };
}
