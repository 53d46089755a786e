import { isRecord, maskedSecret } from "../../core/index.ts";

const mark = "masked_";

/** Members of `configurations` that are secrets by their name (control-plane.md section 1.10). */
const sensitiveMember =
  /(?:secret|secret_key|secret_access_key|access_key_id|token|password|passphrase|api_key|private_key)$/;

/** Headers that carry credentials. */
const sensitiveHeader = /auth|key|token|secret|cookie|password|signature/i;

export const isSensitiveMember = (name: string): boolean => sensitiveMember.test(name);

type Members = Readonly<Record<string, unknown>>;

/** Configurations as they may be shown: what is secret is masked, under a name that says so. */
export function maskedConfigurations(configurations: Members, secrets: readonly string[]): Record<string, unknown> {
  return masked(configurations, (name) => secrets.includes(name) || isSensitiveMember(name));
}

export const maskedHeaders = (headers: Members): Record<string, unknown> =>
  masked(headers, (name) => sensitiveHeader.test(name));

function masked(members: Members, isSecret: (name: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      if (name === "custom_headers" && isRecord(value)) return [name, maskedHeaders(value)];
      // Of a key file only the key is secret, as long as one can tell what is the key.
      if (name === "vertex_service_account_json" && isRecord(value)) return [name, masked(value, isSensitiveMember)];
      if (isSecret(name) && value !== null) return [`${mark}${name}`, maskedSecret(textOf(value))];
      return [name, shown(value)];
    }),
  );
}

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  return isRecord(value) ? masked(value, isSensitiveMember) : value;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/**
 * What a change of configurations comes to: member by member, null takes one away. A mask that was read and sent back
 * stands for what is kept.
 */
export function mergedConfigurations(kept: Members, sent: Members): Record<string, unknown> {
  const merged = { ...kept, ...withoutMasks(sent, kept) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

function withoutMasks(sent: Members, kept: Members): Record<string, unknown> {
  const restored: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    const own = name.startsWith(mark) ? name.slice(mark.length) : undefined;
    if (own === undefined) restored[name] = isRecord(value) ? withoutMasks(value, recordOf(kept[name])) : value;
    else if (!(own in sent) && own in kept) restored[own] = kept[own];
  }
  return restored;
}

const recordOf = (value: unknown): Members => (isRecord(value) ? value : {});
