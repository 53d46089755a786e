import { Secret, withHiddenCredentials, withHiddenUrls } from "../../../core/index.ts";
import { isMap, opaqueFields, snakeCase } from "./spelling.ts";

const opaque: ReadonlySet<string> = new Set(opaqueFields.filter((name) => name !== "vertex_service_account_json"));

/** The account of a service as the text of its JSON has a private key in it; as a map it is gone through. */
const sensitive = /(?:^|_)(?:key|apikey|secret|token|password|passphrase|credentials?|service_account_json)(?:$|_)/;

/** Its name sounds like a credential; it is the slug of one. */
const isSensitive = (name: string): boolean => name !== "virtual_key" && sensitive.test(name);

/** Fields with checks in them, written out. */
const checkFields: ReadonlySet<string> = new Set(
  opaqueFields.filter((name) => /^checks$|_(?:guardrails|mutators)$/.test(name)),
);

/** A config of the file with its credentials made unprintable: options of plugins are logged and explained. */
export const withHiddenSecrets = (value: unknown): unknown => hidden(value, { inChecks: asItIs, ofText: asItIs });

/** A config that is shown: with the credentials of its checks, and those in its addresses, as well. */
export const withAllHidden = (value: unknown): unknown =>
  hidden(value, { inChecks: withHiddenCredentials, ofText: withHiddenUrls });

interface Ways {
  readonly inChecks: (inner: unknown) => unknown;
  readonly ofText: (text: string) => unknown;
}

const asItIs = <Value>(value: Value): Value => value;

function hidden(value: unknown, ways: Ways): unknown {
  if (Array.isArray(value)) return value.map((one) => hidden(one, ways));
  if (typeof value === "string") return ways.ofText(value);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = snakeCase(key);
      if (typeof inner === "string" && isSensitive(name)) return [key, new Secret(inner)];
      if (checkFields.has(name)) return [key, ways.inChecks(inner)];
      return [key, opaque.has(name) ? inner : hidden(inner, ways)];
    }),
  );
}
