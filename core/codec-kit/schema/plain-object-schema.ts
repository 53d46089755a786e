import { asReadIn } from "../exact-json.ts";
import { type Fields, isRecord } from "../records.ts";
import { Besides, Sameness, SchemaSum } from "./schema-sum.ts";
import { targetOf } from "./schema-target.ts";

/** Keywords that combine schemas. */
const combining: ReadonlySet<string> = new Set(["$ref", "allOf", "anyOf", "oneOf"]);
/** Others that vendors refuse at the root of arguments. */
const refused: ReadonlySet<string> = new Set(["enum", "const", "not"]);

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
  const besides = new Besides();
  const reader = new Reader(schema);
  const sum = reader.sumOf(schema, besides);
  if (reader.isSpent) return schema;
  const plain: Fields = asReadIn(schema, sum.schema);
  const { text } = besides;
  if (text === undefined) return plain;
  lost();
  const said = typeof plain.description === "string" && plain.description !== "" ? [plain.description] : [];
  return Object.assign(plain, { description: [...said, text].join("\n") });
}

/** Whether a schema has nothing at its root that such vendors refuse. */
export const isPlainObjectSchema = (schema: Readonly<Fields>): boolean =>
  !Array.isArray(schema.type) && !Object.keys(schema).some((name) => combining.has(name) || refused.has(name));

/**
 * What may be read: of schemas that refer to each other many times there is no end in any useful time. A schema costs as much as a
 * hundred properties, so that no more than a thousand of them are read one within the other.
 */
const most = 100_000;
const eachSchema = 100;

class Reader {
  #read = 0;
  readonly #root: Readonly<Fields>;
  readonly #sameness = new Sameness();
  /** Schemas whose reading has begun: one that holds itself is read once. */
  readonly #open = new Set<unknown>();

  constructor(root: Readonly<Fields>) {
    this.#root = root;
  }

  get isSpent(): boolean {
    return this.#read > most;
  }

  /** One object of which the same holds, but for what is put into `besides`. */
  sumOf(schema: Readonly<Fields>, besides: Besides): SchemaSum {
    const sum = new SchemaSum(this.#sameness);
    this.#add(schema, sum, besides);
    this.#read += sum.size;
    return sum;
  }

  #add(schema: Readonly<Fields>, sum: SchemaSum, besides: Besides): void {
    if (this.#open.has(schema) || sum.read.has(schema)) return;
    this.#read += eachSchema;
    if (this.isSpent) return;
    this.#open.add(schema);
    sum.read.add(schema);
    for (const [name, value] of Object.entries(schema)) {
      if (refused.has(name)) besides.add(name, value);
      else if (name !== "type" && !combining.has(name)) sum.add(name, value, besides);
    }
    const { $ref, allOf } = schema;
    const target = typeof $ref === "string" ? targetOf(this.#root, $ref) : undefined;
    if ($ref !== undefined && !target) besides.add("$ref", $ref);
    for (const one of [target, ...listIn(allOf)]) if (isRecord(one)) this.#add(one, sum, besides);
    for (const name of ["anyOf", "oneOf"])
      if (Array.isArray(schema[name])) this.#addAnyOne(name, schema[name], sum, besides);
    this.#open.delete(schema);
  }

  /** Arguments are an object: alternatives that are none are not there. */
  #addAnyOne(name: string, choices: readonly unknown[], sum: SchemaSum, besides: Besides): void {
    const objects = choices.filter(isRecord).filter(({ type = "object" }) => [type].flat().includes("object"));
    const [only, ...more] = objects;
    if (!only) return;
    if (more.length === 0) return this.#add(only, sum, besides);
    besides.add(name, objects);
    const any = this.sumOf(only, new Besides());
    for (const one of more) {
      any.orElse(this.sumOf(one, new Besides()));
      this.#read += any.required;
      if (this.isSpent) return;
    }
    sum.addAll(any);
  }
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
