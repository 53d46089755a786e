import type { AuditEvent, Notification } from "../../core/index.ts";
import type { KeyRecord, Rotated } from "./keys.ts";

/** The audit entry of a rotation (control-plane.md section 5.4). */
export const rotationEvent = (
  { id, tenant, document }: KeyRecord,
  mode: "manual" | "auto",
  { old, transitionEnds }: Pick<Rotated, "old" | "transitionEnds">,
): AuditEvent => ({
  organisation: tenant,
  ...(document.workspace_id !== null && { workspace: document.workspace_id }),
  resource: "api_keys",
  action: "rotate",
  subject: id,
  details: { api_key_id: id, rotation_mode: mode, old_key_masked: old.masked, transition_expires_at: transitionEnds },
});

/** What people are told of a key. */
export const notice = (
  event: Extract<Notification["event"], `api_key.${string}`>,
  { id, tenant, document }: KeyRecord,
  data: Notification["data"],
): Notification => ({
  event,
  organisation: tenant,
  ...(document.workspace_id !== null && { workspace: document.workspace_id }),
  subject: { kind: "api_key", id },
  data: { name: document.name, ...(document.user_id !== null && { user_id: document.user_id }), ...data },
  recipients: document.alert_emails,
});
