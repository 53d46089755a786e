import type { OpaquePart } from "../../model/content.ts";
import { type Fields, isRecord } from "../records.ts";
import { snakeCase } from "./extra.ts";

/** The JSON of a part that only this format has, as it was written in it; undefined of all others. */
export const ownOpaque = (
  part: { readonly type: string; readonly format?: string; readonly value?: unknown },
  format: string,
): Fields | undefined =>
  part.type === "opaque" && part.format === format && isRecord(part.value) ? part.value : undefined;

/** The same of a part of messages, for its vendor. What is another format's, or `isElsewhere` knows to be another vendor's, is reported. */
export function carriedOpaque(
  part: OpaquePart,
  format: string,
  report: (dropped: string) => void,
  isElsewhere?: (value: Fields) => boolean,
): Fields | undefined {
  const own = ownOpaque(part, format);
  if (own && !isElsewhere?.(own)) return own;
  report(`messages.${nameOf(part.value)}`);
  return undefined;
}

/** What its format calls a part: its type or, where that is the name of its field, that. */
function nameOf(value: unknown): string {
  if (!isRecord(value)) return "opaque";
  if (typeof value.type === "string") return value.type;
  for (const name in value) return snakeCase(name);
  return "opaque";
}
