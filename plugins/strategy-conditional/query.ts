import type { Facts } from "./facts.ts";
import type { Mistakes } from "./mistakes.ts";
import { operators, type Primitive, type Test } from "./operators.ts";

/** Whether a request is one that a condition means. */
export type Predicate = (facts: Facts) => boolean;

const deepest = 50;
const never: Predicate = () => false;

/** Compiles a query (routing-config.md 7.5): all of its keys must hold. */
export function compileQuery(query: object, mistakes: Mistakes, depth = 0): Predicate {
  if (depth > deepest) {
    mistakes.fatal(`is nested deeper than ${deepest} levels`);
    return never;
  }
  const entries = Object.entries(query);
  if (entries.length === 0) mistakes.slight("is empty, which is always true");
  return every(entries.map(([key, value]) => compileKey(key, value, mistakes.at(key), depth)));
}

function compileKey(key: string, value: unknown, mistakes: Mistakes, depth: number): Predicate {
  if (key === "$and") return every(compileList(value, mistakes, depth));
  if (key === "$or") return some(compileList(value, mistakes, depth));
  if (key.startsWith("$")) {
    mistakes.fatal(`unknown operator; known are $and, $or and, below a path, ${known}`);
    return never;
  }
  const test = compileTest(value, mistakes);
  const read = reader(key);
  return (facts) => {
    const found = read(facts);
    return found !== undefined && test(found);
  };
}

function compileList(value: unknown, mistakes: Mistakes, depth: number): Predicate[] {
  if (!Array.isArray(value)) {
    mistakes.fatal("must be a list of queries");
    return [never];
  }
  return value.map((query: unknown, at) => {
    if (isObject(query)) return compileQuery(query, mistakes.at(at), depth + 1);
    mistakes.at(at).fatal("must be a query");
    return never;
  });
}

/** What a value is compared with: a primitive, or operators that must all hold. */
function compileTest(value: unknown, mistakes: Mistakes): Test {
  if (isPrimitive(value)) return (found) => found === value;
  const entries = isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) mistakes.fatal("must be a primitive or an object of operators");
  const tests = entries.map(([name, operand]): Test => {
    const operator = operators.get(name);
    if (operator) return operator(operand, mistakes.at(name));
    mistakes.at(name).fatal(`unknown operator; known are ${known}`);
    return () => false;
  });
  return (found) => tests.every((test) => test(found));
}

const known = [...operators.keys()].join(", ");

/** Two segments, own keys and primitives only: everything else counts as missing. */
function reader(path: string): (facts: Facts) => Primitive | undefined {
  const [root = "", key = "", ...more] = path.split(".");
  if (more.length > 0 || !(root === "metadata" || root === "params" || root === "url")) return () => undefined;
  return (facts) => {
    const values = facts[root];
    const value: unknown = Object.hasOwn(values, key) ? values[key as keyof typeof values] : undefined;
    return isPrimitive(value) ? value : undefined;
  };
}

const every =
  (predicates: readonly Predicate[]): Predicate =>
  (facts) =>
    predicates.every((holds) => holds(facts));

const some =
  (predicates: readonly Predicate[]): Predicate =>
  (facts) =>
    predicates.some((holds) => holds(facts));

export const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isPrimitive = (value: unknown): value is Primitive =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";
