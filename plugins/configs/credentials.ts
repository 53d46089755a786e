import { maskedSecret, Secret } from "../../core/index.ts";

/** A config in which credentials are `Secret`s, as reads show it: masked. */
export function shownConfig(hidden: unknown): unknown {
  return mapped(hidden, (secret) => maskedSecret(secret.reveal()));
}

/**
 * A config as it is to be kept, of one in which credentials are `Secret`s. One that is sent as it was shown, masked, is
 * put back from the config as it was; `unknown` is told the path of one that is not there.
 */
export function keptConfig(hidden: unknown, before: unknown, unknown: (path: string) => never): unknown {
  const known = new Map<string, string | undefined>();
  mapped(before, (secret) => {
    const value = secret.reveal();
    const mask = maskedSecret(value);
    // Two that are shown alike cannot be told apart.
    known.set(mask, known.has(mask) && known.get(mask) !== value ? undefined : value);
  });
  return mapped(hidden, (secret, path) => {
    const text = secret.reveal();
    return looksMasked.test(text) ? (known.get(text) ?? unknown(path)) : text;
  });
}

const looksMasked = /^(?:..)?\*{7}(?:..)?$/s;

function mapped(value: unknown, change: (secret: Secret, path: string) => unknown, path = ""): unknown {
  if (value instanceof Secret) return change(value, path);
  if (Array.isArray(value)) return value.map((one, at) => mapped(one, change, `${path}[${at}]`));
  if (typeof value !== "object" || value === null) return value;
  const inside = path === "" ? "" : `${path}.`;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapped(one, change, inside + key)]));
}
