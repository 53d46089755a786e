import { serviceToken } from "../service-token.ts";

/** Tells people that something happened which they should know (control-plane.md section 25). */
export interface NotificationsService {
  /** Hands an event to every sink, at least once each; returns at once. */
  notify(notification: Notification): void;
}

export interface Notification {
  readonly event:
    | "api_key.rotated"
    | "api_key.transition_expiring"
    | "api_key.rotation_upcoming"
    | "limit.threshold_crossed"
    | "limit.exhausted"
    | "invite.created";
  readonly organisation: string;
  readonly workspace?: string | undefined;
  readonly subject: { readonly kind: string; readonly id: string; readonly slug?: string | undefined };
  /** What the event has to say; never a secret. */
  readonly data: Readonly<Record<string, unknown>>;
  /** What only the recipients may know, such as a link that lets in: never in a log, and only to sinks that are for it. */
  readonly confidential?: Readonly<Record<string, unknown>>;
  /** Addresses for sinks that write to people. */
  readonly recipients?: readonly string[];
}

export const Notifications = serviceToken<NotificationsService>("notifications");
