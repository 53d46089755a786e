import { asReadIn, withMembers } from "./exact-json.ts";
import { isRecord } from "./records.ts";

/** A copy of a value without what paths lead to (`a.b[0].c`, `a[*].b`); the value itself where none leads anywhere. */
export const withoutPaths = <Value extends object>(value: Value, paths: readonly string[]): Value =>
  paths.reduce<Value>((kept, path) => without(kept, segmentsOf(path)) as Value, value);

type Segment = string | number | "*";

/** `a.b[0].c` and `a[*].b`; undefined when the path is not one, which drops nothing. */
function segmentsOf(path: string): Segment[] | undefined {
  if (!/^[^.[\]]+(?:\.[^.[\]]+|\[(?:\d+|\*)\])*$/.test(path)) return undefined;
  return [...path.matchAll(/\[(\d+|\*)\]|[^.[\]]+/g)].map(([whole, index]) =>
    index === undefined ? whole : index === "*" ? "*" : Number(index),
  );
}

/** A copy of a value without what a path leads to; the value itself when the path leads nowhere. */
function without(value: unknown, path: readonly Segment[] | undefined): unknown {
  const [first, ...rest] = path ?? [];
  if (first === undefined) return value;
  if (Array.isArray(value)) return withoutInList(value, first, rest);
  if (!isRecord(value) || typeof first !== "string" || !Object.hasOwn(value, first)) return value;
  if (rest.length > 0) return withMembers(value, { [first]: without(value[first], rest) });
  const { [first]: _, ...kept } = value;
  return asReadIn(value, kept);
}

function withoutInList(list: readonly unknown[], first: Segment, rest: readonly Segment[]): unknown {
  if (first === "*") return rest.length === 0 ? [] : list.map((one) => without(one, rest));
  if (typeof first !== "number") return list;
  if (rest.length === 0) return list.filter((_, index) => index !== first);
  return list.map((one, index) => (index === first ? without(one, rest) : one));
}
