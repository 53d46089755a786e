import { z } from "zod";
import { Secret } from "../secrets/secret.ts";
import type { Path } from "./mistakes.ts";

type Schema = z.core.$ZodType;

/** Zod's schemas as a union one can switch on. */
const typed = (schema: Schema) => schema as z.core.$ZodTypes;

/** What a wrapper holds that has the value of the file as it stands: of `z.int().default(1)`, the `z.int()`. */
export function wrappedIn(def: z.core.$ZodTypes["_zod"]["def"]): Schema | undefined {
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
      return def.innerType;
    default:
      return undefined;
  }
}

/** The same of all that wrap, seen from the side of the file. */
function inside(schema: Schema): Schema | undefined {
  const { def } = typed(schema)._zod;
  switch (def.type) {
    case "catch":
    case "success":
      return def.innerType;
    case "pipe":
      return typed(def.in)._zod.def.type === "transform" ? def.out : def.in;
    case "lazy":
      return def.getter();
    default:
      return wrappedIn(def);
  }
}

/** Enough for any schema written by hand, and an end for one that is made of itself. */
const deepest = 50;

/** The schema and what it wraps, outermost first. */
function layers(schema: Schema): Schema[] {
  const found: Schema[] = [];
  for (let layer: Schema | undefined = schema; layer && found.length < deepest; layer = inside(layer))
    found.push(layer);
  return found;
}

/** The schema without its wrappers; of a union or intersection, each member. */
function cores(schema: Schema, depth = 0): Schema[] {
  const core = layers(schema).at(-1) ?? schema;
  if (depth > deepest) return [core];
  const { def } = typed(core)._zod;
  if (def.type === "union") return def.options.flatMap((option) => cores(option, depth + 1));
  if (def.type === "intersection") return [def.left, def.right].flatMap((side) => cores(side, depth + 1));
  return [core];
}

function below(schema: Schema, step: string | number): Schema[] {
  const { def } = typed(schema)._zod;
  switch (def.type) {
    case "object": {
      const found = Object.hasOwn(def.shape, step) ? def.shape[step] : def.catchall;
      return found ? [found] : [];
    }
    case "record":
    case "map":
      return [def.valueType];
    case "array":
      return [def.element];
    case "tuple": {
      const found = def.items[Number(step)] ?? def.rest;
      return found ? [found] : [];
    }
    default:
      return [];
  }
}

/** The schemas a value at this path could be read with; several where unions leave it open. */
export const schemasAt = (schema: Schema, path: Path): Schema[] =>
  path.reduce<Schema[]>(
    (schemas, step) => schemas.flatMap((each) => cores(each)).flatMap((core) => below(core, step)),
    [schema],
  );

export function descriptionOf(schema: Schema): string | undefined {
  for (const layer of layers(schema)) {
    const description = z.globalRegistry.get(layer)?.description;
    if (description !== undefined) return description;
  }
  return undefined;
}

/** The options a map at this path may have. */
export const knownKeys = (schema: Schema, path: Path): string[] => [
  ...new Set(
    schemasAt(schema, path)
      .flatMap((each) => cores(each))
      .flatMap((core) => {
        const { def } = typed(core)._zod;
        return def.type === "object" ? Object.keys(def.shape) : [];
      }),
  ),
];

/** What is done to a value after it was read: `secret()` works by this. */
const transformsOf = (schema: Schema, depth = 0): Transform[] =>
  layers(schema).flatMap((layer) => {
    const { def } = typed(layer)._zod;
    if (def.type === "transform") return [def.transform];
    if (depth > deepest) return [];
    if (def.type === "union") return def.options.flatMap((option) => transformsOf(option, depth + 1));
    if (def.type !== "pipe") return [];
    const own = def.transform ? [def.transform] : [];
    return [...own, ...transformsOf(def.in, depth + 1), ...transformsOf(def.out, depth + 1)];
  });
type Transform = z.core.$ZodTransformDef["transform"] | NonNullable<z.core.$ZodPipeDef["transform"]>;

/**
 * Whether a value could be a secret. A package with its own copy of this gateway has a Secret class of its own, so
 * anything that is transformed counts, and so does a value no schema is known for.
 */
export const mayBeSecret = (schema: Schema, path: Path): boolean =>
  [[], ...path.map((_, index) => path.slice(0, index + 1))].some((part) => {
    const schemas = schemasAt(schema, part);
    return schemas.length === 0 || schemas.some((each) => transformsOf(each).length > 0);
  });

/** Whether the option is made by `secret()`: known by what its transform returns. */
export const isSecret = (schema: Schema): boolean =>
  transformsOf(schema).some((transform) => {
    try {
      return transform("", { value: "", issues: [] }) instanceof Secret;
    } catch {
      return false;
    }
  });
