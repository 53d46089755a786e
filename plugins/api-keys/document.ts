import type { ManagedDocument, RateLimit, UsageLimits } from "../../core/index.ts";
import type { KeyKind } from "./kinds.ts";
import type { RotationPolicy } from "./rotation.ts";

/** A value that lets in, as it is kept: it is nowhere in the clear. Times are ISO 8601. */
export interface SecretRef {
  /** The keyed digest, in base64url: the id of its record. */
  readonly digest: string;
  readonly masked: string;
}

/** An API key, as it is kept. */
export interface ApiKeyDocument extends ManagedDocument {
  readonly type: KeyKind;
  readonly name: string;
  readonly description: string | null;
  /** The person it is bound to, and who `_user` is in the metadata of its requests. */
  readonly user_id: string | null;
  readonly identity: string | null;
  readonly scopes: readonly string[];
  readonly rate_limits: readonly RateLimit[] | null;
  readonly usage_limits: UsageLimits | null;
  /** The config of requests that name none. */
  readonly config_id: string | null;
  readonly config_slug: string | null;
  readonly allow_config_override: boolean;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly alert_emails: readonly string[];
  readonly expires_at: string | null;
  readonly status: "active" | "exhausted" | "expired";
  readonly creation_mode: "ui" | "api" | "auto";
  readonly last_reset_at: string | null;
  readonly last_rotated_at: string | null;
  readonly rotation_policy: RotationPolicy | null;
  readonly secret: SecretRef;
  /** The secret before, good until the transition ends. */
  readonly previous: (SecretRef & { readonly until: string }) | null;
  /** A secret that was made without anybody asking, encrypted until it is read. */
  readonly unread: { readonly sealed: string; readonly transition_ends: string } | null;
  /** What people were told of: the end of a transition, the date of a rotation. */
  readonly told: { readonly transition?: string; readonly rotation?: string };
  /** Whether the background work has anything to do with it; see `tended`. */
  readonly tended: boolean;
}

/** With `tended` as the rest of it says: keys without dates are never looked at by the background work. */
export function tended(document: Omit<ApiKeyDocument, "tended">): ApiKeyDocument {
  const { previous, unread, rotation_policy, expires_at, status } = document;
  const dated = previous !== null || unread !== null || rotation_policy !== null;
  return { ...document, tended: dated || (expires_at !== null && status !== "expired") };
}

/** Whether a key that could be used may be so at a time, in Unix milliseconds. */
export const isExpired = ({ expires_at }: Pick<ApiKeyDocument, "expires_at">, now: number): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now;
