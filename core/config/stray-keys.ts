import type { z } from "zod";
import type { Path } from "./mistakes.ts";

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
  switch (def?.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
      return strayKeys(def.innerType, value, path);
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

type Map = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Map => typeof value === "object" && value !== null && !Array.isArray(value);
