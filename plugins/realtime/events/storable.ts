import { isRecord, maskedValue } from "../../../core/index.ts";

/** What lets somebody in: keys of the session for browsers, and credentials of tools on other servers. */
const secrets: ReadonlySet<string> = new Set(["client_secret", "authorization"]);

/**
 * JSON as it may be kept: without the bytes of sound (a text by the name of `audio`), and with secrets masked. What it is
 * given stays as it is.
 */
export function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable);
  if (!isRecord(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    if (name === "audio" && typeof one === "string") continue;
    kept[name] = secrets.has(name) || name === "headers" ? masked(one) : storable(one);
  }
  return kept;
}

function masked(value: unknown): unknown {
  if (typeof value === "string") return maskedValue(value);
  if (Array.isArray(value)) return value.map(masked);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, masked(one)]));
}
