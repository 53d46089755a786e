import { hash } from "node:crypto";

/** SHA-256 over parts of known length, so that no two lists of parts run together to the same text. Hexadecimal. */
export function digestOf(parts: readonly string[]): string {
  let all = "";
  for (const part of parts) all += `${Buffer.byteLength(part)}:${part}`;
  return hash("sha256", all, "hex");
}

/** JSON with the keys of every object in order; equal values give equal texts. `without` are keys of the top left out. */
export function canonicalJson(value: unknown, without?: ReadonlySet<string>): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) {
    let text = "[";
    for (let at = 0; at < value.length; at++) text += (at > 0 ? "," : "") + canonicalJson(value[at]);
    return `${text}]`;
  }
  // Things that write themselves (secrets, dates) are what they write.
  if ("toJSON" in value && typeof value.toJSON === "function") return canonicalJson(value.toJSON());
  let text = "";
  for (const key of Object.keys(value).sort()) {
    const field = (value as Readonly<Record<string, unknown>>)[key];
    if (field !== undefined && !without?.has(key))
      text += `${text && ","}${JSON.stringify(key)}:${canonicalJson(field)}`;
  }
  return `{${text}}`;
}
