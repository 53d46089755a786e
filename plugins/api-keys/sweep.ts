import type { AuditTrailService, Logger, NotificationsService } from "../../core/index.ts";
import { type ApiKeyDocument, isExpired } from "./document.ts";
import { notice, rotationEvent } from "./events.ts";
import type { KeyRecord, Keys } from "./keys.ts";

export interface SweepParts {
  readonly keys: Keys;
  readonly audit: AuditTrailService | undefined;
  readonly notifications: NotificationsService | undefined;
  readonly log: Logger;
  readonly now: () => number;
}

const day = 24 * 60 * 60_000;

/** How long a secret nobody has read is kept after its transition. */
const unreadFor = 7 * day;

/**
 * What is done for keys without anybody asking, in the order of control-plane.md section 5.4: what is over ends, what is
 * due is rotated, and people are told a day ahead of what will be. Each step looks at the keys anew.
 */
export async function sweep(parts: SweepParts): Promise<void> {
  for (const step of [endWhatIsOver, rotate, tellOfTransitions, tellOfRotations]) {
    for await (const record of parts.keys.store.everywhere({ tended: true })) {
      try {
        await step(record, parts);
      } catch (error) {
        parts.log.error("a key was not looked after", { key: record.id, step: step.name, error });
      }
    }
  }
}

async function endWhatIsOver(record: KeyRecord, { keys, now }: SweepParts): Promise<void> {
  const time = now();
  let over: ApiKeyDocument["previous"] = null;
  await keys.change(record, (document) => {
    const { previous, unread, status } = document;
    const ended = previous !== null && Date.parse(previous.until) <= time;
    const dropped = unread !== null && Date.parse(unread.transition_ends) + unreadFor <= time;
    const expires = status !== "expired" && isExpired(document, time);
    over = ended ? previous : null;
    if (!ended && !dropped && !expires) return undefined;
    return {
      ...document,
      ...(ended && { previous: null }),
      ...(dropped && { unread: null }),
      ...(expires && { status: "expired" as const }),
    };
  });
  if (over) await keys.forgetSecrets([over]);
}

async function rotate(record: KeyRecord, { keys, audit, notifications }: SweepParts): Promise<void> {
  const rotated = await keys.rotateDue(record);
  if (!rotated) return;
  audit?.event(rotationEvent(record, "auto", rotated));
  notifications?.notify(notice("api_key.rotated", record, { transition_expires_at: rotated.transitionEnds }));
}

async function tellOfTransitions(record: KeyRecord, { keys, notifications, now }: SweepParts): Promise<void> {
  const ends = record.document.previous?.until;
  if (!notifications || ends === undefined || Date.parse(ends) > now() + day) return;
  const isFirst = await keys.change(record, (document) =>
    document.previous?.until === ends && document.told.transition !== ends
      ? { ...document, told: { ...document.told, transition: ends } }
      : undefined,
  );
  if (isFirst) notifications.notify(notice("api_key.transition_expiring", record, { transition_expires_at: ends }));
}

async function tellOfRotations(record: KeyRecord, { keys, notifications, now }: SweepParts): Promise<void> {
  const date = record.document.rotation_policy?.next_rotation_at;
  if (!notifications || !date || Date.parse(date) > now() + day) return;
  const isFirst = await keys.change(record, (document) =>
    document.rotation_policy?.next_rotation_at === date && document.told.rotation !== date
      ? { ...document, told: { ...document.told, rotation: date } }
      : undefined,
  );
  if (isFirst) notifications.notify(notice("api_key.rotation_upcoming", record, { next_rotation_at: date }));
}

/** Runs at once and then after each interval, one run at a time; what is returned ends it. */
export function repeatedly(interval: number, run: () => Promise<void>, log: Logger): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const round = async () => {
    await run().catch((error: unknown) => log.warn("API keys were not looked after", { error }));
    if (!stopped) timer = setTimeout(round, interval).unref();
  };
  void round();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
