import { readJson } from "./exact-json.ts";

/** A JSON object, read or being written. */
export type Fields = Record<string, unknown>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of what is an object; nothing else has any. */
export const fieldsIn = (value: unknown): Readonly<Fields> => (isRecord(value) ? value : {});

/** Whether an object has no fields. Most that are asked about have none, or many: no list of their names is made. */
export function isEmpty(fields: object): boolean {
  for (const _ in fields) return false;
  return true;
}

/** Gives an object a member of its own, whatever its name: `__proto__` would be taken for a prototype. */
export function putMember(at: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(at, name, { value, enumerable: true, writable: true, configurable: true });
}

/** The objects in what is a list; nothing else has any. */
export const recordsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** What JSON text says; of text that is none, the second argument. */
export function jsonOr(text: string, otherwise?: unknown): unknown {
  try {
    return readJson(text);
  } catch {
    return otherwise;
  }
}

/** Whether a text is JSON, to its end. */
export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

type Present<Value> = {
  [Name in keyof Value as Maybe<Value[Name]> extends true ? never : Name]: Value[Name];
} & {
  [Name in keyof Value as Maybe<Value[Name]> extends true ? Name : never]?: Exclude<Value[Name], undefined | null>;
};
type Maybe<Value> = undefined extends Value ? true : null extends Value ? true : false;

/** An object while it is made: nobody else has it yet. Where members may be missing, that costs half of what spreads do. */
export type Draft<Made> = { -readonly [Name in keyof Made]: Made[Name] };

/** Leaves out what is undefined or null: on the wire both say what leaving a field out says. */
export function compact<Value extends object>(value: Value): Present<Value> {
  const kept: Fields = {};
  // Called for every object of a request: a list of pairs would take twice as long.
  for (const name in value) {
    const field = value[name];
    if (field !== undefined && field !== null) kept[name] = field;
  }
  return kept as Present<Value>;
}

/** The entry of a table under a name from outside, which may be one that every object knows (`constructor`). */
export const lookUp = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
