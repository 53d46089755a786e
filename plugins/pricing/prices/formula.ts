import { countRatio, one, plus, type Ratio, ratioOf, times, zero } from "../arithmetic/ratio.ts";

/** A formula of a pricing object (policies.md section 9.4). */
export type Formula =
  | { readonly operation: "sum" | "multiply"; readonly operands: readonly Formula[] }
  | { readonly value: string | number };

export interface Formulas {
  readonly request?: Formula;
  readonly response?: Formula;
}

/** How deep a formula may be, and how many nodes it may have. */
const deepest = 20;
const largest = 500;

/** Reads a formula; throws a RangeError on what is none. */
export function formulaOf(given: unknown): Formula {
  let nodes = 0;
  const read = (node: unknown, depth: number): Formula => {
    if (depth > deepest || ++nodes > largest) throw new RangeError("a formula is too large");
    const { operation, operands, value } = (typeof node === "object" && node !== null ? node : {}) as Record<
      string,
      unknown
    >;
    if ((operation === "sum" || operation === "multiply") && Array.isArray(operands))
      return { operation, operands: operands.map((operand) => read(operand, depth + 1)) };
    if (typeof value === "string") return { value };
    if (typeof value === "number") {
      ratioOf(value);
      return { value };
    }
    throw new RangeError('a formula is {operation: "sum" or "multiply", operands: […]} or {value: NAME}');
  };
  return read(given, 0);
}

/** What a formula comes to. A name nobody knows is nothing. */
export function evaluated(formula: Formula, named: (name: string) => Ratio | undefined): Ratio {
  if ("value" in formula)
    return typeof formula.value === "number" ? countRatio(formula.value) : (named(formula.value) ?? zero);
  const { operation, operands } = formula;
  if (operation === "sum") return operands.reduce((sum, operand) => plus(sum, evaluated(operand, named)), zero);
  return operands.reduce((product, operand) => times(product, evaluated(operand, named)), one);
}

/** All names in a formula. */
export const namesIn = (formula: Formula | undefined): string[] =>
  !formula
    ? []
    : "value" in formula
      ? typeof formula.value === "string"
        ? [formula.value]
        : []
      : formula.operands.flatMap(namesIn);
