import { asReadIn, writeJson } from "../exact-json.ts";
import { type Fields, isRecord } from "../records.ts";
import { isRecursive } from "./recursive-schema.ts";

/** A JSON Schema as those take it who compile a grammar of it, and then let a model write nothing else. */
export interface CompilableSchema {
  /** Undefined where it refers to itself: no grammar is made of such a one. */
  readonly schema?: Fields;
  /** Objects that may hold anything had to be closed: nothing but their properties can be said. */
  readonly closes: boolean;
}

/**
 * Objects are closed, and what a grammar cannot hold (bounds, lengths, patterns) is said in the description instead, as
 * clients of such vendors do.
 */
export function compilable(schema: Readonly<Fields>): CompilableSchema {
  if (isRecursive(schema)) return { closes: false };
  const reader = new Reader();
  const plain = reader.read(schema);
  return { schema: plain, closes: reader.closes };
}

/** The schema of an answer for those who make a grammar of it, with what is lost; undefined where there can be none. */
export function answerSchema(schema: Readonly<Fields>, report: (dropped: string) => void): Fields | undefined {
  const { schema: written, closes } = compilable(schema);
  if (!written) report("response_format");
  if (closes) report("response_format.schema");
  return written;
}

/** What says nothing about the value itself. */
const silent = new Set(["$schema", "$id", "$comment", "readOnly", "writeOnly", "deprecated"]);
const asTheyAre = new Set(["type", "title", "description", "default", "required"]);
const formats = new Set([
  ...["date-time", "time", "date", "duration"],
  ...["email", "hostname", "uri", "ipv4", "ipv6", "uuid"],
]);

const isPrimitive = (value: unknown): boolean => value === null || typeof value !== "object";

/** Whether a keyword with this value can be part of a grammar. */
const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  const: isPrimitive,
  enum: (value) => Array.isArray(value) && value.length > 0 && value.every(isPrimitive),
  format: (value) => typeof value === "string" && formats.has(value),
  minItems: (value) => value === 0 || value === 1,
};

class Reader {
  closes = false;

  read(node: Readonly<Fields>): Fields {
    const $ref = referenceIn(node);
    // Nothing else may stand beside a reference.
    if ($ref !== undefined) return Object.assign(this.#definitions(node), { $ref });
    const plain: Fields = {};
    const besides: Fields = {};
    for (const [name, value] of Object.entries(node)) this.#keyword(name, value, node, plain, besides);
    if (isObjectSchema(node)) this.#close(node, plain);
    if (Object.keys(besides).length > 0) plain.description = described(node.description, asReadIn(node, besides));
    return asReadIn(node, plain);
  }

  #keyword(name: string, value: unknown, node: Readonly<Fields>, plain: Fields, besides: Fields): void {
    if (silent.has(name) || value === undefined) return;
    if (asTheyAre.has(name) || fits[name]?.(value)) plain[name] = value;
    else if (isNaming(name) && isRecord(value)) plain[name] = this.#each(value);
    else if ((name === "anyOf" || name === "allOf") && Array.isArray(value)) plain[name] = this.#all(value);
    else if (name === "oneOf" && Array.isArray(value) && node.anyOf === undefined) plain.anyOf = this.#all(value);
    else if (name === "items" && isRecord(value)) plain.items = this.read(value);
    else if (name === "additionalProperties" && !isRecord(value)) return;
    else {
      besides[name] = value;
      if (name === "prefixItems" || name === "items") this.#tuple(value, node, plain);
    }
  }

  /** Items have one schema: those of a tuple are its alternatives. */
  #tuple(value: unknown, { items }: Readonly<Fields>, plain: Fields): void {
    if (Array.isArray(value) && value.length > 0 && !isRecord(items)) plain.items = { anyOf: this.#all(value) };
  }

  #close({ properties, additionalProperties: more, patternProperties }: Readonly<Fields>, plain: Fields): void {
    const open = more === undefined ? patternProperties !== undefined || !isRecord(properties) : more !== false;
    if (open) this.closes = true;
    plain.type ??= "object";
    plain.additionalProperties = false;
  }

  #definitions(node: Readonly<Fields>): Fields {
    const found: Fields = {};
    for (const name of ["$defs", "definitions"]) {
      const value = node[name];
      if (isRecord(value)) found[name] = this.#each(value);
    }
    return found;
  }

  #each(schemas: Readonly<Fields>): Fields {
    return Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, this.#one(value)]));
  }

  #all(schemas: readonly unknown[]): unknown[] {
    return schemas.map((one) => this.#one(one));
  }

  #one(value: unknown): unknown {
    return isRecord(value) ? this.read(value) : value;
  }
}

/** Keywords whose value is an object of named schemas. */
const isNaming = (name: string) => name === "properties" || name === "$defs" || name === "definitions";

/** Some write a reference as the only one of all that has to hold, to have something beside it. */
function referenceIn({ $ref, allOf }: Readonly<Fields>): string | undefined {
  if (typeof $ref === "string") return $ref;
  const [only] = Array.isArray(allOf) && allOf.length === 1 ? allOf : [];
  return isRecord(only) && typeof only.$ref === "string" ? only.$ref : undefined;
}

const described = (description: unknown, besides: Readonly<Fields>): string =>
  [...(typeof description === "string" && description !== "" ? [description] : []), writeJson(besides)].join("\n");

const isObjectSchema = ({ type, properties }: Readonly<Fields>) =>
  type === "object" || (Array.isArray(type) && type.includes("object")) || (type === undefined && isRecord(properties));
