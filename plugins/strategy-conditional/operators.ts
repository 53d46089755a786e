import type { Mistakes } from "./mistakes.ts";
import { compilePattern } from "./pattern.ts";

export type Primitive = string | number | boolean | null;

/** Compares a value that is there; what is missing is never compared. */
export type Test = (found: Primitive) => boolean;

type Operator = (operand: unknown, mistakes: Mistakes) => Test;

const never: Test = () => false;

/** Both sides read as floating point; what does not begin with a number is not one, and compares false. */
const comparing =
  (holds: (found: number, operand: number) => boolean): Operator =>
  (operand) => {
    const right = numberIn(operand);
    return (found) => holds(numberIn(found), right);
  };

const numberIn = (value: unknown): number =>
  typeof value === "number" ? value : typeof value === "string" ? Number.parseFloat(value) : Number.NaN;

export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["$eq", (operand) => (found) => found === operand],
  ["$ne", (operand) => (found) => found !== operand],
  ["$in", (operand) => (Array.isArray(operand) ? (found) => operand.includes(found) : never)],
  ["$nin", (operand) => (Array.isArray(operand) ? (found) => !operand.includes(found) : never)],
  ["$gt", comparing((found, operand) => found > operand)],
  ["$gte", comparing((found, operand) => found >= operand)],
  ["$lt", comparing((found, operand) => found < operand)],
  ["$lte", comparing((found, operand) => found <= operand)],
  [
    "$regex",
    (operand, mistakes) => {
      const pattern = compilePattern(operand);
      if (typeof pattern === "string") {
        mistakes.slight(`${pattern}, so it is never true`);
        return never;
      }
      return (found) => pattern.foundIn(String(found));
    },
  ],
]);
