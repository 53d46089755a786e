import { asReadIn, withMembers } from "../../codec-kit/exact-json.ts";
import { isRecord } from "../../codec-kit/records.ts";
import { together } from "../../codec-kit/together.ts";
import { withoutPaths } from "../../codec-kit/without-paths.ts";
import type { Shape } from "../../model/route.ts";

type Wire = Record<string, unknown>;

/** A body with a config's defaults, overrides and drops applied, in that order. The argument is left as it is. */
export function shapeBody(wire: Readonly<Wire>, { defaults, overrides, drops }: Shape): Wire {
  const shaped: Wire = asReadIn(wire, together(defaults ?? {}, wire));
  for (const [key, value] of Object.entries(overrides ?? {}))
    shaped[key] = key === "metadata" ? merged(shaped[key], value) : value;
  const kept = withoutPaths(shaped, drops ?? []);
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
