import type { GatewayConfig } from "../config/index.ts";

/** Every secret among the options of a config file, and what its providers send in headers of their own. */
export function configSecrets({ plugins, providers }: Pick<GatewayConfig, "plugins" | "providers">): string[] {
  const found = new Set<string>();
  for (const { options } of [...plugins, ...providers]) collect(options, found, new Set());
  for (const { options } of providers) for (const value of headerValues(options)) found.add(value);
  return [...found];
}

/** A package with its own copy of the gateway has a Secret class of its own: what can be revealed is a secret. */
function collect(value: unknown, found: Set<string>, seen: Set<object>): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if ("reveal" in value && typeof value.reveal === "function") {
    found.add(String(value.reveal()));
    return;
  }
  for (const inner of value instanceof Map ? value.values() : Object.values(value)) collect(inner, found, seen);
}

/** `headers` of a provider is plain text in the file, and a usual place for credentials. A short one is just a word. */
function headerValues(options: unknown): string[] {
  if (typeof options !== "object" || options === null || !("headers" in options)) return [];
  const { headers } = options;
  if (typeof headers !== "object" || headers === null) return [];
  return Object.values(headers).filter((value) => typeof value === "string" && value.length >= 8);
}

/** A secret this long may show its end, so that one can tell which of several it is. */
const longEnough = 16;

/** What of a secret may be seen. */
export const maskOf = (secret: string): string => (secret.length < longEnough ? "***" : `***${secret.slice(-4)}`);

/** Shorter than this, a secret is found in any text by chance. */
const shortestFound = 4;

/** A text without the secrets in it, however they are written there. */
export function veiled(text: string, secrets: readonly string[]): string {
  const spellings = secrets
    .filter((secret) => secret.length >= shortestFound)
    .flatMap((secret) => spellingsOf(secret).map((spelling) => ({ spelling, mask: maskOf(secret) })))
    // One secret may be part of another.
    .sort((left, right) => right.spelling.length - left.spelling.length);
  return spellings.reduce((clean, { spelling, mask }) => clean.replaceAll(spelling, mask), text);
}

const spellingsOf = (secret: string): string[] => [
  ...new Set([
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("base64url"),
  ]),
];

/** The same for everything inside a value; keys stay as they are. */
export function veiledWithin<Value>(value: Value, secrets: readonly string[]): Value {
  const inside = (part: unknown): unknown => {
    if (typeof part === "string") return veiled(part, secrets);
    if (Array.isArray(part)) return part.map(inside);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, inside(inner)]));
  };
  return inside(value) as Value;
}

const sensitiveName =
  /(?:^|[-_])(?:authori[sz]ation|auth|cookie|key|apikey|token|secret|password|passwd|credentials?|signature|sig|session|jwt)(?:$|[-_])/i;

/** Whether a header or query parameter of this name usually carries a credential. */
export const isSensitiveName = (name: string): boolean => sensitiveName.test(name);

/** A credential as a header carries it: the scheme stays, and the end of what follows. */
export function maskedCredential(value: string): string {
  const [, scheme, rest] = /^([A-Za-z][\w-]*)\s+(.+)$/s.exec(value) ?? [];
  if (scheme === undefined || rest === undefined) return maskOf(value);
  // The end of a Basic credential is the end of a password, which may be short.
  return scheme.toLowerCase() === "basic" ? `${scheme} ***` : `${scheme} ${maskOf(rest)}`;
}
