import { randomUUID } from "node:crypto";
import type { Notification } from "../../core/index.ts";

/** An event, as sinks tell of it (control-plane.md section 25). */
export interface Payload {
  readonly event: Notification["event"];
  /** Of the event: whoever is told of one twice knows it by this. */
  readonly id: string;
  readonly organisation_id: string;
  readonly workspace_id: string | null;
  readonly subject: { readonly kind: string; readonly id: string; readonly slug: string | null };
  readonly data: Readonly<Record<string, unknown>>;
  /** E-mail addresses, for receivers that write to people. */
  readonly recipients?: readonly string[];
  /** ISO 8601. */
  readonly occurred_at: string;
}

export const payloadOf = ({ event, organisation, workspace, subject, data }: Notification, now: number): Payload => ({
  event,
  id: randomUUID(),
  organisation_id: organisation,
  workspace_id: workspace ?? null,
  subject: { kind: subject.kind, id: subject.id, slug: subject.slug ?? null },
  data,
  occurred_at: new Date(now).toISOString(),
});
