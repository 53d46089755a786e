import { isRecord, suggestion } from "../../core/index.ts";
import { byName } from "./json-schema.ts";

/** Keywords that hold a schema, or several; what stands in others is nobody's type: `example`, and words of one's own. */
const holders: ReadonlySet<string> = new Set([
  ...["items", "prefixItems", "additionalItems", "unevaluatedItems", "contains"],
  ...["additionalProperties", "unevaluatedProperties", "propertyNames"],
  ...["allOf", "anyOf", "oneOf", "not", "if", "then", "else"],
]);

const types = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** Each type of a JSON Schema that there is not, so that nothing ever has it: where it stands, and what may be meant. */
export function* unknownTypes(schema: unknown, place = "schema"): Generator<string> {
  if (Array.isArray(schema)) {
    for (const [at, one] of schema.entries()) yield* unknownTypes(one, `${place}[${at}]`);
    return;
  }
  if (!isRecord(schema)) return;
  for (const [key, value] of Object.entries(schema)) {
    const inside = `${place}.${key}`;
    if (key === "type") yield* mistakesIn(value, inside);
    else if (byName.has(key) && isRecord(value))
      for (const [name, one] of Object.entries(value)) yield* unknownTypes(one, `${inside}.${name}`);
    else if (holders.has(key)) yield* unknownTypes(value, inside);
  }
}

function* mistakesIn(given: unknown, place: string): Generator<string> {
  for (const type of [given].flat())
    if (typeof type !== "string" || !types.includes(type))
      yield `${place} is ${JSON.stringify(type)}, which is no type: ${suggestion(String(type), types, "types")}`;
}
