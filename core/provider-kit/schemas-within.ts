import { isRecord } from "../codec-kit/records.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Keywords whose value is a schema by name: those names are the author's, and no keywords. */
const byName: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
/** Keywords whose value is data, whatever it looks like. */
const data: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "examples"]);

/** A JSON schema with it and all schemas within changed, from the outside in. The argument is left as it is. */
export function schemasWithin(schema: unknown, change: (schema: Fields) => Fields): unknown {
  if (Array.isArray(schema)) return schema.map((one) => schemasWithin(one, change));
  if (!isRecord(schema)) return schema;
  const within = ([keyword, value]: [string, unknown]): [string, unknown] => {
    if (data.has(keyword)) return [keyword, value];
    if (!byName.has(keyword) || !isRecord(value)) return [keyword, schemasWithin(value, change)];
    return [
      keyword,
      Object.fromEntries(Object.entries(value).map(([name, one]) => [name, schemasWithin(one, change)])),
    ];
  };
  return Object.fromEntries(Object.entries(change(schema)).map(within));
}
