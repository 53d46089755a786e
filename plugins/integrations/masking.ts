import { GatewayError, isRecord, maskedSecret, maskedUrl } from "../../core/index.ts";

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

const maskedHeaders = (headers: Members): Record<string, unknown> =>
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
  if (typeof value === "string") return maskedUrl(value);
  if (Array.isArray(value)) return value.map(shown);
  return isRecord(value) ? masked(value, isSensitiveMember) : value;
}

/** What is masked of configurations: members, each with its value; those of an object have its name before them. */
export function credentialsIn(configurations: Members, secrets: readonly string[]): [member: string, value: string][] {
  return Object.entries(configurations).flatMap(([name, value]): [string, string][] => {
    if (value === null) return [];
    if (secrets.includes(name) || isSensitiveMember(name)) return [[name, textOf(value)]];
    const isSecret = name === "custom_headers" ? (header: string) => sensitiveHeader.test(header) : isSensitiveMember;
    return isRecord(value)
      ? Object.entries(value).flatMap(([member, one]) =>
          isSecret(member) && one !== null ? [[`${name}.${member}`, textOf(one)] as [string, string]] : [],
        )
      : [];
  });
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/**
 * What a change of configurations comes to: member by member, null takes one away. A mask that was read and sent back
 * stands for what is kept. `named` says what a member is called by whoever sent it.
 */
export function mergedConfigurations(
  kept: Members,
  sent: Members,
  named = (member: string): string => member,
): Record<string, unknown> {
  const merged = { ...kept, ...withoutMasks(sent, kept, named) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

function withoutMasks(sent: Members, kept: Members, named: (member: string) => string): Record<string, unknown> {
  const restored: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    const own = name.startsWith(mark) ? name.slice(mark.length) : undefined;
    if (own === undefined) restored[name] = restoredMember(value, kept[name], named, name);
    else if (!(own in sent) && own in kept) restored[own] = kept[own];
  }
  return restored;
}

function restoredMember(value: unknown, kept: unknown, named: (member: string) => string, name: string): unknown {
  if (isRecord(value)) return withoutMasks(value, recordOf(kept), (member) => named(`${name}.${member}`));
  if (typeof value !== "string" || maskedUrl(value) !== value || !isMaskedUrl.test(value)) return value;
  if (typeof kept === "string" && maskedUrl(kept) === value) return kept;
  const param = named(name);
  const message = `${param}: is an address as it is shown, masked: send the address itself.`;
  throw new GatewayError("record_invalid", message, { param });
}

const isMaskedUrl = /^\s*[a-z][a-z0-9+.-]*:\/\/.*\*{7}/is;

const recordOf = (value: unknown): Members => (isRecord(value) ? value : {});
