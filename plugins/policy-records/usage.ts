import {
  alertsStanding,
  type CheckedCall,
  GatewayError,
  type Managed,
  type ManagementService,
  nothing,
  type PolicyCounters,
  type PolicyEntity,
  pageFields,
  pageOf,
  type ResourceStore,
  z,
} from "../../core/index.ts";
import { resolvedConditions } from "./conditions.ts";
import { usagePolicy } from "./in-force.ts";
import { activeOne, managePolicies, refuseMistakes, refuseOther } from "./manage.ts";
import { datesAt } from "./periods.ts";
import type { UsageDocument } from "./policy-store.ts";
import { besides, nextResetOf, type UsageChange, usageFields, usageMistakes, usageUpdate } from "./usage-fields.ts";

export interface UsageParts {
  readonly management: ManagementService;
  readonly store: ResourceStore<UsageDocument>;
  /** Who counts; undefined where nobody does. */
  readonly counters: () => PolicyCounters | undefined;
  readonly now: () => number;
}

const parameter = "policyUsageLimitsId";
const flag = z.enum(["true", "false"]).transform((text) => text === "true");

/** Budgets by conditions (control-plane.md sections 13.2 and 13.3). */
export function manageUsagePolicies(parts: UsageParts): void {
  const { management, store, counters, now } = parts;
  managePolicies(management, {
    path: "usage-limits",
    parameter,
    object: "policy_usage_limits",
    what: "usage limits policy",
    store,
    create: {
      body: z.object({ ...usageFields, ...besides }),
      async make({ workspace_id: _named, ...given }, workspace, call) {
        refuseMistakes(usageMistakes(given));
        refusePast(given.next_usage_reset_at, now());
        return {
          ...given,
          workspace_id: workspace,
          conditions: await resolvedConditions(given.conditions, workspace, call),
          next_usage_reset_at: nextResetOf(given, given.next_usage_reset_at, now()),
          last_reset_at: null,
          status: "active",
        };
      },
    },
    update: { body: z.object(usageUpdate), run: (call) => changeUsage(call, parts) },
    filters: { type: usageFields.type.optional() },
    extra: {
      query: { include_usage: flag.default(false) },
      async show(policy, query) {
        if (!(query as { include_usage: boolean }).include_usage) return {};
        const entities = await entitiesOf(policy, counters());
        return { value_key_usage_map: Object.fromEntries(entities.map((one) => [one.valueKey, usageOf(one)])) };
      },
    },
    fields: [
      "type",
      "credit_limit",
      "alert_threshold",
      "periodic_reset",
      "periodic_reset_days",
      "next_usage_reset_at",
      "last_reset_at",
      "enforcement",
    ],
    ofNow: ({ next_usage_reset_at: next, last_reset_at: last, ...period }) => datesAt(now(), period, { next, last }),
  });
  manageEntities(parts);
}

/** What was counted under a policy, judged by what it allows now. */
async function entitiesOf(
  { id, tenant, document }: Managed<UsageDocument>,
  counters: PolicyCounters | undefined,
): Promise<PolicyEntity[]> {
  const { credit_limit, alert_threshold } = document;
  const entities = (await counters?.entities(tenant, id)) ?? [];
  return entities.map((one) => ({
    ...one,
    status: one.currentUsage >= credit_limit ? "exhausted" : "active",
    ...alertsStanding({
      used: one.currentUsage,
      limit: credit_limit,
      alert: alert_threshold,
      thresholdSent: one.thresholdAlertSent,
      exhaustedSent: one.exhaustedAlertSent,
    }),
  }));
}

const usageOf = ({ currentUsage, status, thresholdAlertSent, exhaustedAlertSent }: PolicyEntity) => ({
  current_usage: currentUsage,
  status,
  is_threshold_alerts_sent: thresholdAlertSent,
  is_exhausted_alerts_sent: exhaustedAlertSent,
});

function refusePast(date: string | null | undefined, now: number): void {
  if (date != null && Date.parse(date) <= now)
    throw new GatewayError("record_invalid", "next_usage_reset_at must lie ahead.", { param: "next_usage_reset_at" });
}

async function changeUsage(
  call: CheckedCall<Managed<UsageDocument>, UsageChange, object>,
  { store, counters, now }: UsageParts,
): Promise<void> {
  const { found, body } = call;
  const { type, group_by, reset_usage_for_value, conditions, ...given } = body;
  refuseOther("type", type, found.document.type);
  refuseOther("group_by", group_by, found.document.group_by);
  refusePast(given.next_usage_reset_at, now());
  if (given.periodic_reset != null && given.periodic_reset_days != null)
    refuseMistakes([{ path: ["periodic_reset_days"], message: "excludes periodic_reset: give one of them" }]);
  const { conditions: before } = found.document;
  refuseMistakes(usageMistakes({ ...changed(found.document, given, now()), conditions: conditions ?? before }));
  const workspace = found.document.workspace_id ?? undefined;
  const resolved = conditions && (await resolvedConditions(conditions, workspace, call));
  const entity =
    reset_usage_for_value === undefined ? undefined : await entityOf(found, reset_usage_for_value, counters());
  const updated = await store.update(found, (document) => ({
    ...changed(document, given, now()),
    ...(resolved && { conditions: resolved }),
  }));
  if (!isSamePeriod(found.document, updated.document)) await counters()?.edited(found.tenant, usagePolicy(updated));
  if (entity) await counters()?.reset(found.tenant, found.id, entity.id);
}

type Given = Omit<UsageChange, "type" | "group_by" | "reset_usage_for_value" | "conditions">;

function changed(document: UsageDocument, given: Given, now: number): UsageDocument {
  return {
    ...withPeriod(document, given, now),
    name: given.name === undefined ? document.name : given.name,
    description: given.description === undefined ? document.description : given.description,
    on_store_error: given.on_store_error === undefined ? (document.on_store_error ?? null) : given.on_store_error,
    credit_limit: given.credit_limit ?? document.credit_limit,
    alert_threshold: given.alert_threshold === undefined ? document.alert_threshold : given.alert_threshold,
    enforcement: given.enforcement ?? document.enforcement ?? "soft",
  };
}

/** Another period takes the place of the one there was, and the next reset is its own. */
function withPeriod(document: UsageDocument, given: Given, now: number): UsageDocument {
  const { periodic_reset: reset, periodic_reset_days: days, next_usage_reset_at: next } = given;
  const period = {
    periodic_reset: reset === undefined ? (days == null ? document.periodic_reset : null) : reset,
    periodic_reset_days: days === undefined ? (reset == null ? document.periodic_reset_days : null) : days,
  };
  const same = isSamePeriod({ ...document, ...period }, document);
  const date = next === undefined && same ? document.next_usage_reset_at : nextResetOf(period, next, now);
  return { ...document, ...period, next_usage_reset_at: date };
}

const isSamePeriod = (one: UsageDocument, other: UsageDocument): boolean =>
  one.periodic_reset === other.periodic_reset &&
  one.periodic_reset_days === other.periodic_reset_days &&
  one.next_usage_reset_at === other.next_usage_reset_at;

/** A counter by its value key; of a policy with one group, by the bare value as well. Throws 404 for others. */
async function entityOf(
  { id, tenant, document }: Managed<UsageDocument>,
  value: string,
  counters: PolicyCounters | undefined,
): Promise<PolicyEntity> {
  const [group, ...others] = document.group_by;
  const bare = group && others.length === 0 ? `${group.key}:${value}` : undefined;
  const entities = (await counters?.entities(tenant, id)) ?? [];
  const found =
    entities.find(({ valueKey }) => valueKey === value) ?? entities.find(({ valueKey }) => valueKey === bare);
  if (found) return found;
  throw new GatewayError("record_unknown", `Nothing was counted for "${value}".`, { param: "reset_usage_for_value" });
}

const entityPage = { size: 50, max: 100 };

/** The counters of a policy, and setting one to zero. */
function manageEntities({ management, store, counters }: UsageParts): void {
  const path = `/policies/usage-limits/{${parameter}}/entities`;
  const row = z.object({
    id: z.string(),
    value_key: z.string(),
    current_usage: z.number(),
    status: z.enum(["active", "exhausted"]),
  });
  management.operation({
    method: "GET",
    path,
    tag: "policies",
    summary: "Lists what was counted under a usage limits policy.",
    scopes: ["policies.read"],
    query: z.object({
      status: z.enum(["active", "exhausted"]).optional(),
      search: z.string().optional().describe("A part of the value key."),
      ...pageFields(entityPage),
    }),
    answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(row) }),
    find: (call) => activeOne(call, store, parameter),
    async run({ found, query }) {
      const { status, search = "" } = query;
      const entities = (await entitiesOf(found, counters())).filter(
        (one) => (status === undefined || one.status === status) && one.valueKey.includes(search),
      );
      const { number, size } = pageOf(query, entityPage);
      const data = entities.slice(number * size, (number + 1) * size).map(({ id, valueKey, currentUsage, status }) => ({
        id,
        value_key: valueKey,
        current_usage: currentUsage,
        status,
      }));
      return { object: "list", total: entities.length, data };
    },
  });
  management.operation({
    method: "PUT",
    path: `${path}/{entityId}/reset`,
    tag: "policies",
    summary: "Sets one counter of a usage limits policy to zero.",
    scopes: ["policies.update"],
    answer: nothing,
    audit: { resource: "policies", action: "reset" },
    find: (call) => activeOne(call, store, parameter),
    async run({ found, own, path: { entityId = "" } }) {
      if (own && found.document.workspace_id === null)
        throw new GatewayError(
          "forbidden",
          "This policy is every workspace's: its counters are set to zero by the organisation.",
        );
      if (await counters()?.reset(found.tenant, found.id, entityId)) return {};
      throw new GatewayError("record_unknown", `Nothing was counted under "${entityId}".`, { param: "entityId" });
    },
  });
}
