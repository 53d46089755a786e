import { isDeepStrictEqual } from "node:util";
import { asReadIn, withMembers, writeJson } from "../exact-json.ts";
import { type Fields, isRecord } from "../records.ts";

/** Keywords that combine schemas. */
const combining: ReadonlySet<string> = new Set(["$ref", "allOf", "anyOf", "oneOf"]);
/** Others that vendors refuse at the root of arguments. */
const refused: ReadonlySet<string> = new Set(["enum", "const", "not"]);
/** What a schema says about itself: of two that hold together the first one's counts. */
const annotations: ReadonlySet<string> = new Set(["type", "$schema", "$id", "$comment", "title", "description"]);

/**
 * The schema of a tool's arguments for vendors that want an object there and no choices at its root: OpenAI ("schema must have type
 * 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level") and Anthropic ("input_schema does not support
 * oneOf, allOf, or anyOf at the top level"). What has to hold together is one object. Of alternatives, all properties are there, and
 * required is what each of them requires; which go together is said in the description, and `lost` is called. A schema that refers into
 * such a place, or has no end, stays as it is.
 */
export function plainObjectSchema(schema: Readonly<Fields>, lost: () => void): Readonly<Fields> {
  if (isPlainObjectSchema(schema)) return schema;
  if (/"\$ref":"#(?:"|\/(?:allOf|anyOf|oneOf)\/)/.test(JSON.stringify(schema))) return schema;
  const besides: Fields = {};
  const reader = new Reader(schema);
  const plain = reader.object(schema, besides);
  if (reader.count > most) return schema;
  if (Object.keys(besides).length === 0) return plain;
  lost();
  const said = typeof plain.description === "string" && plain.description !== "" ? [plain.description] : [];
  return withMembers(plain, { description: [...said, writeJson(besides)].join("\n") });
}

/** Whether a schema has nothing at its root that such vendors refuse. */
export const isPlainObjectSchema = (schema: Readonly<Fields>): boolean =>
  !Array.isArray(schema.type) && !Object.keys(schema).some((name) => combining.has(name) || refused.has(name));

/** Schemas that are read: of those that refer to each other many times there is no end in any useful time. */
const most = 1000;

class Reader {
  count = 0;
  readonly #root: Readonly<Fields>;
  /** Schemas whose reading has begun: one that holds itself is read once. */
  readonly #open = new Set<unknown>();

  constructor(root: Readonly<Fields>) {
    this.#root = root;
  }

  /** One object of which the same holds, but for what is put into `besides`. */
  object(schema: Readonly<Fields>, besides: Fields): Fields {
    if (this.#open.has(schema) || ++this.count > most) return {};
    this.#open.add(schema);
    let plain: Fields = asReadIn(schema, { type: "object" });
    for (const [name, value] of Object.entries(schema)) {
      if (refused.has(name)) besides[name] = value;
      else if (name !== "type" && !combining.has(name)) plain[name] = value;
    }
    const { $ref, allOf } = schema;
    for (const one of [this.#target($ref), ...listIn(allOf)])
      if (isRecord(one)) plain = both(plain, this.object(one, besides), besides);
    for (const name of ["anyOf", "oneOf"])
      if (Array.isArray(schema[name])) plain = both(plain, this.#anyOne(name, schema[name], besides), besides);
    this.#open.delete(schema);
    return plain;
  }

  /** Arguments are an object: alternatives that are none are not there. */
  #anyOne(name: string, choices: readonly unknown[], besides: Fields): Fields {
    const objects = choices.filter(isRecord).filter(({ type = "object" }) => [type].flat().includes("object"));
    const [only, ...more] = objects;
    if (!only) return {};
    if (more.length === 0) return this.object(only, besides);
    besides[name] = objects;
    return more.reduce<Fields>((all, one) => either(all, this.object(one, {})), this.object(only, {}));
  }

  /** Definitions stand at the root. */
  #target(reference: unknown): unknown {
    const [, place, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(reference)) ?? [];
    const all = place === undefined ? undefined : this.#root[place];
    return isRecord(all) && name !== undefined && Object.hasOwn(all, name) ? all[name] : undefined;
  }
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const propertiesOf = ({ properties }: Readonly<Fields>): Readonly<Fields> => (isRecord(properties) ? properties : {});

/** An object for which both hold. */
function both(one: Fields, other: Readonly<Fields>, besides: Fields): Fields {
  const all = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const had = all[name];
    if (name === "properties") all[name] = joined(propertiesOf(one), propertiesOf(other), "allOf");
    else if (name === "required") all[name] = [...new Set([...listIn(had), ...listIn(value)])];
    else if (had === undefined || (name === "additionalProperties" && value === false)) all[name] = value;
    else if (!annotations.has(name) && name !== "additionalProperties" && !isDeepStrictEqual(had, value))
      besides[name] = value;
  }
  return asReadIn(one, all);
}

/** An object for which one of them may hold. */
function either(one: Fields, other: Readonly<Fields>): Fields {
  const required = listIn(one.required).filter((name) => listIn(other.required).includes(name));
  return {
    type: "object",
    properties: joined(propertiesOf(one), propertiesOf(other), "anyOf"),
    ...(required.length > 0 && { required }),
    ...(one.additionalProperties === false && other.additionalProperties === false && { additionalProperties: false }),
  };
}

/** Properties of two objects. Where both have one and it is not the same, it is put together by `how`. */
function joined(one: Readonly<Fields>, other: Readonly<Fields>, how: "allOf" | "anyOf"): Fields {
  const all = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const had = Object.hasOwn(one, name) ? one[name] : undefined;
    if (had === undefined) all[name] = value;
    else if (!isDeepStrictEqual(had, value)) all[name] = { [how]: [...alternativesIn(had, how), value] };
  }
  return all;
}

/** What was put together before, one by one. */
const alternativesIn = (schema: unknown, how: string): readonly unknown[] =>
  isRecord(schema) && Object.keys(schema).length === 1 && Array.isArray(schema[how]) ? schema[how] : [schema];
