import { type ShownBudgets, timesOf, z } from "../../core/index.ts";
import { isExpired } from "./document.ts";
import type { KeyRecord } from "./keys.ts";

export const answer = z.looseObject({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  object: z.literal("api-key"),
});

export const issuedAnswer = z.object({ id: z.string(), key: z.string(), object: z.literal("api-key") });

export const rotatedAnswer = z.object({ id: z.string(), key: z.string(), key_transition_expires_at: z.string() });

/** A key as the API shows it (control-plane.md section 5.3). `workspace` is the slug of its workspace. */
export function shown(record: KeyRecord, workspace: string | null, budgets: ShownBudgets, now: number) {
  const { document } = record;
  const { type, name, description, user_id, scopes, creation_mode, rate_limits } = document;
  const { metadata, config_slug, config_id, allow_config_override, alert_emails, rotation_policy } = document;
  return {
    id: record.id,
    key: document.secret.masked,
    name,
    description,
    type,
    organisation_id: record.tenant,
    workspace_id: workspace,
    user_id,
    status: statusOf(document, budgets, now),
    ...timesOf(record),
    creation_mode,
    rate_limits,
    usage_limits: budgets.usage[0] ?? null,
    reset_usage: 0,
    scopes,
    defaults: { metadata, config_id: config_slug ?? config_id, allow_config_override },
    alert_emails,
    expires_at: document.expires_at,
    last_reset_at: budgets.lastResetAt,
    rotation_policy: rotation_policy && { ...rotation_policy, status: "ACTIVE" },
    last_rotated_at: document.last_rotated_at,
    object: "api-key",
  };
}

function statusOf(document: KeyRecord["document"], { isExhausted }: ShownBudgets, now: number) {
  if (isExpired(document, now)) return "expired";
  return isExhausted ? "exhausted" : document.status;
}
