import { type Fields, isRecord } from "../../core/index.ts";

/** Keywords this API refuses in its own subset of JSON Schema. */
const refused = new Set(["additionalProperties", "additional_properties", "$schema", "$defs", "definitions"]);

/**
 * A JSON Schema in the subset this API takes (providers.md section 7.5): references are put in place, `null` among the
 * alternatives becomes `nullable`, keywords it refuses are gone. A reference back to itself stays.
 */
export function cleaned(schema: Readonly<Fields>): Fields {
  const root = schema;
  return clean(schema, []);

  function clean(node: Readonly<Fields>, stack: readonly string[]): Fields {
    const reference = node.$ref;
    if (typeof reference === "string" && !stack.includes(reference)) {
      const target = resolved(root, reference);
      if (target) {
        const { $ref: _, ...siblings } = node;
        return clean({ ...target, ...siblings }, [...stack, reference]);
      }
    }
    const kept: Fields = {};
    for (const [name, value] of Object.entries(node)) {
      if (refused.has(name)) continue;
      kept[name] = name === "properties" ? cleanEach(value, stack) : cleanValue(value, stack, name);
    }
    return withoutNull(kept);
  }

  /** Names of properties are the client's: one of them may be a keyword. */
  function cleanEach(properties: unknown, stack: readonly string[]): unknown {
    if (!isRecord(properties)) return properties;
    return Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, isRecord(value) ? clean(value, stack) : value]),
    );
  }

  function cleanValue(value: unknown, stack: readonly string[], name: string): unknown {
    if (name === "enum" || name === "default" || name === "example" || name === "const") return value;
    if (Array.isArray(value)) return value.map((one) => (isRecord(one) ? clean(one, stack) : one));
    return isRecord(value) ? clean(value, stack) : value;
  }
}

function resolved(root: Readonly<Fields>, reference: string): Readonly<Fields> | undefined {
  const steps = /^#\/(\$defs|definitions)\/(.+)$/.exec(reference);
  const all = steps?.[1] === undefined ? undefined : root[steps[1]];
  const found =
    isRecord(all) && steps?.[2] !== undefined ? all[steps[2].replace(/~1/g, "/").replace(/~0/g, "~")] : undefined;
  return isRecord(found) ? found : undefined;
}

const isNull = (node: unknown): boolean => isRecord(node) && node.type === "null";

/** `anyOf: [T, null]` and `type: [t, null]` are a `nullable` T here. */
function withoutNull(node: Fields): Fields {
  const { type } = node;
  if (Array.isArray(type) && type.includes("null")) {
    const others = type.filter((one) => one !== "null");
    return { ...node, type: others.length === 1 ? others[0] : others, nullable: true };
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const choices = node[keyword];
    if (!Array.isArray(choices)) continue;
    const others = choices.filter((choice) => !isNull(choice));
    const nullable = others.length < choices.length && { nullable: true };
    const { [keyword]: _, ...rest } = node;
    const [only] = others;
    if (others.length === 1 && isRecord(only)) return { ...rest, ...only, ...nullable };
    return nullable ? { ...rest, [keyword]: others, ...nullable } : node;
  }
  return node;
}

/** The vendor's own subset as JSON Schema: its types are upper case, and `nullable` is a keyword there. */
export function asJsonSchema(schema: Readonly<Fields>): Fields {
  const { nullable, ...node } = schema;
  const plain: Fields = {};
  for (const [name, value] of Object.entries(node)) plain[name] = plainValue(name, value);
  if (nullable !== true) return plain;
  if (typeof plain.type === "string") return { ...plain, type: [plain.type, "null"] };
  return Array.isArray(plain.anyOf) ? { ...plain, anyOf: [...plain.anyOf, { type: "null" }] } : plain;
}

function plainValue(name: string, value: unknown): unknown {
  if (name === "type") return typeof value === "string" ? value.toLowerCase() : value;
  if (name === "enum" || name === "default" || name === "example") return value;
  if (name === "properties" && isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, isRecord(inner) ? asJsonSchema(inner) : inner]),
    );
  // Counts are 64-bit integers to the vendor, and those are text in its JSON.
  if (counts.has(name) && typeof value === "string") return Number(value);
  if (Array.isArray(value)) return value.map((one) => (isRecord(one) ? asJsonSchema(one) : one));
  return isRecord(value) ? asJsonSchema(value) : value;
}
const counts = new Set(["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"]);
