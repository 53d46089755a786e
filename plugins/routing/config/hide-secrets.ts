import { Secret } from "../../../core/index.ts";
import { isMap, opaqueFields, snakeCase } from "./spelling.ts";

const opaque: ReadonlySet<string> = new Set(opaqueFields.filter((name) => name !== "vertex_service_account_json"));

const sensitive = /(?:^|_)(?:key|apikey|secret|token|password|passphrase|credentials?)(?:$|_)/;

/** Its name sounds like a credential; it is the slug of one. */
const isSensitive = (name: string): boolean => name !== "virtual_key" && sensitive.test(name);

/** A config of the file with its credentials made unprintable: options of plugins are logged and explained. */
export function withHiddenSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withHiddenSecrets);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = snakeCase(key);
      if (typeof inner === "string" && isSensitive(name)) return [key, new Secret(inner)];
      return [key, opaque.has(name) ? inner : withHiddenSecrets(inner)];
    }),
  );
}
