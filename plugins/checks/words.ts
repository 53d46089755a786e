import { z } from "../../core/index.ts";

/** A list, or the same with commas between. */
export const listField = z.union([z.string(), z.array(z.string())]).default([]);

export const listOf = (value: string | readonly string[] | undefined): string[] =>
  (typeof value === "string" ? value.split(",") : [...(value ?? [])]).map((one) => one.trim()).filter(Boolean);

/** What metadata says, which is text: a list with commas, or the JSON of one. */
export function listInMetadata(value: string | undefined): string[] {
  if (value?.trimStart().startsWith("[")) {
    try {
      const read = z.array(z.string()).safeParse(JSON.parse(value));
      if (read.success) return listOf(read.data);
    } catch {
      // It is a text that begins with a bracket.
    }
  }
  return listOf(value);
}
