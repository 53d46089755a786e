import type { Format } from "./model/format.ts";
import { fieldKinds } from "./provider-kit/field-kinds.ts";

/** What no format can do without. */
const needed = [
  "decodeRequest",
  "encodeRequest",
  "decodeResponse",
  "encodeResponse",
  "readUsage",
  "decodeError",
] as const;

/** A format that nothing is missing of: it would be missed by the first request that needs it. */
export function checkedFormat(format: Format): Format {
  const given: Partial<Format> = format;
  const missing = needed.find((name) => typeof given[name] !== "function");
  const { framing } = given;
  if (missing !== undefined) throw new Error(`the format "${given.name}" has no function ${missing}`);
  if (framing !== undefined && !fieldKinds.framing.fits(framing))
    throw new Error(`the format "${given.name}" has the framing "${framing}": it is ${fieldKinds.framing.words}`);
  if (!Array.isArray(given.drops))
    throw new Error(`the format "${given.name}" has no list drops, empty where it drops nothing`);
  return format;
}
