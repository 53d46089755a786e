import { hash } from "node:crypto";

/** SHA-256 over parts of known length, so that no two lists of parts run together to the same text. Hexadecimal. */
export function digestOf(parts: readonly string[]): string {
  let all = "";
  for (const part of parts) all += `${Buffer.byteLength(part)}:${part}`;
  return hash("sha256", all, "hex");
}

/** JSON with the keys of every object in order; equal values give equal texts. `without` are keys of the top left out. */
export function canonicalJson(value: unknown, without?: ReadonlySet<string>): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  // Things that write themselves (secrets, dates) are what they write.
  if ("toJSON" in value && typeof value.toJSON === "function") return canonicalJson(value.toJSON());
  const fields: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const field = (value as Readonly<Record<string, unknown>>)[key];
    if (field !== undefined && !without?.has(key)) fields.push(`${JSON.stringify(key)}:${canonicalJson(field)}`);
  }
  return `{${fields.join()}}`;
}
