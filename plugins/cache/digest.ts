import { hash } from "node:crypto";
import { memberText } from "../../core/index.ts";
import type { CanonicalJson } from "./canonical-json.ts";
import { ownDigestOf } from "./own-digest.ts";

/** Bytes from which on the digest of this process alone takes less time than SHA-256. */
const long = 24 * 1024;

/** Parts that are put together once, for everything they are parts of. */
export class Parts {
  readonly text: string;

  constructor(...parts: readonly string[]) {
    this.text = delimited(parts);
  }
}

type Part = string | Parts;

/** SHA-256 over parts of known length, so that no two lists of parts run together to the same text. Hexadecimal. */
export const digestOf = (parts: readonly Part[]): string => hash("sha256", delimited(parts), "hex");

/**
 * The same with the bytes of a JSON object as the last part, where keys stand in any order; undefined where it is none.
 * Where nobody else has to come to the same one (`own`), much is not hashed with SHA-256 (decision 0043).
 */
export function digestOfJson(
  parts: readonly Part[],
  json: Buffer,
  writer: CanonicalJson,
  own = false,
): string | undefined {
  const all = writer.write(delimited(parts), json);
  if (!all) return undefined;
  return own && all.length >= long ? ownDigestOf(all) : hash("sha256", all, "hex");
}

function delimited(parts: readonly Part[]): string {
  let all = "";
  for (const part of parts) all += typeof part === "string" ? `${part.length}:${part}` : part.text;
  return all;
}

/**
 * Equal JSON values give equal texts, others different ones: JSON with the keys of every object in order, and with texts
 * as `length"text`, because looking for what has to be escaped in them is most of the work of writing JSON. `without` are
 * keys of the top left out.
 */
export function canonicalText(value: unknown, without?: ReadonlySet<string>): string {
  if (typeof value === "string") return plainText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) {
    let text = "[";
    for (let at = 0; at < value.length; at++) text += (at > 0 ? "," : "") + digestedMember(value, at, value[at]);
    return `${text}]`;
  }
  // Things that write themselves (secrets, dates) are what they write.
  if ("toJSON" in value && typeof value.toJSON === "function") return canonicalText(value.toJSON());
  let text = "";
  for (const key of Object.keys(value).sort()) {
    const field = (value as Readonly<Record<string, unknown>>)[key];
    if (field !== undefined && !without?.has(key))
      text += `${text && ","}${plainText(key)}:${digestedMember(value, key, field)}`;
  }
  return `{${text}}`;
}

/** Numbers that no double holds are what was written: others are the same double. */
const digestedMember = (holder: object, name: PropertyKey, member: unknown): string =>
  typeof member === "number" ? memberText(holder, name) : canonicalText(member);

/** Halves of surrogate pairs are escaped: a digest is made of UTF-8, which has one replacement for all of them. */
const plainText = (text: string): string => (text.isWellFormed() ? `${text.length}"${text}` : JSON.stringify(text));
