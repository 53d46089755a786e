import { asReadIn, type Fields, isRecord, targetOf, withMembers, writeJson } from "../../core/index.ts";
import { complete, hint, inSubset, unite, withoutNull } from "./schema-keywords.ts";
import { deepest, mostPlaced, outlineOf } from "./schema-references.ts";

/**
 * A JSON Schema in the subset this API takes (providers.md section 7.5): references are put in place, `null` among the
 * alternatives becomes `nullable`, keywords it refuses are said in others or are gone: they are hints to the model. A
 * reference that cannot be put in place is an object, or what else its target is, without detail: the API refuses
 * references (decision 0046). `lost` is called where properties without a name have schemas: those are said in words.
 */
export function cleaned(schema: Readonly<Fields>, lost?: () => void): Fields {
  const root = schema;
  let placed = 0;
  return clean(schema, [schema]);

  /** `within` are the targets that are being put in place around a node. */
  function clean(node: Readonly<Fields>, within: readonly unknown[]): Fields {
    return asReadIn(node, complete(withoutNull(gathered(node, within))));
  }

  function gathered(node: Readonly<Fields>, within: readonly unknown[]): Fields {
    const { $ref: reference, ...said } = node;
    if (typeof reference === "string") {
      const target = targetOf(root, reference);
      if (!target || within.includes(target) || within.length > deepest || placed >= mostPlaced)
        return gathered(Object.assign(outlineOf(target), said), within);
      placed += 1;
      return gathered(Object.assign({}, target, said), [...within, target]);
    }
    const kept: Fields = {};
    for (const [name, value] of Object.entries(inSubset(node))) kept[name] = cleanValue(value, within, name);
    sayUnnamed(kept, node, within);
    if (Array.isArray(node.allOf))
      for (const one of node.allOf) if (isRecord(one)) unite(kept, withoutNull(gathered(one, within)));
    return kept;
  }

  /** What properties are whose names are not known: this API has no keyword for it. */
  function sayUnnamed(kept: Fields, node: Readonly<Fields>, within: readonly unknown[]): void {
    const { patternProperties: patterns, additionalProperties: others } = node;
    const say = (which: string, value: unknown) => {
      const text = writeJson(cleanOne(value, within));
      if (text === "{}") return;
      if (text.length <= longestHint) hint(kept, `${which} follow the schema ${text}.`);
      lost?.();
    };
    if (isRecord(patterns))
      for (const [name, value] of Object.entries(patterns)) say(`Properties whose names match ${name}`, value);
    say("Other properties", others);
  }

  /** Names of properties are the client's: one of them may be a keyword. */
  function cleanEach(properties: Readonly<Fields>, within: readonly unknown[]): unknown {
    return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, cleanOne(value, within)]));
  }

  /** `true` for a schema is one that says nothing. */
  function cleanOne(value: unknown, within: readonly unknown[]): Fields {
    return isRecord(value) ? clean(value, within) : {};
  }

  function cleanValue(value: unknown, within: readonly unknown[], name: string): unknown {
    if (name === "properties" && isRecord(value)) return cleanEach(value, within);
    if (name === "anyOf" && Array.isArray(value)) return value.filter(isRecord).map((one) => clean(one, within));
    // Items have one schema here: those of a tuple are its alternatives.
    if (name === "items") return cleanOne(Array.isArray(value) ? { anyOf: value } : value, within);
    return value;
  }
}

/** Schemas in words that are longer than this help no model. */
const longestHint = 500;

/** Types as the vendor's own subset calls them. */
const ownTypes: ReadonlySet<unknown> = new Set(["OBJECT", "ARRAY", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "NULL"]);

/** What clients have where a JSON Schema belongs: the vendor takes its own subset there as well (Gemini CLI writes it so). */
export const readJsonSchema = (schema: Readonly<Fields>): Readonly<Fields> =>
  ownTypes.has(schema.type) ? asJsonSchema(schema) : schema;

/** The vendor's own subset as JSON Schema: its types are upper case, and `nullable` is a keyword there. */
export function asJsonSchema(schema: Readonly<Fields>): Fields {
  const { nullable, ...node } = schema;
  const plain: Fields = asReadIn(schema, {});
  for (const [name, value] of Object.entries(node)) plain[name] = plainValue(name, value);
  if (nullable !== true) return plain;
  if (typeof plain.type === "string") return withMembers(plain, { type: [plain.type, "null"] });
  return Array.isArray(plain.anyOf) ? withMembers(plain, { anyOf: [...plain.anyOf, { type: "null" }] }) : plain;
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
  if (Array.isArray(value))
    return asReadIn(
      value,
      value.map((one) => (isRecord(one) ? asJsonSchema(one) : one)),
    );
  return isRecord(value) ? asJsonSchema(value) : value;
}
const counts = new Set(["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"]);
