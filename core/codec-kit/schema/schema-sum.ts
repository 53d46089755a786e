import { writeJson } from "../exact-json.ts";
import { type Fields, isRecord } from "../records.ts";

/** What a schema says about itself: of two that hold together the first one's counts. */
const annotations: ReadonlySet<string> = new Set(["$schema", "$id", "$comment", "title", "description"]);

/** What cannot be said as one object, and is told in words. */
export class Besides {
  readonly #said = new Map<string, unknown>();
  /** What holds as well under a name that was said before. */
  readonly #more: Fields[] = [];

  add(name: string, value: unknown): void {
    if (this.#said.has(name)) this.#more.push(Object.fromEntries([[name, value]]));
    else this.#said.set(name, value);
  }
  /** As JSON; undefined where there is nothing. */
  get text(): string | undefined {
    if (this.#said.size === 0) return undefined;
    const all = this.#more.length > 0 ? { allOf: this.#more } : {};
    return writeJson({ ...Object.fromEntries(this.#said), ...all });
  }
}

/** One object that is put together of several. What each of them costs is what it has itself, and not what there was before. */
export class SchemaSum {
  /** Schemas whose keywords are in it: to say one twice says no more. */
  readonly read = new Set<unknown>();
  readonly #keywords = new Map<string, unknown>();
  readonly #properties = new Map<string, unknown>();
  readonly #required = new Set<unknown>();
  readonly #sameness: Sameness;

  constructor(sameness: Sameness) {
    this.#sameness = sameness;
    this.#keywords.set("type", "object");
  }

  /** How many properties are required. */
  get required(): number {
    return this.#required.size;
  }

  /** How many properties and keywords it has. */
  get size(): number {
    return this.#properties.size + this.#required.size + this.#keywords.size;
  }

  /** A keyword of a schema that holds as well. Where both cannot be said in one, the other one is told in words. */
  add(name: string, value: unknown, besides: Besides): void {
    if (name === "properties") {
      for (const [property, schema] of Object.entries(isRecord(value) ? value : {}))
        this.#join(property, schema, "allOf");
      this.#keywords.set(name, undefined);
    } else if (name === "required") {
      for (const property of Array.isArray(value) ? value : []) this.#required.add(property);
      this.#keywords.set(name, undefined);
    } else if (!this.#keywords.has(name) || this.#isWider(name, value)) this.#keywords.set(name, value);
    else if (!annotations.has(name) && !this.#isNarrower(name, value)) besides.add(name, value);
  }

  /** What another one says, for which the same holds. */
  addAll(other: SchemaSum): void {
    for (const [property, schema] of other.#properties) this.#join(property, schema, "allOf");
    for (const property of other.#required) this.#required.add(property);
    for (const name of ["properties", ...(other.#required.size > 0 ? ["required"] : [])])
      this.#keywords.set(name, undefined);
    if (other.#isClosed) this.#keywords.set("additionalProperties", false);
  }

  /** Makes it one for which this one or another one holds, as far as one object can say that. */
  orElse(other: SchemaSum): void {
    for (const [property, schema] of other.#properties) this.#join(property, schema, "anyOf");
    for (const property of this.#required) if (!other.#required.has(property)) this.#required.delete(property);
    if (!other.#isClosed) this.#keywords.delete("additionalProperties");
  }

  /** As a schema. Vendors refuse objects without `properties`. */
  get schema(): Fields {
    const properties = [...this.#properties].map(([name, schema]) => [name, written(schema)] as const);
    const all = new Map(this.#keywords).set("properties", Object.fromEntries(properties));
    if (all.has("required")) all.set("required", [...this.#required]);
    return Object.fromEntries(all);
  }

  get #isClosed(): boolean {
    return this.#keywords.get("additionalProperties") === false;
  }

  /** Whether what there is of a keyword lets more pass than a value of it, which then is all there is to say. */
  #isWider(name: string, value: unknown): boolean {
    return name === "additionalProperties" && (value === false || this.#keywords.get(name) === true);
  }

  #isNarrower(name: string, value: unknown): boolean {
    if (name === "additionalProperties" && (value === true || this.#isClosed)) return true;
    return this.#sameness.keyOf(this.#keywords.get(name)) === this.#sameness.keyOf(value);
  }

  /** Where both have a property and it is not the same, it is put together by `how`. */
  #join(property: string, schema: unknown, how: "allOf" | "anyOf"): void {
    const had = this.#properties.get(property);
    if (had === undefined) this.#properties.set(property, schema);
    else if (had instanceof Joined && had.how === how) had.parts.set(this.#sameness.keyOf(schema), schema);
    else if (this.#sameness.keyOf(had) !== this.#sameness.keyOf(schema)) {
      const parts = new Map([had, schema].map((part) => [this.#sameness.keyOf(part), part]));
      this.#properties.set(property, new Joined(how, parts));
    }
  }
}

/** Schemas of a property that hold together, or one of which does. */
class Joined {
  readonly how: "allOf" | "anyOf";
  /** Each once, by its key. */
  readonly parts: Map<unknown, unknown>;

  constructor(how: "allOf" | "anyOf", parts: Map<unknown, unknown>) {
    this.how = how;
    this.parts = parts;
  }
}

const written = (schema: unknown): unknown =>
  schema instanceof Joined ? { [schema.how]: [...schema.parts.values()].map(written) } : schema;

/** Knows schemas that are the same, letter by letter: each of them is written once, however often it is asked for. */
export class Sameness {
  readonly #keys = new WeakMap<object, string>();
  readonly #texts = new Map<string, string>();

  /** The same for what is the same. */
  keyOf(schema: unknown): unknown {
    if (typeof schema !== "object" || schema === null || schema instanceof Joined) return schema;
    const known = this.#keys.get(schema);
    if (known !== undefined) return known;
    const text = writeJson(schema);
    const key = this.#texts.get(text) ?? `schema ${this.#texts.size}`;
    this.#texts.set(text, key);
    this.#keys.set(schema, key);
    return key;
  }
}
