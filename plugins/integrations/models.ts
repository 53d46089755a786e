import {
  fields,
  GatewayError,
  type Managed,
  type ManagementCall,
  nothing,
  type ProviderRegistry,
  z,
} from "../../core/index.ts";
import type { IntegrationDocument, ModelRow } from "./documents.ts";
import { allowed, eitherFamily } from "./integrations.ts";
import { maskedConfigurations, mergedConfigurations } from "./masking.ts";
import type { Parts } from "./parts.ts";

const price = z.looseObject({ price: z.number().min(0) });

/** Prices are cents per token. */
const pricing = z.looseObject({
  type: z.literal("static"),
  pay_as_you_go: z.looseObject({ request_token: price.optional(), response_token: price.optional() }),
});

const slug = z.string().min(1).max(512);

const model = z.object({
  slug,
  name: fields.name.optional(),
  enabled: z.boolean(),
  is_custom: z.boolean().nullish(),
  is_finetune: z.boolean().nullish(),
  base_model_slug: slug.nullish(),
  configurations: z
    .object({ custom_host: z.string().optional(), custom_headers: z.record(z.string(), z.string()).optional() })
    .refine((given) => given.custom_host !== undefined || given.custom_headers !== undefined, "must not be empty")
    .nullish(),
  pricing_config: pricing.nullish(),
});

type SentModel = z.output<typeof model>;

const shownModel = z.looseObject({ slug: z.string(), name: z.string(), enabled: z.boolean() });

/** Models of an integration (control-plane.md section 7.5): which may be called, and what each has of its own. */
export function manageModels(parts: Parts): void {
  for (const path of ["/integrations/{slug}/models", "/integrations/{slug}/integration-models"]) manageAt(path, parts);
}

function manageAt(path: string, parts: Parts): void {
  const { management, integrations, registry } = parts;
  const found = (verb: "read" | "update") => async (call: ManagementCall) => {
    const record = await integrations.find(call, call.path.slug ?? "");
    allowed(parts, call, record, verb);
    return record;
  };
  const audit = { resource: "integrations", action: "update" } as const;
  management.operation({
    method: "GET",
    path,
    tag: "integrations",
    summary: "Lists the models an integration was told about.",
    scopes: eitherFamily("read"),
    answer: z.object({ total: z.int(), models: z.array(shownModel), allow_all_models: z.boolean() }),
    find: found("read"),
    run: ({ found: { document } }) => ({
      total: document.models.length,
      models: document.models.map(shown),
      allow_all_models: document.allow_all_models,
    }),
  });
  management.operation({
    method: "PUT",
    path,
    tag: "integrations",
    summary: "Tells an integration about models; those that are not named stay as they are.",
    scopes: eitherFamily("update"),
    body: z.object({ models: z.array(model).max(10_000), allow_all_models: z.boolean().optional() }),
    answer: nothing,
    audit,
    find: found("update"),
    async run({ found: record, body: { models, allow_all_models } }) {
      await integrations.update(record, (document) => ({
        ...document,
        models: changed(document.models, models, registry),
        allow_all_models: allow_all_models ?? document.allow_all_models,
      }));
      return {};
    },
  });
  management.operation({
    method: "DELETE",
    path,
    tag: "integrations",
    summary: "Takes custom models away.",
    scopes: eitherFamily("update"),
    query: z.object({ slugs: fields.commaList }),
    answer: nothing,
    audit,
    find: found("update"),
    async run({ found: record, query: { slugs } }) {
      await removed(parts, record, slugs);
      return {};
    },
  });
}

async function removed(
  { integrations }: Parts,
  record: Managed<IntegrationDocument>,
  slugs: readonly string[],
): Promise<void> {
  await integrations.update(record, (document) => {
    const other = slugs.find((slug) => document.models.find((row) => row.slug === slug)?.is_custom !== true);
    if (other !== undefined) throw wrong("slugs", `"${other}" is no custom model of this integration`);
    return { ...document, models: document.models.filter((row) => !slugs.includes(row.slug)) };
  });
}

/** The rows that are there, with those that were sent laid over them by slug. */
function changed(rows: readonly ModelRow[], sent: readonly SentModel[], registry: ProviderRegistry): ModelRow[] {
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  for (const [at, given] of sent.entries()) {
    const place = `models[${at}]`;
    const row = laidOver(bySlug.get(given.slug), given, (member) => `${place}.configurations.${member}`);
    if (row.is_custom && row.base_model_slug === null)
      throw wrong(`${place}.base_model_slug`, "says in which model's formats a custom model is called; it is missing");
    refuseConfigurations(row, `${place}.configurations`, registry);
    bySlug.set(given.slug, row);
  }
  return [...bySlug.values()];
}

function laidOver(known: ModelRow | undefined, given: SentModel, named: (member: string) => string): ModelRow {
  const kept = <Field extends keyof ModelRow>(field: Field, value: ModelRow[Field] | undefined): ModelRow[Field] =>
    value !== undefined ? value : ((known?.[field] ?? null) as ModelRow[Field]);
  const { configurations } = given;
  return {
    slug: given.slug,
    name: given.name ?? known?.name ?? given.slug,
    enabled: given.enabled,
    is_custom: kept("is_custom", given.is_custom),
    is_finetune: kept("is_finetune", given.is_finetune),
    base_model_slug: kept("base_model_slug", given.base_model_slug),
    // Sent whole, except for masks that were read and sent back.
    configurations: configurations
      ? withoutOthers(mergedConfigurations({ ...known?.configurations }, { ...configurations }, named), configurations)
      : kept("configurations", configurations),
    pricing_config: kept("pricing_config", given.pricing_config),
  };
}

const withoutOthers = (merged: Record<string, unknown>, sent: object): ModelRow["configurations"] =>
  Object.fromEntries(Object.entries(merged).filter(([name]) => name in sent));

function refuseConfigurations(
  { configurations }: Pick<ModelRow, "configurations">,
  place: string,
  registry: ProviderRegistry,
): void {
  const { custom_host, custom_headers = {} } = configurations ?? {};
  if (custom_host !== undefined && !registry.acceptsHost(custom_host, true))
    throw wrong(`${place}.custom_host`, "is not an address that may be called");
  const refused = Object.entries(custom_headers).find(([name, value]) => !isHeader(name, value, registry));
  if (refused) throw wrong(`${place}.custom_headers`, `"${refused[0]}" is no header that may be set for a vendor`);
}

const isHeader = (name: string, value: string, registry: ProviderRegistry): boolean =>
  /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name) &&
  /^[\t\x20-\x7e\x80-\xff]*$/.test(value) &&
  registry.mayForward(name.toLowerCase());

const wrong = (param: string, message: string) =>
  new GatewayError("record_invalid", `${param}: ${message}.`, { param });

const shown = (row: ModelRow) => ({
  ...row,
  configurations: row.configurations && maskedConfigurations({ ...row.configurations }, []),
});
