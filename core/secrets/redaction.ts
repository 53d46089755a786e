import { remembered } from "../keeping/remembered.ts";
import { percentDecoded } from "../percent-decoded.ts";

/**
 * What must not be kept of a request (observability.md sections 3.4 and 6). Names are compared without case, in snake_case,
 * camelCase and with hyphens alike.
 */

const secretName =
  /(?:^|_)(?:secret|secrets|secret_key|access_key|access_key_id|token|jwt|password|passwd|passphrase|api_?key|private_key|signing_key|auth_?key|authorization|cookie|credential|credentials|service_account_json|signature)$/;

/** Whether what goes by this name is a secret: `api_key`, `clientSecret`, `x-goog-api-key`. */
export const isSecretName: (name: string) => boolean = remembered({ most: 10_000, longest: 100 }, (name) => {
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
  return secretName.test(plain);
});

const shortest = 12;

/** A secret as it may be kept: its first two and last three characters. */
export const maskedValue = (value: string): string =>
  value.length < shortest ? "********" : `${value.slice(0, 2)}********${value.slice(-3)}`;

/** JSON with every text masked that goes by a secret's name. What it is given stays as it is. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  // Pairs: what stands beside a key goes by that name, and the key itself is none.
  const pair = typeof fields.key === "string" && "value" in fields ? fields.key : undefined;
  return Object.fromEntries(
    Object.entries(fields).map(([name, one]) => {
      const secret =
        pair === undefined
          ? name === "key" || isSecretName(name)
          : name === "value"
            ? isSecretName(pair)
            : isSecretName(name);
      return [name, secret ? masked(one) : withoutSecrets(one)];
    }),
  );
}

/** Whatever stands there: of a list or an object, every text in it. */
function masked(value: unknown): unknown {
  if (typeof value === "string") return maskedValue(value);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, masked(one)]));
}

/** Beside the names that are secrets everywhere, those that are in URLs; signed ones are credentials as a whole. */
const secretParameter = /(?:^|[-_])(?:keys?|sig|sas|auth|hmac|pass|pwd|jwt)$|^code$|^x-(?:amz|goog)-/i;

/** Where a list goes on. */
const cursor = /^(?:next_?)?(?:page|continuation)_?token$/i;

/** Whether what a URL has under this name, as it stands there, is a secret. */
export function isSecretParameter(written: string): boolean {
  const name = written.includes("%") ? percentDecoded(written) : written;
  return (secretParameter.test(name) || isSecretName(name)) && !cursor.test(name);
}

/** A URL without user, password and what its query has of secrets. Of anything else not a byte changes. */
export function sanitisedUrl(url: string): string {
  const anonymous = url.includes("@") ? url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1") : url;
  const question = anonymous.indexOf("?");
  if (question < 0) return anonymous;
  const [query = "", fragment] = anonymous.slice(question + 1).split(/(?=#)/);
  const pairs = query.split("&");
  const kept = pairs.filter((pair) => !isSecretParameter(pair.split("=")[0] ?? ""));
  if (kept.length === pairs.length) return anonymous;
  const rest = kept.length > 0 ? `?${kept.join("&")}` : "";
  return `${anonymous.slice(0, question)}${rest}${fragment ?? ""}`;
}
