import { maskedUrl } from "./masked-url.ts";

/**
 * An address as records have it: queries and users hold credentials, and so do some paths. `hidden` are secrets that may
 * stand in its path; "" is what is no address.
 */
export function recordedAddress(url: string, hidden: readonly string[] = []): string {
  if (!URL.canParse(url)) return "";
  const { origin, pathname } = new URL(url);
  let path = pathname;
  for (const secret of hidden) path = path.replaceAll(secret, "***").replaceAll(encodeURIComponent(secret), "***");
  return maskedUrl(origin + path);
}
