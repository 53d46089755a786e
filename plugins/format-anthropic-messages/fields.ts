import {
  type CacheMarker,
  compact,
  type Extra,
  extrasOf,
  type Fields,
  isRecord,
  joined,
  leftovers,
  saysNothing,
} from "../../core/index.ts";

/** The name of this format: what `extra` and opaque parts made here carry. */
export const formatName = "anthropic-messages";

/** Takes the public name of a request field that cannot be carried. */
export type Report = (dropped: string) => void;

/** A list of the one, or of none. */
export const listOf = (wire: Fields | undefined): Fields[] => (wire ? [wire] : []);

/** Fields as the bag they travel in, and how their owner was written; nothing when there is nothing to remember. */
export const { extraOf, writtenIn } = extrasOf(formatName);

/**
 * Puts back the fields that came from this format. Where both sides hold an object (`metadata`, `cache_control`) they
 * are joined, and what the canonical model says wins.
 */
export function restore(wire: Fields, extra: Extra | undefined): Fields {
  return extra?.format === formatName ? joined(wire, extra.fields) : wire;
}

/** Reports the fields of another format, which have no place in this one. */
export function reportForeign(extra: Extra | undefined, prefix: string, report: Report, except?: ReadonlySet<string>) {
  if (!extra || extra.format === formatName) return;
  for (const [name, value] of Object.entries(extra.fields))
    if (!except?.has(name) && !saysNothing(value)) report(prefix + name);
}

const markerFields = new Set(["type", "ttl"]);

/** Reads `cache_control`. Sub-fields without a canonical name (`scope`) and markers of another type stay in `rest`. */
export function decodeCache(marker: Readonly<Fields> | null | undefined): { cache?: CacheMarker; rest?: Fields } {
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

export const encodeCache = (cache: CacheMarker | undefined): Fields =>
  cache ? { cache_control: compact({ type: "ephemeral", ttl: cache.ttl }) } : {};

/** What every block and tool has besides its own fields: the cache marker, and what nobody here reads. */
export function common(wire: Readonly<Fields>, known: ReadonlySet<string>): { cache?: CacheMarker; extra?: Extra } {
  const { cache, rest } = decodeCache(isRecord(wire.cache_control) ? wire.cache_control : undefined);
  return { ...(cache && { cache }), ...extraOf({ ...leftovers(wire, known), ...rest }) };
}
