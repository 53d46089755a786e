import { GatewayError } from "../../core/index.ts";

/**
 * The work one evaluation may take: parts evaluated, values looked at. Without a bound an expression that fits into a
 * header could keep the gateway busy for hours, by loops in loops over its own lists.
 */
const most = 200_000;
/** Characters that count as much as one part. */
const charactersPerPart = 1024;

/** Evaluations are synchronous and do not nest, so one counter serves them all. */
let left = 0;

/** Asks a question that may cost so much and no more. One that makes no sense of its data is answered no. */
export function withBudget(ask: () => boolean): boolean {
  left = most;
  try {
    return ask();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    return false;
  }
}

function charge(parts: number): void {
  left -= parts;
  if (left < 0)
    throw new GatewayError("config_invalid", "A json_logic expression takes too long to evaluate.", {
      param: "strategy.conditions",
    });
}

/** Charges for a value that operations may go through or turn into text. */
function charged(value: unknown): unknown {
  const open = [value];
  charge(1);
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === "string") charge(one.length / charactersPerPart);
    if (typeof one !== "object" || one === null) continue;
    const inner = Object.values(one);
    charge(inner.length);
    for (const part of inner) open.push(part);
  }
  return value;
}

/** Own properties only: the library's `var` walks up prototypes, to `constructor` and beyond. */
function read(data: unknown, path: unknown, otherwise: unknown = null): unknown {
  if (path === undefined || path === null || path === "") return charged(data);
  let value = data;
  for (const key of String(path).split(".")) {
    if (value === null || value === undefined || !Object.hasOwn(Object(value), key)) return otherwise;
    value = (value as Record<string, unknown>)[key];
  }
  return value === undefined ? otherwise : charged(value);
}

const isMissing = (value: unknown): boolean => value === null || value === "";

const missing = (data: unknown, keys: readonly unknown[]): unknown[] =>
  keys.filter((key) => isMissing(read(data, key)));

/** The library calls operations with the data as `this` and the operands as arguments. */
const ownOperations: Readonly<Record<string, (this: unknown, ...operands: unknown[]) => unknown>> = {
  var(path, otherwise) {
    return read(this, path, otherwise);
  },
  missing(...keys) {
    return missing(this, Array.isArray(keys[0]) ? keys[0] : keys);
  },
  missing_some(needed, keys) {
    const list = Array.isArray(keys) ? keys : [];
    const absent = missing(this, list);
    return list.length - absent.length >= Number(needed) ? [] : absent;
  },
  cat: (...parts) => charged(parts.join("")),
  merge: (...parts) => charged(parts.flat(1)),
  /** Around the body of a loop: its cost, then what it came to. */
  step(cost, value) {
    charge(Number(cost));
    return value;
  },
};

const prefix = "sluice:";

/** The name an operation goes by in rewritten expressions. */
export const own = (operation: string): string =>
  Object.hasOwn(ownOperations, operation) ? prefix + operation : operation;

/** The library has one table of operations for the whole process: ours stand in it under names of their own. */
export function addOwnOperations(library: { add_operation(name: string, operation: unknown): void }): void {
  for (const [name, operation] of Object.entries(ownOperations)) library.add_operation(prefix + name, operation);
}
