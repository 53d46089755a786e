import {
  changeIfStill,
  fields,
  GatewayError,
  listed,
  type Managed,
  type ManagementCall,
  makeIfStill,
  nothing,
  pageFields,
  pageOf,
  requiredWorkspace,
  type ShownBudgets,
  shownBudgets,
  timesOf,
  unlessDeleted,
  z,
} from "../../core/index.ts";
import { makeProvider, providerOf } from "./default-provider.ts";
import type { IntegrationDocument, ProviderDocument } from "./documents.ts";
import { refuseOtherHost } from "./hosts.ts";
import { emptyIntegration, removeProviders } from "./integrations.ts";
import { judge } from "./judge.ts";
import { limitsOfProvider } from "./limited.ts";
import { maskedConfigurations, mergedConfigurations } from "./masking.ts";
import type { Parts } from "./parts.ts";
import { changedLimits, limitFields, refusePast, statusOf } from "./providers.ts";
import { keptMappings } from "./secret-mappings.ts";
import { vendorOf } from "./vendors.ts";
import {
  configurationsIn,
  integrationTarget,
  modelConfigOf,
  virtualKeyMembers,
  virtualKeyTarget,
} from "./virtual-key-fields.ts";

const changeable = {
  name: fields.name,
  key: z.string().min(1).max(16_384).nullish(),
  note: fields.description.optional(),
  ...virtualKeyMembers,
  ...limitFields,
  secret_mappings: fields.secretMappings.optional(),
};

const createBody = z.looseObject({ ...changeable, provider: z.string().min(1), workspace_id: fields.workspace });
const updateBody = z
  .looseObject(changeable)
  .partial()
  .extend({ reset_usage: fields.resetUsage.optional(), workspace_id: fields.workspace });

const page = { size: 50, max: 500 };
const shown = z.looseObject({ slug: z.string(), name: z.string(), object: z.literal("virtual-key") });
const common = { tag: "virtual-keys", path: "/virtual-keys/{slug}" } as const;
const audit = (action: "create" | "update" | "delete") => ({ resource: "virtual_keys" as const, action });

/** A provider with the integration it was made with. */
interface VirtualKey {
  readonly provider: Managed<ProviderDocument>;
  readonly integration: Managed<IntegrationDocument>;
}

/** Virtual keys (control-plane.md section 9): providers that carry their own credentials. */
export function manageVirtualKeys(parts: Parts): void {
  const { management, providers, integrations, budgets, now } = parts;
  const rows = async (keys: readonly VirtualKey[]) => {
    const limited = ({ provider }: VirtualKey) => limitsOfProvider(provider);
    const all = await shownBudgets(budgets, keys[0]?.provider.tenant ?? "", keys, limited);
    return all.map(([key, used]) => row(key, used, now()));
  };
  const find = async (call: ManagementCall): Promise<VirtualKey> => {
    const ref = call.path.slug ?? "";
    const provider = await providers.find(call, ref);
    const { virtual_key, integration_id } = provider.document;
    const integration = virtual_key ? await integrations.get(call.organisation, integration_id) : undefined;
    const { workspace_id: workspace } = provider.document;
    if (workspace !== null) call.concerns({ workspace });
    if (integration) return { provider, integration };
    throw new GatewayError("forbidden", `There is no virtual key "${ref}" that this credential may use.`);
  };
  management.operation({
    method: "GET",
    tag: "virtual-keys",
    path: "/virtual-keys",
    summary: "Lists the virtual keys of a workspace.",
    scopes: ["virtual_keys.list", "providers.list"],
    query: z.object({ ...pageFields(page), workspace_id: z.string().optional() }),
    answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(shown) }),
    async run(call) {
      const workspace = await requiredWorkspace(call, "virtual key");
      const { records, total } = await providers.list(call, {
        workspace: workspace.id,
        filter: ({ document }) => document.virtual_key,
        page: pageOf(call.query, page),
      });
      const found = await Promise.all(
        records.map(async (provider) => {
          const integration = await integrations.get(call.organisation, provider.document.integration_id);
          return integration ? [{ provider, integration }] : [];
        }),
      );
      return listed(await rows(found.flat()), total);
    },
  });
  management.operation({
    method: "POST",
    tag: "virtual-keys",
    path: "/virtual-keys",
    summary: "Makes a virtual key: an integration of the workspace, and a provider under the same slug.",
    scopes: ["virtual_keys.create"],
    body: createBody,
    answer: z.object({ success: z.literal(true), data: z.object({ slug: z.string() }) }),
    audit: audit("create"),
    run: async (call) => ({ success: true, data: { slug: await created(parts, call, call.body) } }),
  });
  management.operation({
    ...common,
    method: "GET",
    summary: "Reads a virtual key.",
    scopes: ["virtual_keys.read"],
    query: z.object({ workspace_id: z.string().optional() }),
    answer: shown,
    find,
    run: async ({ found }) => (await rows([found]))[0],
  });
  management.operation({
    ...common,
    method: "PUT",
    summary: "Changes the fields of a virtual key that are sent.",
    scopes: ["virtual_keys.update"],
    body: updateBody,
    answer: nothing,
    audit: audit("update"),
    find,
    async run(call) {
      await changed(parts, call, call.found, call.body);
      return {};
    },
  });
  management.operation({
    ...common,
    method: "DELETE",
    summary: "Deletes a virtual key, its integration with it.",
    scopes: ["virtual_keys.delete"],
    query: z.object({ workspace_id: z.string().optional() }),
    answer: nothing,
    audit: audit("delete"),
    find,
    async run({ organisation, found: { provider, integration } }) {
      const needed = await management.dependents("providers", organisation, {
        id: provider.id,
        slug: provider.document.slug,
        workspace: provider.document.workspace_id,
      });
      if (needed.length > 0)
        throw new GatewayError(
          "record_invalid",
          `This virtual key cannot be deleted while there is: ${needed.join(", ")}.`,
        );
      await providers.remove(provider);
      await unlessDeleted(integrations, integration, () => integrations.remove(integration));
      await removeProviders(parts, organisation, integration.id);
      return {};
    },
  });
}

async function created(parts: Parts, call: ManagementCall, body: z.output<typeof createBody>): Promise<string> {
  const { integrations, now } = parts;
  const workspace = await requiredWorkspace(call, "virtual key");
  refusePast(body.expires_at, now());
  const vendor = vendorOf(body.provider);
  const { name } = body;
  const named = () => keptMappings(call, body.secret_mappings ?? [], workspace.id, integrationTarget);
  const document = await judged(parts, {
    ...emptyIntegration(workspace.id),
    name,
    ai_provider_id: vendor,
    key: body.key ?? null,
    configurations: mergedConfigurations({}, ofVendor(vendor, configurationsIn(body)), ownName),
    secret_mappings: await named(),
  });
  for (let tries = 1; ; tries++) {
    const integration = await makeIfStill(
      () => integrations.create(call.organisation, { name }, document),
      named,
      (made) => integrations.remove(made),
    );
    const { slug = "" } = integration.document;
    const bare = { ...providerOf(integration, workspace.id), note: body.note ?? null, virtual_key: true };
    try {
      await makeProvider(parts, integration, { name, slug }, { ...bare, ...changedLimits(bare, body, false, now()) });
      return slug;
    } catch (error) {
      // A provider of the workspace has just this slug: another one is made.
      await integrations.remove(integration);
      if (tries === 5 || !(error instanceof GatewayError) || error.code !== "record_invalid") throw error;
    }
  }
}

/** One deployment is told as one; in a list it would need a model to be found by. */
function ofVendor(vendor: string, configurations: Record<string, unknown>): Record<string, unknown> {
  const { azure_deployment_name, ...others } = configurations;
  if (vendor !== "azure-openai" || azure_deployment_name === undefined) return configurations;
  return { ...others, azure_deployment_id: azure_deployment_name };
}

async function changed(
  { integrations, providers, now, ...others }: Parts,
  call: ManagementCall,
  { provider, integration }: VirtualKey,
  body: z.output<typeof updateBody>,
): Promise<void> {
  refusePast(body.expires_at, now());
  const parts = { integrations, providers, now, ...others };
  const workspace = provider.document.workspace_id ?? undefined;
  const named = async () =>
    body.secret_mappings && keptMappings(call, body.secret_mappings, workspace, integrationTarget);
  const mappings = await named();
  const sent = ofVendor(integration.document.ai_provider_id, configurationsIn(body));
  const { key } = body;
  const change = async (document: IntegrationDocument) => {
    const changed = await judged(parts, {
      ...document,
      name: body.name ?? document.name,
      key: key === undefined ? document.key : key,
      configurations: mergedConfigurations(document.configurations, sent, ownName),
      secret_mappings: mappings ?? document.secret_mappings,
    });
    refuseOtherHost(document, changed, { key, configurations: sent }, ownName);
    return changed;
  };
  await changeIfStill(integrations, integration, change, named);
  const updated = await providers.update(provider, (document) => ({
    ...document,
    name: body.name ?? document.name,
    note: body.note === undefined ? document.note : body.note,
    ...changedLimits(document, body, body.reset_usage ?? false, now()),
  }));
  if (body.usage_limits || body.reset_usage) await parts.budgets?.edited(updated.tenant, [limitsOfProvider(updated)]);
}

/** Told by the names a virtual key has for its members. */
const judged = async (parts: Parts, document: IntegrationDocument): Promise<IntegrationDocument> => ({
  ...document,
  secret_members: await judge(parts, document, {
    complete: false,
    named: ownName,
  }),
});

const ownName = (member: string): string =>
  member === "ai_provider_id" ? "provider" : virtualKeyTarget(member).replace(/^model_config\./, "");

function row({ provider, integration }: VirtualKey, used: ShownBudgets, now: number) {
  const { document } = provider;
  const { configurations, secret_members, secret_mappings, ai_provider_id } = integration.document;
  const { azure_deployment_id, ...others } = configurations;
  const shownConfigurations = {
    ...others,
    ...(azure_deployment_id !== undefined && { azure_deployment_name: azure_deployment_id }),
  };
  return {
    id: provider.id,
    slug: document.slug,
    name: document.name,
    provider: ai_provider_id,
    note: document.note,
    status: statusOf(document, used, now),
    usage_limits: used.usage[0] ?? null,
    reset_usage: 0,
    rate_limits: document.rate_limits,
    expires_at: document.expires_at,
    model_config: modelConfigOf(maskedConfigurations(shownConfigurations, secret_members)),
    secret_mappings: secret_mappings.map((one) => ({ ...one, target_field: virtualKeyTarget(one.target_field) })),
    created_at: timesOf(provider).created_at,
    object: "virtual-key",
  };
}
