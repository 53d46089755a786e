import { type Fields, isRecord, memberText, writeJson } from "../../core/index.ts";

/** All this API knows of JSON Schema; other keywords are refused. */
const known = [
  ...["type", "format", "title", "description", "nullable", "enum", "items", "properties", "required", "anyOf"],
  ...["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties", "minimum", "maximum"],
  ...["pattern", "default", "example", "propertyOrdering"],
];

/** One schema in the keywords this API knows; what is said in others is said in these where they can say it. */
export function inSubset(node: Readonly<Fields>): Fields {
  const plain: Fields = {};
  for (const name of known) if (node[name] !== undefined) plain[name] = node[name];
  if (node.oneOf !== undefined) plain.anyOf ??= node.oneOf;
  if (node.prefixItems !== undefined) plain.items ??= node.prefixItems;
  bound(plain, node);
  if (plain.enum === undefined) sayConstant(plain, node);
  else if (Array.isArray(plain.enum)) sayChoices(plain, plain.enum);
  const { format } = plain;
  if (format !== undefined && !formats[onlyType(plain) ?? ""]?.includes(String(format))) {
    delete plain.format;
    hint(plain, `Format: ${format}.`);
  }
  return plain;
}

/** The formats a type may have here; any other is refused. */
const formats: Readonly<Record<string, readonly string[]>> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

/** What a value is besides null, where that is one thing. */
function onlyType({ type }: Fields): string | undefined {
  const [only, ...more] = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  return typeof only === "string" && more.length === 0 ? only.toLowerCase() : undefined;
}

/** Tells the model in words what it is not held to. */
export function hint(plain: Fields, said: string): void {
  plain.description = typeof plain.description === "string" ? `${plain.description} ${said}` : said;
}

/** Bounds are never exclusive here: those of integers are the next ones, those of other numbers nearly right. */
function bound(plain: Fields, { exclusiveMinimum: above, exclusiveMaximum: below }: Readonly<Fields>): void {
  const whole = typeof plain.type === "string" && plain.type.toLowerCase() === "integer";
  const { minimum, maximum } = plain;
  if (typeof above === "number") {
    const least = whole ? Math.floor(above) + 1 : above;
    plain.minimum = typeof minimum === "number" ? Math.max(minimum, least) : least;
  }
  if (typeof below === "number") {
    const most = whole ? Math.ceil(below) - 1 : below;
    plain.maximum = typeof maximum === "number" ? Math.min(maximum, most) : most;
  }
}

/** A constant is the one choice there is; lists and objects are told in words. */
function sayConstant(plain: Fields, node: Readonly<Fields>): void {
  const { const: constant } = node;
  if (constant === undefined) return;
  if (constant === null) plain.type = "null";
  else if (typeof constant === "object") {
    plain.type ??= Array.isArray(constant) ? "array" : "object";
    hint(plain, `Always ${writeJson(constant)}.`);
  } else {
    if (typeof constant === "string") plain.type = "string";
    sayChoices(plain, [constant], [memberText(node, "const")]);
  }
}

/** Choices are texts here; `null` among them is a keyword, and numbers, as texts, would come back as such. `texts` are all of them as JSON. */
function sayChoices(
  plain: Fields,
  choices: readonly unknown[],
  texts = choices.map((_, at) => memberText(choices, at)),
): void {
  const others = choices.filter((one) => one !== null);
  const written = texts.filter((_, at) => choices[at] !== null);
  const single = typeof plain.type === "string";
  delete plain.enum;
  if (others.length === 0) {
    if (choices.length > 0) plain.type = "null";
    return;
  }
  if (others.length < choices.length && !single) plain.nullable = true;
  const type = onlyType(plain) ?? (plain.type === undefined ? typeOf(others) : undefined);
  if (type !== undefined && measured.has(type)) {
    plain.type = type;
    return hint(plain, `One of ${written.join(", ")}.`);
  }
  if (!single || others.some((one) => typeof one !== "string")) plain.type = "string";
  plain.enum = others.map((one, at) => (typeof one === "string" ? one : written[at]));
}

const measured: ReadonlySet<string> = new Set(["integer", "number", "boolean"]);

/** What all choices are, where nobody says it. */
function typeOf(choices: readonly unknown[]): string | undefined {
  if (choices.every((one) => typeof one === "boolean")) return "boolean";
  if (choices.every((one) => Number.isInteger(one))) return "integer";
  return choices.every((one) => typeof one === "number") ? "number" : undefined;
}

/** Adds a schema that holds besides: properties of both are there, and of what both say the first one's. */
export function unite(schema: Fields, other: Readonly<Fields>): void {
  for (const [name, value] of Object.entries(other)) {
    const own = schema[name];
    if (own === undefined) schema[name] = value;
    else if (name === "properties" && isRecord(own) && isRecord(value)) {
      const added = Object.entries(value).filter(([key]) => !Object.hasOwn(own, key));
      schema[name] = Object.fromEntries([...Object.entries(own), ...added]);
    } else if (name === "required" && Array.isArray(own) && Array.isArray(value))
      schema[name] = [...new Set([...own, ...value])];
  }
}

const isNull = (node: unknown): boolean => isRecord(node) && node.type === "null";

/** `anyOf: [T, null]` and `type: [t, null]` are a `nullable` T here. */
export function withoutNull(node: Fields): Fields {
  if (Array.isArray(node.type)) return oneType(node, node.type);
  const { anyOf: choices, ...rest } = node;
  if (!Array.isArray(choices)) return node;
  const others = choices.filter((choice) => !isNull(choice));
  if (others.length < choices.length) rest.nullable = true;
  const [only] = others;
  if (others.length === 1 && isRecord(only)) return Object.assign({}, rest, only, rest.nullable && { nullable: true });
  if (others.length > 0) rest.anyOf = others;
  return rest;
}

/** Keywords that go with one type only, where there are several. */
const ofType: Readonly<Record<string, readonly string[]>> = {
  array: ["items", "minItems", "maxItems"],
  object: ["properties", "required", "minProperties", "maxProperties", "propertyOrdering"],
  string: ["format", "pattern", "minLength", "maxLength"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
};

/** A schema has one type here: several are alternatives. */
function oneType(node: Fields, types: readonly unknown[]): Fields {
  const { type: _, ...rest } = node;
  const others = types.filter((type) => type !== "null");
  if (others.length < types.length) rest.nullable = true;
  if (others.length < 2) return Object.assign(rest, { type: others[0] ?? "null" });
  const choices = others.map((type) => choiceOf(String(type), node));
  for (const name of Object.values(ofType).flat()) delete rest[name];
  rest.anyOf ??= choices;
  return rest;
}

function choiceOf(type: string, node: Readonly<Fields>): Fields {
  const choice: Fields = { type };
  for (const name of ofType[type.toLowerCase()] ?? []) if (node[name] !== undefined) choice[name] = node[name];
  return choice;
}

/** Lists say what they are of, and only what is there can be required: the API refuses others. */
export function complete(node: Fields): Fields {
  if (node.items !== undefined && node.anyOf === undefined) node.type ??= "array";
  if (node.type === "array") node.items = typed(node.items);
  if (Array.isArray(node.required)) {
    const { properties } = node;
    const there = isRecord(properties) ? node.required.filter((name) => Object.hasOwn(properties, name)) : [];
    if (there.length > 0) node.required = there;
    else delete node.required;
  }
  // Alternatives that differ in what they require say nothing else.
  if (Array.isArray(node.anyOf) && node.anyOf.every((one) => isRecord(one) && Object.keys(one).length === 0))
    delete node.anyOf;
  return node;
}

function typed(items: unknown): Fields {
  if (!isRecord(items)) return { type: "string" };
  return items.type === undefined && items.anyOf === undefined ? { type: "string", ...items } : items;
}
