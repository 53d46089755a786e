import type { CacheMarker, Extra } from "../../core/index.ts";

/** The name of this format: what `extra` and opaque parts made here carry. */
export const formatName = "anthropic-messages";

/** A JSON object being written. */
export type Wire = Record<string, unknown>;

/** Takes the public name of a request field that cannot be carried. */
export type Report = (dropped: string) => void;

export const isRecord = (value: unknown): value is Wire =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields that are there: a wire `null` says the same as leaving the field out. */
type Present<Fields> = {
  [Name in keyof Fields as Maybe<Fields[Name]> extends true ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as Maybe<Fields[Name]> extends true ? Name : never]?: Exclude<Fields[Name], undefined | null>;
};
type Maybe<Value> = undefined extends Value ? true : null extends Value ? true : false;

/** Leaves out what is undefined or null. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const kept: Wire = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined && value !== null) kept[name] = value;
  return kept as Present<Fields>;
}

/** A list of the one, or of none. */
export const listOf = (wire: Wire | undefined): Wire[] => (wire ? [wire] : []);

/** The fields of a wire object that nobody here reads; undefined when there are none. */
export function leftovers(wire: Readonly<Wire>, known: ReadonlySet<string>): Wire | undefined {
  const rest = Object.entries(wire).filter(
    ([name, value]) => value !== null && value !== undefined && !known.has(name),
  );
  return rest.length > 0 ? Object.fromEntries(rest) : undefined;
}

/** Fields as the bag they travel in; nothing when there are none. */
export const extraOf = (fields: Wire | undefined): { extra?: Extra } =>
  fields && Object.keys(fields).length > 0 ? { extra: { format: formatName, fields } } : {};

/**
 * Puts back the fields that came from this format. Where both sides hold an object (`metadata`, `cache_control`) they
 * are joined, and what the canonical model says wins.
 */
export function restore(wire: Wire, extra: Extra | undefined): Wire {
  return extra?.format === formatName ? join(wire, extra.fields) : wire;
}

function join(own: Wire, kept: Readonly<Wire>): Wire {
  const joined: Wire = { ...own };
  for (const [name, value] of Object.entries(kept)) {
    const before = own[name];
    if (name === "__proto__") continue;
    if (before === undefined) joined[name] = value;
    else if (isRecord(before) && isRecord(value)) joined[name] = join(before, value);
  }
  return joined;
}

/** Clients send empty fields they were given in an answer (`annotations: []`): leaving them out loses nothing. */
const saysNothing = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** Reports the fields of another format, which have no place in this one. */
export function reportForeign(extra: Extra | undefined, prefix: string, report: Report, except?: ReadonlySet<string>) {
  if (!extra || extra.format === formatName) return;
  for (const [name, value] of Object.entries(extra.fields))
    if (!except?.has(name) && !saysNothing(value)) report(prefix + name);
}

const markerFields = new Set(["type", "ttl"]);

/** Reads `cache_control`. Sub-fields without a canonical name (`scope`) and markers of another type stay in `rest`. */
export function decodeCache(marker: Readonly<Wire> | null | undefined): { cache?: CacheMarker; rest?: Wire } {
  if (!marker) return {};
  const { type, ttl } = marker;
  if (type !== "ephemeral" || (typeof ttl !== "string" && ttl !== undefined && ttl !== null))
    return { rest: { cache_control: marker } };
  const more = leftovers(marker, markerFields);
  return {
    cache: typeof ttl === "string" ? { ttl } : {},
    ...(more && { rest: { cache_control: more } }),
  };
}

export const encodeCache = (cache: CacheMarker | undefined): Wire =>
  cache ? { cache_control: present({ type: "ephemeral", ttl: cache.ttl }) } : {};

/** What every block and tool has besides its own fields: the cache marker, and what nobody here reads. */
export function common(wire: Readonly<Wire>, known: ReadonlySet<string>): { cache?: CacheMarker; extra?: Extra } {
  const { cache, rest } = decodeCache(isRecord(wire.cache_control) ? wire.cache_control : undefined);
  return { ...(cache && { cache }), ...extraOf({ ...leftovers(wire, known), ...rest }) };
}
