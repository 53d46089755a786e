import { maskedUrl } from "./masked-url.ts";
import { Secret } from "./secret.ts";

/** A URL with a secret in it: its host and what else is none may be shown. */
export class SecretUrl extends Secret {
  get shown(): string {
    return maskedUrl(this.reveal());
  }
}

/** A text; a `SecretUrl` where it is a URL with a secret in it, or with the mask of one. */
export const hiddenUrl = (text: string): string | SecretUrl =>
  isUrl.test(text) && (maskedUrl(text) !== text || hasMask(text)) ? new SecretUrl(text) : text;

/** Whether something in a URL is masked. */
export const hasMask = (url: string): boolean => url.includes("*******");

const isUrl = /^\s*[a-z][a-z0-9+.-]*:\/\//i;

/** A value with its URLs hidden, however deep they lie. */
export function withHiddenUrls(value: unknown): unknown {
  if (typeof value === "string") return hiddenUrl(value);
  if (Array.isArray(value)) return value.map(withHiddenUrls);
  if (typeof value !== "object" || value === null || value instanceof Secret) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withHiddenUrls(one)]));
}
