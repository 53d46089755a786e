import { type CheckedCall, type Managed, type ManagementService, type ResourceStore, z } from "../../core/index.ts";
import { type KeptGroup, resolvedConditions } from "./conditions.ts";
import { managePolicies, refuseMistakes, refuseOther } from "./manage.ts";
import { unmatchedModels } from "./model-values.ts";
import type { RateDocument } from "./policy-store.ts";
import { keptUnit, notOfTokens, type RateChange, rateFields, rateMistakes, rateUpdate } from "./rate-fields.ts";
import { besides, keyMistakes } from "./usage-fields.ts";

/** What policies for tools are grouped by where they do not say it. */
export const workspaceGroup: readonly KeptGroup[] = [{ key: "workspace_id" }];

/** Requests or tokens in a window, by conditions (control-plane.md section 13.4). */
export function manageRatePolicies(management: ManagementService, store: ResourceStore<RateDocument>): void {
  managePolicies(management, {
    path: "rate-limits",
    parameter: "rateLimitsPolicyId",
    object: "policy_rate_limits",
    what: "rate limits policy",
    store,
    create: {
      body: z.object({ ...rateFields, ...besides }),
      async make({ workspace_id: _named, ...given }, workspace, call) {
        refuseMistakes([...rateMistakes(given), ...unmatchedModels(given.conditions)]);
        return {
          ...given,
          workspace_id: workspace,
          conditions: await resolvedConditions(given.conditions, workspace, call),
          group_by: given.group_by ?? workspaceGroup,
          unit: keptUnit(given.unit),
          status: "active",
        };
      },
    },
    update: { body: z.object(rateUpdate), run: (call) => changeRate(call, store) },
    filters: { type: rateFields.type.optional(), unit: z.enum(["rpm", "rph", "rpd", "rpw"]).optional() },
    fields: ["type", "unit", "value", "target"],
  });
}

async function changeRate(
  call: CheckedCall<Managed<RateDocument>, RateChange, object>,
  store: ResourceStore<RateDocument>,
): Promise<void> {
  const { found, body } = call;
  const { document } = found;
  for (const field of ["type", "group_by", "target"] as const) refuseOther(field, body[field], document[field]);
  if (body.unit?.startsWith("t") && document.type !== "tokens") refuseMistakes([notOfTokens]);
  if (body.conditions) {
    const mistakes = keyMistakes({ conditions: body.conditions, group_by: [] }, document.target);
    refuseMistakes([...mistakes, ...unmatchedModels(body.conditions)]);
  }
  const conditions =
    body.conditions && (await resolvedConditions(body.conditions, document.workspace_id ?? undefined, call));
  await store.update(found, (before) => ({
    ...before,
    name: body.name === undefined ? before.name : body.name,
    description: body.description === undefined ? before.description : body.description,
    on_store_error: body.on_store_error === undefined ? (before.on_store_error ?? null) : body.on_store_error,
    value: body.value ?? before.value,
    unit: body.unit === undefined ? before.unit : keptUnit(body.unit),
    conditions: conditions ?? before.conditions,
  }));
}
