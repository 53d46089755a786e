import { type Fields, isRecord } from "../../core/index.ts";

/** Keywords that hold schemas by names, which are the client's. */
const byName: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);
/** Keywords whose values are no schemas. */
const values: ReadonlySet<string> = new Set(["enum", "default", "examples", "example", "required"]);

/**
 * A schema for `responseJsonSchema`. "While the full JSON Schema may be sent, not all features are supported": constants
 * are the one choice there is, of texts and numbers, and what is said of properties by a pattern is `lost`.
 */
export function readable(schema: Readonly<Fields>, lost: () => void): Readonly<Fields> {
  const text = JSON.stringify(schema);
  return text.includes('"const"') || text.includes('"patternProperties"') ? inWords(schema, lost) : schema;
}

function inWords(node: Readonly<Fields>, lost: () => void): Fields {
  const said: Fields = {};
  for (const [name, value] of Object.entries(node)) {
    if (name === "const" && node.enum === undefined && (typeof value === "string" || typeof value === "number"))
      said.enum = [value];
    else if (name === "patternProperties" && isRecord(value) && Object.keys(value).length > 0) lost();
    else if (values.has(name)) said[name] = value;
    else if (byName.has(name) && isRecord(value)) said[name] = mapped(value, lost);
    else said[name] = within(value, lost);
  }
  return said;
}

const mapped = (schemas: Readonly<Fields>, lost: () => void): Fields =>
  Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, within(value, lost)]));

const within = (value: unknown, lost: () => void): unknown => {
  if (Array.isArray(value)) return value.map((one) => within(one, lost));
  return isRecord(value) ? inWords(value, lost) : value;
};
