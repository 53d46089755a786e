import { asReadIn, withMembers } from "../../codec-kit/exact-json.ts";
import { isRecord } from "../../codec-kit/records.ts";
import type { Shape } from "../../model/route.ts";

type Wire = Record<string, unknown>;

/** A body with a config's defaults, overrides and drops applied, in that order. The argument is left as it is. */
export function shapeBody(wire: Readonly<Wire>, { defaults, overrides, drops }: Shape): Wire {
  const shaped: Wire = asReadIn(wire, { ...defaults, ...wire });
  for (const [key, value] of Object.entries(overrides ?? {}))
    shaped[key] = key === "metadata" ? merged(shaped[key], value) : value;
  const kept = (drops ?? []).reduce<Wire>((body, path) => without(body, segmentsOf(path)) as Wire, shaped);
  return wire.stream === true && kept.stream !== true ? withoutStreamOptions(kept) : kept;
}

/** Of an answer in one piece there is nothing to say about the stream; vendors refuse requests that do. */
function withoutStreamOptions(body: Wire): Wire {
  const { stream_options: _, ...kept } = body;
  return asReadIn(body, kept);
}

/** Objects key by key, at every depth; anything else is replaced. */
function merged(under: unknown, over: unknown): unknown {
  if (!isRecord(under) || !isRecord(over)) return over;
  const both = Object.entries(over).map(([key, value]) => [
    key,
    Object.hasOwn(under, key) ? merged(under[key], value) : value,
  ]);
  return withMembers(under, Object.fromEntries(both));
}

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
