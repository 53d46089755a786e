import {
  fields,
  GatewayError,
  givenSlug,
  listed,
  type Managed,
  type ManagementCall,
  manageResource,
  maskedSecret,
  type Rows,
  requiredWorkspace,
  rowOfOne,
  type ShownBudgets,
  sentOf,
  shownBudgets,
  timesOf,
  unlessDeleted,
  z,
} from "../../core/index.ts";
import { makeProvider, providerOf } from "./default-provider.ts";
import { isOpenTo, type Limits, type ProviderDocument } from "./documents.ts";
import { carries } from "./integrations.ts";
import { limitsOfProvider } from "./limited.ts";
import { maskedConfigurations } from "./masking.ts";
import type { Parts } from "./parts.ts";

/** Limits of a provider, and until when it may be used: one budget, and as many rates as there are kinds. */
export const limitFields = {
  usage_limits: fields
    .oneOrMany(fields.newUsageLimits)
    .refine((list) => list.length <= 1, "may hold one entry at most")
    .nullish(),
  rate_limits: fields.rateLimits.nullish(),
  expires_at: fields.instant.nullish(),
};

type SentLimits = z.output<z.ZodObject<typeof limitFields>>;

const changeable = {
  name: fields.name,
  note: fields.description.optional(),
  ...limitFields,
  tags: fields.tags.optional(),
};

const createBody = z.object({
  ...changeable,
  integration_id: z.string().min(1),
  workspace_id: z.string().optional(),
  slug: givenSlug.optional(),
});

const updateBody = z.object({
  ...changeable,
  workspace_id: z.string().optional(),
  reset_usage: fields.resetUsage.optional(),
});

const made = z.object({ id: z.string(), slug: z.string() });
const shown = z.looseObject({ id: z.string(), slug: z.string(), name: z.string(), object: z.literal("provider") });

const inWorkspace = z.object({ workspace_id: fields.workspace });

const either = (verb: string): string[] => [`providers.${verb}`, `virtual_keys.${verb}`];

/** Providers of workspaces (control-plane.md section 8): what they call integrations by. */
export function manageProviders(parts: Parts): void {
  const { management, providers, integrations } = parts;
  const ofAll = rows(parts);
  manageResource(management, {
    tag: "providers",
    what: "provider",
    path: "/providers",
    parameter: "slug",
    audit: "providers",
    kind: "providers",
    store: providers,
    create: {
      scopes: either("create"),
      body: createBody,
      answer: made,
      run: async (call) => created(parts, call, call.body),
    },
    list: {
      scopes: either("list"),
      query: inWorkspace.extend({ tags: fields.tagsQuery.optional() }),
      page: { size: 50, max: 500 },
      async select(call) {
        const workspace = await requiredWorkspace(call, "provider");
        const { tags = {} } = call.query;
        return { workspace: workspace.id, filter: ({ document }) => carries(document.tags, tags) };
      },
      row: { ofAll },
      envelope: listed,
      answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(shown) }),
    },
    update: {
      scopes: either("update"),
      query: inWorkspace,
      body: updateBody.partial(),
      answer: made,
      async run({ found, body }) {
        const { usage_limits, rate_limits, expires_at, reset_usage, workspace_id: _, ...others } = body;
        refusePast(expires_at, parts.now());
        const record = await providers.update(found, (document) => ({
          ...document,
          ...sentOf(others),
          ...changedLimits(document, { usage_limits, rate_limits, expires_at }, reset_usage ?? false, parts.now()),
        }));
        if (usage_limits || reset_usage) await parts.budgets?.edited(record.tenant, [limitsOfProvider(record)]);
        return { id: record.id, slug: record.document.slug };
      },
    },
    remove: {
      scopes: either("delete"),
      query: inWorkspace,
      /** A virtual key and its credentials are one thing. */
      async after({ organisation }, { document: { virtual_key, integration_id } }) {
        const integration = virtual_key ? await integrations.get(organisation, integration_id) : undefined;
        if (!integration) return;
        const { total } = await providers.select(organisation, { where: { integration_id } });
        if (total === 0) await unlessDeleted(integrations, integration, () => integrations.remove(integration));
      },
    },
  });
  management.operation({
    method: "GET",
    path: "/providers/{slug}",
    tag: "providers",
    summary: "Reads a provider.",
    scopes: either("read"),
    query: inWorkspace.extend({ include_configurations: z.enum(["true", "false"]).default("false") }),
    answer: shown,
    find: (call) => providers.find(call, call.path.slug ?? ""),
    async run({ found, query, own, organisation }) {
      const row = { ...(await rowOfOne(ofAll)(found)), origin: found.origin };
      if (query.include_configurations === "false") return row;
      if (own)
        throw new GatewayError("forbidden", "Configurations are shown to an API key of the organisation only.", {
          param: "include_configurations",
        });
      const integration = await integrations.get(organisation, found.document.integration_id);
      if (!integration) return row;
      const { key, configurations, secret_members } = integration.document;
      return {
        ...row,
        masked_key: key === null ? null : maskedSecret(key),
        configurations: maskedConfigurations(configurations, secret_members),
      };
    },
  });
}

async function created(parts: Parts, call: ManagementCall, body: z.output<typeof createBody>) {
  const { integrations, now } = parts;
  const workspace = await requiredWorkspace(call, "provider");
  refusePast(body.expires_at, now());
  const integration = await integrations.usable(call.organisation, workspace.id, body.integration_id);
  if (!integration || !isOpenTo(integration.document, workspace.id))
    throw new GatewayError(
      "reference_unknown",
      `integration_id: there is no integration "${body.integration_id}" that this workspace may use.`,
      { param: "integration_id" },
    );
  const { name, slug, note, tags, usage_limits, rate_limits, expires_at } = body;
  const bare = { ...providerOf(integration, workspace.id), name, note: note ?? null, tags: tags ?? null };
  const record = await makeProvider(
    parts,
    integration,
    { name, slug },
    { ...bare, ...changedLimits(bare, { usage_limits, rate_limits, expires_at }, false, now()) },
  );
  return { id: record.id, slug: record.document.slug };
}

export function refusePast(expiresAt: string | null | undefined, now: number): void {
  if (typeof expiresAt === "string" && Date.parse(expiresAt) <= now)
    throw new GatewayError("record_invalid", "expires_at: must be in the future.", { param: "expires_at" });
}

type Counted = Pick<ProviderDocument, "status" | "last_reset_at" | "expires_at"> & Limits;

/** What was not sent stays. A reset, or a higher budget, lets a provider that has used up its own go on (section 8). */
export function changedLimits(kept: Counted, sent: SentLimits, reset: boolean, now: number): Counted {
  const usage_limits = sent.usage_limits === undefined ? kept.usage_limits : (sent.usage_limits?.[0] ?? null);
  const higher = budgetOf(usage_limits) > budgetOf(kept.usage_limits);
  return {
    usage_limits,
    rate_limits: sent.rate_limits === undefined ? kept.rate_limits : sent.rate_limits,
    expires_at: sent.expires_at === undefined ? kept.expires_at : sent.expires_at,
    status: reset || higher ? "active" : kept.status,
    last_reset_at: reset ? new Date(now).toISOString() : kept.last_reset_at,
  };
}

const budgetOf = (limits: Limits["usage_limits"]): number => limits?.credit_limit ?? Number.POSITIVE_INFINITY;

export function statusOf({ status, expires_at }: ProviderDocument, { isExhausted }: ShownBudgets, now: number) {
  if (expires_at !== null && Date.parse(expires_at) <= now) return "expired";
  return isExhausted ? "exhausted" : status;
}

const rows =
  ({ budgets, now }: Parts): Rows<ProviderDocument> =>
  async (records) =>
    (await shownBudgets(budgets, records[0]?.tenant ?? "", records, limitsOfProvider)).map(([record, used]) =>
      providerRow(record, used, now()),
    );

function providerRow(record: Managed<ProviderDocument>, used: ShownBudgets, now: number) {
  const { id, document, origin } = record;
  const { integration_slug, ai_provider_id, rate_limits } = document;
  return {
    id,
    slug: document.slug,
    name: document.name,
    integration_id: integration_slug,
    ai_provider_id,
    note: document.note,
    status: statusOf(document, used, now),
    usage_limits: used.usage[0] ?? null,
    reset_usage: 0,
    rate_limits,
    expires_at: document.expires_at,
    last_reset_at: used.lastResetAt,
    tags: document.tags,
    created_at: origin === "store" ? timesOf(record).created_at : null,
    object: "provider",
  };
}
