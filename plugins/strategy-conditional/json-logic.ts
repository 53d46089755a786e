import jsonLogic from "json-logic-js";
import { addOwnOperations, own, withBudget } from "./json-logic-operations.ts";
import type { Mistakes } from "./mistakes.ts";
import type { Predicate } from "./query.ts";

addOwnOperations(jsonLogic);

const deepest = 50;
const largest = 1000;

const loops = ["map", "filter", "reduce", "all", "none", "some"];

/** What an expression may be made of: everything the library has but `log`, and no names of its inner workings. */
const operations = new Set([
  ...["var", "missing", "missing_some", "if", "?:", "and", "or", "!", "!!", "==", "===", "!=", "!=="],
  ...["<", "<=", ">", ">=", "max", "min", "+", "-", "*", "/", "%", "in", "cat", "substr", "merge"],
  ...loops,
]);

/** Compiles a json-logic expression into a question: whether what it comes to is truthy. */
export function compileJsonLogic(expression: unknown, mistakes: Mistakes): Predicate {
  const rewriting: Rewriting = { mistakes, nodes: 0 };
  const logic = rewritten(expression, rewriting, 0);
  if (rewriting.tooLarge) mistakes.fatal(`is too large: at most ${largest} parts, ${deepest} deep`);
  return (facts) => withBudget(() => jsonLogic.truthy(jsonLogic.apply(logic, facts)));
}

interface Rewriting {
  readonly mistakes: Mistakes;
  nodes: number;
  tooLarge?: true;
}

/** The expression with our own operations in place of the library's, where those are too free. */
function rewritten(value: unknown, rewriting: Rewriting, depth: number): unknown {
  rewriting.nodes++;
  if (depth > deepest || rewriting.nodes > largest) rewriting.tooLarge = true;
  if (rewriting.tooLarge) return null;
  if (Array.isArray(value)) return value.map((one) => rewritten(one, rewriting, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  const [entry, ...more] = Object.entries(value);
  // To the library, only an object of one key is logic; any other is a literal.
  if (!entry || more.length > 0) return value;
  const [operation, operands] = entry;
  if (!operations.has(operation)) {
    rewriting.mistakes.fatal(`unknown operation ${JSON.stringify(operation)}`);
    return null;
  }
  const before = rewriting.nodes;
  const inner = [operands].flat(1).map((one: unknown) => rewritten(one, rewriting, depth + 1));
  if (loops.includes(operation) && inner.length > 1) inner[1] = { [own("step")]: [rewriting.nodes - before, inner[1]] };
  return { [own(operation)]: inner };
}
