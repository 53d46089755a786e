import type { Limited, Managed, Principal } from "../../core/index.ts";
import type { ApiKeyDocument } from "./document.ts";

/** What the data path knows of a key: made once, when the key is read. */
export interface KnownKey {
  readonly organisation: string;
  /** The id of its workspace; absent for a key of the whole organisation. */
  readonly workspace?: string;
  readonly current: Buffer;
  readonly previous?: { readonly digest: Buffer; readonly until: number };
  /** Unix milliseconds. */
  readonly expiresAt?: number;
  /** Who it lets in, as far as that depends on the key alone. */
  readonly own: Principal;
}

const bytes = (digest: string): Buffer => Buffer.from(digest, "base64url");

export function knownKey(record: Managed<ApiKeyDocument>): KnownKey {
  const { tenant, document } = record;
  const { workspace_id, secret, previous, expires_at } = document;
  return {
    organisation: tenant,
    ...(workspace_id !== null && { workspace: workspace_id }),
    current: bytes(secret.digest),
    ...(previous && { previous: { digest: bytes(previous.digest), until: Date.parse(previous.until) } }),
    ...(expires_at !== null && { expiresAt: Date.parse(expires_at) }),
    own: ownPrincipal(record),
  };
}

function ownPrincipal(record: Managed<ApiKeyDocument>): Principal {
  const { id, tenant: organisation, document } = record;
  const { workspace_id, user_id, name, scopes, identity, usage_limits, rate_limits, config_slug, config_id } = document;
  return {
    id,
    name,
    organisation,
    scopes,
    metadata: document.metadata ?? {},
    ...(workspace_id !== null && { workspace: workspace_id }),
    ...(user_id !== null && { user: user_id }),
    ...(identity !== null && { identity }),
    ...((usage_limits || rate_limits) && { limits: limitsOf(record) }),
    ...((config_slug !== null || !document.allow_config_override) && {
      defaultConfig: {
        ...(config_slug !== null && { slug: config_slug }),
        ...(config_id !== null && { id: config_id }),
        mayReplace: document.allow_config_override,
      },
    }),
  };
}

/** Counted by the id, which stays the same when the key is rotated. */
export function limitsOf({ id, document, createdAt, version }: Managed<ApiKeyDocument>): Limited {
  const { name, usage_limits, rate_limits, last_reset_at } = document;
  return {
    level: "api_key",
    id,
    subject: name,
    usage: usage_limits ? [usage_limits] : [],
    rate: rate_limits ?? [],
    resetAt: last_reset_at,
    since: createdAt,
    version,
  };
}
