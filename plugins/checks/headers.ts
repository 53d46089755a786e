import { CheckError, z } from "../../core/index.ts";

const map = z.record(z.string(), z.string());

/** Headers as a map, or as the JSON of one. */
export const headersField = z
  .union([map, z.string()])
  .default({})
  .superRefine((headers, context) => {
    if (!read(headers).success)
      context.addIssue({ code: "custom", message: "must be a map of texts, or the JSON of one" });
  });

/** Those of a field, in lower case. */
export function headersOf(field: z.output<typeof headersField>): Record<string, string> {
  const { data } = read(field);
  if (!data) throw new CheckError("The headers are no JSON of a map of texts.");
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name.toLowerCase(), value]));
}

function read(field: unknown) {
  if (typeof field !== "string") return map.safeParse(field);
  try {
    return map.safeParse(field.trim() === "" ? {} : JSON.parse(field));
  } catch {
    return map.safeParse(undefined);
  }
}
