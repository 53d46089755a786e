import { Secret } from "../secret.ts";
import { hasMask, SecretUrl } from "../secret-url.ts";
import { masked } from "./masking.ts";

/** A value in which credentials are `Secret`s, as reads show it: those are masked. */
export const shown = (hidden: unknown): unknown => mapped(hidden, maskOf);

const maskOf = (secret: Secret): string => (secret instanceof SecretUrl ? secret.shown : masked(secret.reveal()));
const isMask = (secret: Secret, text: string): boolean =>
  secret instanceof SecretUrl ? hasMask(text) : looksMasked.test(text);

/**
 * A value in which credentials are `Secret`s, as it is to be kept. One that was sent as it is shown is put back from what
 * was there before; `unknown` is told the path of one that was not there.
 */
export function kept(hidden: unknown, before: unknown, unknown: (path: string) => never): unknown {
  const known = new Map<string, string | undefined>();
  mapped(before, (secret) => {
    const value = secret.reveal();
    const mask = maskOf(secret);
    // Two that are shown alike cannot be told apart.
    known.set(mask, known.has(mask) && known.get(mask) !== value ? undefined : value);
  });
  return mapped(hidden, (secret, path) => {
    const text = secret.reveal();
    return isMask(secret, text) ? (known.get(text) ?? unknown(path)) : text;
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
