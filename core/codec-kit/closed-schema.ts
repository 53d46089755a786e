import { type Fields, isRecord } from "./records.ts";

/** Keywords whose value is a schema, a list of schemas, or an object of named schemas. */
const single = ["items", "additionalItems", "contains", "not", "if", "then", "else", "propertyNames"];
const lists = ["anyOf", "allOf", "oneOf", "prefixItems", "items"];
const named = ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"];

/** A copy in which every object schema that does not say so is closed: Claude refuses open ones, whoever serves it. */
export function closed(schema: Readonly<Fields>): Fields {
  const copy: Fields = { ...schema };
  for (const keyword of single) if (isRecord(copy[keyword])) copy[keyword] = closed(copy[keyword]);
  for (const keyword of lists) if (Array.isArray(copy[keyword])) copy[keyword] = copy[keyword].map(closedIfSchema);
  for (const keyword of named) {
    const schemas = copy[keyword];
    if (isRecord(schemas))
      copy[keyword] = Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, closedIfSchema(value)]));
  }
  if (isObjectSchema(copy) && copy.additionalProperties === undefined) copy.additionalProperties = false;
  return copy;
}

const closedIfSchema = (value: unknown) => (isRecord(value) ? closed(value) : value);

const isObjectSchema = ({ type, properties }: Fields) =>
  type === "object" || (Array.isArray(type) && type.includes("object")) || (type === undefined && isRecord(properties));
