import type { NativeTool } from "../../model/chat.ts";
import { snakeCase } from "../fields/extra.ts";
import { type Fields, isRecord } from "../records.ts";

/** The JSON of a tool that only `format` has, for its vendor; one of another format's is reported. */
export function carriedNative(
  { format: own, value }: NativeTool,
  format: string,
  report: (dropped: string) => void,
): Fields | undefined {
  if (own === format && isRecord(value)) return value;
  report(`tools.${nativeName(value)}`);
  return undefined;
}

/** What clients call a tool of their own format: its name, its type, or the field it is in. */
export function nativeName(value: unknown): string {
  if (!isRecord(value)) return "native";
  const { name, type } = value;
  if (typeof name === "string") return name;
  if (typeof type === "string") return type;
  for (const field in value) return snakeCase(field);
  return "native";
}
