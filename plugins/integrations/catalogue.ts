import {
  type Endpoint,
  type Exchange,
  GatewayError,
  type Managed,
  modelList,
  modelListUrl,
  type RoutingService,
  type Served,
  saysTrue,
  shownBudgets,
  storeDown,
  z,
} from "../../core/index.ts";
import { type IntegrationDocument, isOpenTo, type ModelRow } from "./documents.ts";
import { limitsOfProvider } from "./limited.ts";
import type { Parts } from "./parts.ts";
import { statusOf } from "./providers.ts";

/** A model of the catalogue (inference-api.md section 17). */
interface Listed {
  /** Can be sent as `model`. */
  readonly id: string;
  readonly slug: string;
  readonly canonical_slug: string;
  readonly created: number;
  readonly owned_by: string;
  /** The slug of the provider; the ids are sorted by it. */
  readonly provider: string;
}

export interface CatalogueInput extends Pick<Parts, "budgets" | "integrations" | "providers" | "now"> {
  readonly routing: RoutingService | undefined;
}

const count = z.coerce.number().int().min(0);

const query = z.object({
  ai_service: z.string().optional(),
  provider: z.string().optional(),
  limit: count.optional(),
  offset: count.default(0),
  sort: z.enum(["name", "provider", "ai_service"]).default("name"),
  order: z.enum(["asc", "desc"]).default("asc"),
});

/** One of these suffices. */
const scopes = ["completions.write", "virtual_keys.list", "models.list"];

/**
 * `GET /v1/models`: the models a workspace can name, where the request chooses no provider or asks for them; what a vendor
 * lists, where it does.
 */
export const catalogueEndpoint = (input: CatalogueInput): Endpoint => ({
  type: "listModels",
  method: "GET",
  path: "/v1/models",
  // Whoever else has this path is called where this one is not loaded.
  url: /\/models\/?(?:\?|$)/,
  anyScope: scopes,
  rawBody: true,
  firstTarget: true,
  corrects: modelList,
  rawUrl: modelListUrl,
  description: {
    tag: "models",
    summary: "Lists the models of the workspace's providers, or those of the vendor that is named.",
    anyScope: scopes,
    query,
    // A vendor's own list has members of its own.
    answer: z.looseObject({
      object: z.literal("list"),
      total: z.int().optional(),
      data: z.array(z.looseObject({ id: z.string() })),
    }),
  },
  serve: (exchange) => serve(input, exchange),
});

async function serve(input: CatalogueInput, exchange: Exchange): Promise<Served | undefined> {
  const wanted = await wantedOf(exchange, input.routing);
  requireOne(exchange, wanted ? scopes : ["completions.write"]);
  if (!wanted) return undefined;
  const asked = query.safeParse(Object.fromEntries(new URL(exchange.url, "http://gateway").searchParams));
  if (!asked.success) {
    const [issue] = asked.error.issues;
    const param = String(issue?.path[0] ?? "query");
    throw new GatewayError("invalid_request", `${param}: ${issue?.message}`, { param });
  }
  const { ai_service, provider, sort, order, offset, limit } = asked.data;
  const models = (await modelsOf(input, exchange))
    .filter((one) => wanted === "all" || wanted.has(one.provider))
    .filter((one) => ai_service === undefined || one.owned_by === ai_service)
    .filter((one) => provider === undefined || one.provider === provider.replace(/^@/, ""))
    .sort(by(sort, order === "asc" ? 1 : -1));
  const data = models.slice(offset, limit === undefined ? undefined : offset + limit);
  return {
    status: 200,
    body: {
      object: "list",
      total: models.length,
      total_count: models.length,
      data: data.map(({ provider: _, ...model }) => ({ ...model, object: "model" })),
    },
  };
}

function requireOne({ principal }: Exchange, these: readonly string[]): void {
  if (!principal?.scopes || these.some((scope) => principal.scopes?.includes(scope))) return;
  throw new GatewayError("forbidden", `This credential may not list models: it lacks the scope ${these.join(" or ")}.`);
}

/** The slugs a request limits the catalogue to; undefined where it wants a vendor's own list. */
async function wantedOf(
  exchange: Exchange,
  routing: RoutingService | undefined,
): Promise<ReadonlySet<string> | "all" | undefined> {
  const { gatewayHeaders, principal } = exchange;
  const config = await routing?.named(exchange);
  const named = gatewayHeaders.get("virtual-key") ?? gatewayHeaders.get("provider") ?? gatewayHeaders.get("mode");
  const asksForIt =
    saysTrue(exchange, "fetch-integrated-models") ||
    gatewayHeaders.get("models-endpoint") !== undefined ||
    config?.fields.fetch_integrated_models === true;
  if (named === undefined && !config?.chosen)
    return asksForIt || principal?.workspace !== undefined ? "all" : undefined;
  if (!asksForIt) return undefined;
  if (config?.chosen) return config.open ? "all" : new Set(config.slugs);
  return new Set([(named ?? "").replace(/^@/, "").replace(/\/.*$/s, "")]);
}

async function modelsOf(input: CatalogueInput, { principal }: Exchange): Promise<Listed[]> {
  const { budgets, integrations, providers, now } = input;
  const { organisation, workspace } = principal ?? {};
  if (organisation === undefined || workspace === undefined) return [];
  const all = await integrations
    .select(organisation, { workspace, filter: ({ document }) => isOpenTo(document, workspace) })
    .catch(storeDown);
  const byId = new Map(all.records.map((one) => [one.id, one]));
  const { records } = await providers.select(organisation, { workspace }).catch(storeDown);
  const used = await shownBudgets(budgets, organisation, records, limitsOfProvider).catch(storeDown);
  return used
    .filter(([{ document }, budget]) => statusOf(document, budget, now()) === "active")
    .flatMap(([{ document }]) => {
      const { slug, integration_id } = document;
      const integration = byId.get(integration_id);
      return integration
        ? integration.document.models.filter(({ enabled }) => enabled).map(listedOf(slug, integration))
        : [];
    });
}

const listedOf =
  (provider: string, { createdAt, document }: Managed<IntegrationDocument>) =>
  ({ slug, base_model_slug }: ModelRow): Listed => ({
    id: `@${provider}/${slug}`,
    slug,
    canonical_slug: base_model_slug ?? slug,
    created: Math.floor(createdAt / 1000),
    owned_by: document.ai_provider_id,
    provider,
  });

const by =
  (field: "name" | "provider" | "ai_service", sign: 1 | -1) =>
  (left: Listed, right: Listed): number => {
    const key = { name: "slug", provider: "provider", ai_service: "owned_by" }[field] as "slug";
    return sign * (left[key].localeCompare(right[key], "en") || left.id.localeCompare(right.id, "en"));
  };
