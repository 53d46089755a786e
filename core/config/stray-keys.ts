import type { z } from "zod";
import type { Path } from "./mistakes.ts";
import { wrappedIn } from "./schema-walk.ts";

/** A map in which there are keys that nobody is going to see. */
export interface Strays {
  readonly path: Path;
  readonly keys: readonly string[];
}

type Schema = z.core.$ZodType;

/** Schemas of another version of zod are no business of this file. */
const defOf = (schema: Schema) => (schema as Partial<z.core.$ZodTypes>)._zod?.def;

/**
 * Keys that a plain `z.object` would drop without a word. Whoever wants others writes `z.looseObject` or a catchall. What
 * depends on the value is left as its author wrote it: what members of a union, an intersection or a transform make of
 * their keys is not to be seen from here.
 */
export function strayKeys(schema: Schema, value: unknown, path: Path = []): Strays[] {
  const def = defOf(schema);
  const wrapped = def && wrappedIn(def);
  if (wrapped) return strayKeys(wrapped, value, path);
  switch (def?.type) {
    case "object":
      return isMap(value) ? straysOfMap(def, value, path) : [];
    case "record":
      return isMap(value)
        ? Object.entries(value).flatMap(([key, inner]) => strayKeys(def.valueType, inner, [...path, key]))
        : [];
    case "array":
      return Array.isArray(value) ? value.flatMap((inner, at) => strayKeys(def.element, inner, [...path, at])) : [];
    default:
      return [];
  }
}

function straysOfMap({ shape, catchall }: z.core.$ZodObjectDef, value: Map, path: Path): Strays[] {
  const keys = catchall ? [] : Object.keys(value).filter((key) => !Object.hasOwn(shape, key));
  const inside = Object.entries(shape).flatMap(([key, inner]) =>
    Object.hasOwn(value, key) ? strayKeys(inner, value[key], [...path, key]) : [],
  );
  return keys.length > 0 ? [{ path, keys }, ...inside] : inside;
}

/** The objects whose stray keys these are, of all that a schema consists of. */
export function closedObjects(schema: Schema): ReadonlySet<Schema> {
  const closed = new Set<Schema>();
  const known = new Set<Schema>();
  const walk = (one: Schema): void => {
    const def = defOf(one);
    if (known.has(one) || !def) return;
    known.add(one);
    if (def.type === "object" && !def.catchall) closed.add(one);
    for (const inner of held(def)) walk(inner);
  };
  walk(schema);
  return closed;
}

type Definition = NonNullable<ReturnType<typeof defOf>>;

/** What a schema holds the parts of its value to, where that does not depend on the value. */
function held(def: Definition): readonly Schema[] {
  const wrapped = wrappedIn(def);
  if (wrapped) return [wrapped];
  switch (def.type) {
    case "object":
      return Object.values(def.shape);
    case "record":
      return [def.valueType];
    case "array":
      return [def.element];
    default:
      return [];
  }
}

type Map = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Map => typeof value === "object" && value !== null && !Array.isArray(value);
