import { type Fields, isRecord } from "../../core/index.ts";
import { complete, inSubset, unite, withoutNull } from "./schema-keywords.ts";

/**
 * A JSON Schema in the subset this API takes (providers.md section 7.5): references are put in place, `null` among the
 * alternatives becomes `nullable`, keywords it refuses are said in others or are gone: they are hints to the model. A
 * reference back to itself stays.
 */
export function cleaned(schema: Readonly<Fields>): Fields {
  const root = schema;
  return clean(schema, []);

  function clean(node: Readonly<Fields>, stack: readonly string[]): Fields {
    return complete(withoutNull(gathered(node, stack)));
  }

  function gathered(node: Readonly<Fields>, stack: readonly string[]): Fields {
    const reference = node.$ref;
    if (typeof reference === "string" && !stack.includes(reference)) {
      const target = resolved(root, reference);
      if (target) {
        const { $ref: _, ...siblings } = node;
        return gathered(Object.assign({}, target, siblings), [...stack, reference]);
      }
    }
    const kept: Fields = {};
    for (const [name, value] of Object.entries(inSubset(node))) kept[name] = cleanValue(value, stack, name);
    if (Array.isArray(node.allOf))
      for (const one of node.allOf) if (isRecord(one)) unite(kept, withoutNull(gathered(one, stack)));
    return kept;
  }

  /** Names of properties are the client's: one of them may be a keyword. */
  function cleanEach(properties: Readonly<Fields>, stack: readonly string[]): unknown {
    return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, cleanOne(value, stack)]));
  }

  /** `true` for a schema is one that says nothing. */
  function cleanOne(value: unknown, stack: readonly string[]): Fields {
    return isRecord(value) ? clean(value, stack) : {};
  }

  function cleanValue(value: unknown, stack: readonly string[], name: string): unknown {
    if (name === "properties" && isRecord(value)) return cleanEach(value, stack);
    if (name === "anyOf" && Array.isArray(value)) return value.filter(isRecord).map((one) => clean(one, stack));
    // Items have one schema here: those of a tuple are its alternatives.
    if (name === "items") return cleanOne(Array.isArray(value) ? { anyOf: value } : value, stack);
    return value;
  }
}

function resolved(root: Readonly<Fields>, reference: string): Readonly<Fields> | undefined {
  const steps = /^#\/(\$defs|definitions)\/(.+)$/.exec(reference);
  const all = steps?.[1] === undefined ? undefined : root[steps[1]];
  const found =
    isRecord(all) && steps?.[2] !== undefined ? all[steps[2].replace(/~1/g, "/").replace(/~0/g, "~")] : undefined;
  return isRecord(found) ? found : undefined;
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
