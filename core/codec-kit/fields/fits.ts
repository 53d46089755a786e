import type { z } from "zod";
import { isRecord } from "../records.ts";

type Test = (value: unknown) => boolean;

/** What is read off a schema: its own description of itself, as far as it is known here. */
interface Definition {
  readonly type: string;
  readonly check?: string;
  readonly format?: string;
  readonly coerce?: boolean;
  readonly checks?: readonly Check[];
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
}

interface Check {
  readonly _zod: {
    readonly def: {
      readonly check: string;
      readonly minimum?: number;
      readonly value?: number;
      readonly inclusive?: boolean;
    };
  };
}

/** The tests of schemas; undefined for those of which only they themselves can tell. */
const known = new WeakMap<z.ZodType, Test | undefined>();

/** Says which values a schema leaves as they are, where it is none of those that always do. */
export function leaves<Schema extends z.ZodType>(schema: Schema, test: Test): Schema {
  known.set(schema, test);
  return schema;
}

/**
 * Whether a value is sure to be one that a schema accepts and gives back equal. It is not where only the schema can tell.
 * Most values of a request are right: to see it costs a fraction of what parsing them does.
 */
export function fits(schema: z.ZodType, value: unknown): boolean {
  return testOf(schema)?.(value) ?? false;
}

function testOf(schema: z.ZodType | undefined): Test | undefined {
  if (!schema) return undefined;
  const found = known.get(schema);
  if (found || known.has(schema)) return found;
  // One that has itself within it comes back here.
  known.set(schema, undefined);
  const made = compiled(definitionOf(schema));
  known.set(schema, made);
  return made;
}

const definitionOf = (schema: z.ZodType): Definition => schema._zod.def as unknown as Definition;

function compiled(definition: Definition): Test | undefined {
  const { type, coerce, checks = [] } = definition;
  if (coerce || (checks.length > 0 && type !== "number" && type !== "array")) return undefined;
  return compilers[type]?.(definition);
}

const always: Test = () => true;

/** By the type of a schema. Others change what they are given, or are not worth it. */
const compilers: Readonly<Record<string, (definition: Definition) => Test | undefined>> = {
  unknown: () => always,
  boolean: () => (value) => typeof value === "boolean",
  string: ({ format }) => (format === undefined ? (value) => typeof value === "string" : undefined),
  number: numberTest,
  enum: ({ entries = {} }) => {
    const values = new Set<unknown>(Object.values(entries));
    return (value) => values.has(value);
  },
  literal: ({ values = [] }) => {
    const all = new Set<unknown>(values);
    return (value) => all.has(value);
  },
  optional: (definition) => besides(undefined, definition),
  nullable: (definition) => besides(null, definition),
  array: listTest,
  record: recordTest,
  union: ({ options = [] }) => {
    const tests = testsOf(options);
    return tests && ((value) => tests.some((test) => test(value)));
  },
  object: objectTest,
};

const isUnchecked = (schema: z.ZodType, type: string): boolean => {
  const { type: own, checks = [] } = definitionOf(schema);
  return own === type && checks.length === 0;
};

function numberTest({ check, format, checks = [] }: Definition): Test | undefined {
  if (check !== undefined && format !== "safeint") return undefined;
  const isNumber: Test = check === undefined ? Number.isFinite : Number.isSafeInteger;
  let least = Number.NEGATIVE_INFINITY;
  for (const { _zod } of checks) {
    const { check: kind, value, inclusive } = _zod.def;
    if (kind !== "greater_than" || !inclusive || typeof value !== "number") return undefined;
    least = Math.max(least, value);
  }
  return (value) => isNumber(value) && (value as number) >= least;
}

function besides(absent: null | undefined, { innerType }: Definition): Test | undefined {
  const inner = testOf(innerType);
  return inner && ((value) => value === absent || inner(value));
}

function listTest({ element, checks = [] }: Definition): Test | undefined {
  const test = testOf(element);
  if (!test) return undefined;
  let least = 0;
  for (const { _zod } of checks) {
    const { check, minimum } = _zod.def;
    if (check !== "min_length" || minimum === undefined) return undefined;
    least = Math.max(least, minimum);
  }
  if (test === always) return (value) => Array.isArray(value) && value.length >= least;
  return (value) => Array.isArray(value) && value.length >= least && value.every((member) => test(member));
}

function recordTest({ keyType, valueType }: Definition): Test | undefined {
  const test = keyType && isUnchecked(keyType, "string") ? testOf(valueType) : undefined;
  if (!test || test === always) return test && isRecord;
  return (value) => {
    if (!isRecord(value)) return false;
    for (const name in value) if (name === "__proto__" || !test(value[name])) return false;
    return true;
  };
}

/**
 * Objects that leave what they do not know as it is. What is there is looked at, not what could be: most of what a schema
 * knows is in no request.
 */
function objectTest({ shape = {}, catchall }: Definition): Test | undefined {
  if (!catchall || !isUnchecked(catchall, "unknown")) return undefined;
  const tests = new Map<string, Test>();
  const needed: string[] = [];
  for (const [name, schema] of Object.entries(shape)) {
    const test = testOf(schema);
    if (!test) return undefined;
    tests.set(name, test);
    // What may be anything has to be there all the same.
    if (schema._zod.optin !== "optional") needed.push(name);
  }
  return (value) => {
    if (!isRecord(value)) return false;
    for (const name of needed) if (value[name] === undefined) return false;
    for (const name in value) {
      const field = value[name];
      if (field !== undefined && tests.get(name)?.(field) === false) return false;
    }
    return true;
  };
}

/** Undefined where one of them is not known. */
function testsOf(schemas: readonly z.ZodType[]): Test[] | undefined {
  const tests = schemas.map(testOf);
  return tests.every((test) => test !== undefined) ? tests : undefined;
}
