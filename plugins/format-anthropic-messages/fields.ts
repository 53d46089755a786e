import {
  type CacheMarker,
  compact,
  declareUsual,
  type Extra,
  extrasOf,
  type Fields,
  isRecord,
  leftovers,
} from "../../core/index.ts";

/** The name of this format: what `extra` and opaque parts made here carry. */
export const formatName = "anthropic-messages";

declareUsual(formatName, {
  allowed_callers: ['["direct"]'],
  "caller.type": ['"direct"'],
  "citations.enabled": ["false"],
  context_management: ['{"edits":[]}'],
  defer_loading: ["false"],
  eager_input_streaming: ["false"],
  service_tier: ['"auto"'],
  speed: ['"standard"'],
  strict: ["false"],
});

/** Takes the public name of a request field that cannot be carried. */
export type Report = (dropped: string) => void;

/** A list of the one, or of none. */
export const listOf = (wire: Fields | undefined): Fields[] => (wire ? [wire] : []);

/** What this format does with the extras it made, and with those of others. */
export const { extraOf, writtenIn, restore, reportOthers } = extrasOf(formatName);

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
