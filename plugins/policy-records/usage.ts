import {
  type CheckedCall,
  type EditOfPolicy,
  GatewayError,
  type Managed,
  type ManagementService,
  type PolicyCounters,
  type ResourceStore,
  z,
} from "../../core/index.ts";
import { resolvedConditions } from "./conditions.ts";
import type { Entities, SeenEntity } from "./entities.ts";
import { manageEntities } from "./entity-routes.ts";
import { usagePolicy } from "./in-force.ts";
import { managePolicies, refuseMistakes, refuseOther } from "./manage.ts";
import { unmatchedModels } from "./model-values.ts";
import { datesAt } from "./periods.ts";
import type { UsageDocument } from "./policy-store.ts";
import { besides, nextResetOf, type UsageChange, usageFields, usageMistakes, usageUpdate } from "./usage-fields.ts";

export interface UsageParts {
  readonly management: ManagementService;
  readonly store: ResourceStore<UsageDocument>;
  /** Who counts; undefined where nobody does. */
  readonly counters: () => PolicyCounters | undefined;
  readonly entities: Entities;
  readonly now: () => number;
}

const parameter = "policyUsageLimitsId";
const flag = z.enum(["true", "false"]).transform((text) => text === "true");

/** Budgets by conditions (control-plane.md sections 13.2 and 13.3). */
export function manageUsagePolicies(parts: UsageParts): void {
  const { management, store, entities, now } = parts;
  managePolicies(management, {
    path: "usage-limits",
    parameter,
    object: "policy_usage_limits",
    what: "usage limits policy",
    store,
    create: {
      body: z.object({ ...usageFields, ...besides }),
      async make({ workspace_id: _named, ...given }, workspace, call) {
        refuseMistakes([...usageMistakes(given), ...unmatchedModels(given.conditions)]);
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
      async show(call) {
        if (!(call.query as { include_usage: boolean }).include_usage) return {};
        return { value_key_usage_map: usageMap(await entities.seenBy(call, call.found)) };
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
  manageEntities(management, store, entities);
}

/** By value key. Where callers of the organisation and of none have the same one, the fuller counter is shown. */
function usageMap(entities: readonly SeenEntity[]) {
  const fullestLast = [...entities].sort((one, other) => one.currentUsage - other.currentUsage);
  return Object.fromEntries(
    fullestLast.map(({ valueKey, currentUsage, status, thresholdAlertSent, exhaustedAlertSent }) => [
      valueKey,
      {
        current_usage: currentUsage,
        status,
        is_threshold_alerts_sent: thresholdAlertSent,
        is_exhausted_alerts_sent: exhaustedAlertSent,
      },
    ]),
  );
}

function refusePast(date: string | null | undefined, now: number): void {
  if (date != null && Date.parse(date) <= now)
    throw new GatewayError("record_invalid", "next_usage_reset_at must lie ahead.", { param: "next_usage_reset_at" });
}

async function changeUsage(
  call: CheckedCall<Managed<UsageDocument>, UsageChange, object>,
  { store, counters, entities, now }: UsageParts,
): Promise<void> {
  const { found, body } = call;
  const { type, group_by, reset_usage_for_value, conditions, status: _, ...given } = body;
  refuseOther("type", type, found.document.type);
  refuseOther("group_by", group_by, found.document.group_by);
  refusePast(given.next_usage_reset_at, now());
  if (given.periodic_reset != null && given.periodic_reset_days != null)
    refuseMistakes([{ path: ["periodic_reset_days"], message: "excludes periodic_reset: give one of them" }]);
  // What was kept before is not looked at again: a limit must be free to change beside it.
  refuseMistakes(unmatchedModels(conditions ?? []));
  // Of two who change a policy at the same time, the second one's change has to fit what the first one left.
  const fitting = (document: UsageDocument) => {
    const next = changed(document, given, now());
    refuseMistakes(usageMistakes({ ...next, conditions: conditions ?? document.conditions }));
    return next;
  };
  fitting(found.document);
  const workspace = found.document.workspace_id ?? undefined;
  const resolved = conditions && (await resolvedConditions(conditions, workspace, call));
  const entity =
    reset_usage_for_value === undefined ? undefined : await entities.ofValue(call, found, reset_usage_for_value);
  const updated = await store.update(found, (document) => ({
    ...fitting(document),
    ...(resolved && { conditions: resolved }),
  }));
  const edit = editOf(found.document, updated.document);
  if (edit) await counters()?.edited(found.tenant, usagePolicy(updated), edit);
  if (entity) await entities.reset(call, found, entity.id);
}

function editOf(before: UsageDocument, after: UsageDocument): EditOfPolicy | undefined {
  if (!isSamePeriod(before, after)) return "period";
  const isSame = before.credit_limit === after.credit_limit && before.alert_threshold === after.alert_threshold;
  return isSame ? undefined : "limits";
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
  if (next === undefined && same) return document;
  // The last reset was by the period there was.
  const { last_reset_at } = datesAt(now, document, {
    next: document.next_usage_reset_at,
    last: document.last_reset_at,
  });
  return { ...document, ...period, next_usage_reset_at: nextResetOf(period, next, now), last_reset_at };
}

const isSamePeriod = (one: UsageDocument, other: UsageDocument): boolean =>
  one.periodic_reset === other.periodic_reset &&
  one.periodic_reset_days === other.periodic_reset_days &&
  one.next_usage_reset_at === other.next_usage_reset_at;
