import { isRecord, type Wire } from "./wire.ts";

/** Schemas may be made of themselves; what is deeper than this is null. */
const deepest = 12;

/** A value a JSON Schema accepts, always the same one: the first of an enum, "sample", 1, lists of one, required only. */
export const sampleOf = (schema: unknown): unknown => sample(schema, isRecord(schema) ? schema : {}, 0);

function sample(schema: unknown, root: Wire, depth: number): unknown {
  if (!isRecord(schema) || depth > deepest) return null;
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (typeof schema.$ref === "string") return sample(referred(schema.$ref, root), root, depth + 1);
  const [alternative] = [schema.anyOf, schema.oneOf].filter(Array.isArray);
  if (alternative) return sample(alternative[0], root, depth + 1);
  if (Array.isArray(schema.allOf)) return sample(Object.assign({}, ...schema.allOf), root, depth + 1);
  switch (typeOf(schema)) {
    case "object":
      return sampleObject(schema, root, depth);
    case "array":
      return Array.isArray(schema.prefixItems)
        ? schema.prefixItems.map((item) => sample(item, root, depth + 1))
        : [sample(schema.items ?? { type: "string" }, root, depth + 1)];
    case "string":
      return "sample";
    case "number":
    case "integer":
      return within(schema);
    case "boolean":
      return true;
    default:
      return null;
  }
}

function sampleObject({ properties, required }: Wire, root: Wire, depth: number): Wire {
  const known = isRecord(properties) ? properties : {};
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return Object.fromEntries(names.map((name) => [name, sample(known[name] ?? { type: "string" }, root, depth + 1)]));
}

function typeOf({ type, properties, items }: Wire): unknown {
  if (Array.isArray(type)) return type.find((one) => one !== "null");
  if (type !== undefined) return type;
  if (items !== undefined) return "array";
  return properties === undefined ? "string" : "object";
}

function within({ minimum, maximum }: Wire): number {
  if (typeof minimum === "number" && minimum > 1) return Math.ceil(minimum);
  return typeof maximum === "number" && maximum < 1 ? Math.floor(maximum) : 1;
}

/** `#/$defs/name`, inside the same schema. */
const referred = (reference: string, root: Wire): unknown =>
  reference
    .split("/")
    .slice(1)
    .reduce<unknown>((inside, step) => (isRecord(inside) ? inside[step] : undefined), root);
