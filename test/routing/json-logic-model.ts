import type { Fields } from "./trees.ts";

/** What an expression of JsonLogic comes to, as naively as its pages word it. Data are JSON. */
export function comesTo(logic: unknown, data: unknown): unknown {
  if (Array.isArray(logic)) return logic.map((one) => comesTo(one, data));
  if (typeof logic !== "object" || logic === null || Object.keys(logic).length !== 1) return logic;
  const [[operation, operands] = ["", []]] = Object.entries(logic);
  const all: readonly unknown[] = Array.isArray(operands) ? operands : [operands];
  const lazy = lazily[operation];
  if (lazy) return lazy(all, data);
  const eager = eagerly[operation];
  if (!eager) throw new Error(`${operation} is not made here`);
  return eager(
    all.map((one) => comesTo(one, data)),
    data,
  );
}

export const isTruthy = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

type Operation = (operands: readonly unknown[], data: unknown) => unknown;

const holds = (logic: unknown, data: unknown): boolean => isTruthy(comesTo(logic, data));
const listOf = (logic: unknown, data: unknown): readonly unknown[] => {
  const found = comesTo(logic, data);
  return Array.isArray(found) ? found : [];
};

/** Whose operands are looked at as they are needed, or once for each thing in a list. */
const lazily: Readonly<Record<string, Operation>> = {
  if(operands, data) {
    const [condition, wanted, ...others] = operands;
    if (operands.length === 0) return null;
    if (operands.length === 1) return comesTo(condition, data);
    return holds(condition, data) ? comesTo(wanted, data) : lazily.if?.(others, data);
  },
  "?:": (operands, data) => lazily.if?.(operands, data),
  and([first, ...others], data) {
    const found = comesTo(first, data);
    return others.length > 0 && isTruthy(found) ? lazily.and?.(others, data) : found;
  },
  or([first, ...others], data) {
    const found = comesTo(first, data);
    return others.length > 0 && !isTruthy(found) ? lazily.or?.(others, data) : found;
  },
  filter: ([list, logic], data) => listOf(list, data).filter((one) => holds(logic, one)),
  map: ([list, logic], data) => listOf(list, data).map((one) => comesTo(logic, one)),
  reduce: ([list, logic, start], data) =>
    listOf(list, data).reduce(
      (accumulator: unknown, current) => comesTo(logic, { current, accumulator }),
      comesTo(start, data),
    ),
  some: ([list, logic], data) => listOf(list, data).some((one) => holds(logic, one)),
  none: ([list, logic], data) => !listOf(list, data).some((one) => holds(logic, one)),
  all([list, logic], data) {
    const found = listOf(list, data);
    return found.length > 0 && found.every((one) => holds(logic, one));
  },
};

/** Compared as JavaScript does, which JsonLogic says it is. */
type Loose = number;

const eagerly: Readonly<Record<string, Operation>> = {
  var: ([path, otherwise = null], data) => read(data, path, otherwise),
  // biome-ignore lint/suspicious/noDoubleEquals: that is what it means.
  "==": ([one, other]) => one == other,
  // biome-ignore lint/suspicious/noDoubleEquals: that is what it means.
  "!=": ([one, other]) => one != other,
  "===": ([one, other]) => one === other,
  "!==": ([one, other]) => one !== other,
  "<": (operands) => inOrder(operands, (one, other) => one < other),
  "<=": (operands) => inOrder(operands, (one, other) => one <= other),
  ">": ([one, other]) => (one as Loose) > (other as Loose),
  ">=": ([one, other]) => (one as Loose) >= (other as Loose),
  "!": ([one]) => !isTruthy(one),
  "!!": ([one]) => isTruthy(one),
  in: ([part, whole]) =>
    typeof whole === "string" ? whole.includes(String(part)) : Array.isArray(whole) && whole.includes(part),
  cat: (parts) => parts.map((part) => (part === null ? "" : String(part))).join(""),
  substr: ([text, from, count]) => cutOut(String(text), Number(from), count === undefined ? undefined : Number(count)),
  max: (operands) => Math.max(...(operands as number[])),
  min: (operands) => Math.min(...(operands as number[])),
  "+": (operands) => operands.reduce((sum: number, one) => sum + Number.parseFloat(String(one)), 0),
  "-": ([one, other]) => (other === undefined ? -(one as number) : (one as number) - (other as number)),
  "%": ([one, other]) => (one as number) % (other as number),
  merge: (operands) => operands.flat(1),
  missing: (operands, data) => absent(operands.flat(1), data),
  missing_some([needed, keys], data) {
    const wanted = keys as readonly unknown[];
    const left = absent(wanted, data);
    return wanted.length - left.length >= Number(needed) ? [] : left;
  },
};

const inOrder = (operands: readonly unknown[], isBefore: (one: Loose, other: Loose) => boolean): boolean =>
  operands.slice(1).every((other, at) => isBefore(operands[at] as Loose, other as Loose));

const absent = (keys: readonly unknown[], data: unknown): unknown[] =>
  keys.filter((key) => [null, ""].includes(read(data, key, null) as null | ""));

function read(data: unknown, path: unknown, otherwise: unknown): unknown {
  if (path === "" || path === null) return data;
  const found = String(path)
    .split(".")
    .reduce((value: unknown, key) => (hasOwn(value, key) ? (value as Fields)[key] : undefined), data);
  return found === undefined ? otherwise : found;
}

const hasOwn = (value: unknown, key: string): boolean =>
  value !== null && value !== undefined && Object.hasOwn(Object(value) as object, key);

/** Negative: from the end. */
function cutOut(text: string, from: number, count: number | undefined): string {
  const rest = text.slice(from);
  if (count === undefined) return rest;
  return count < 0 ? rest.slice(0, count) : rest.slice(0, count);
}
