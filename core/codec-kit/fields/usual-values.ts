import { isRecord, lookUp } from "../records.ts";

/** Clients send empty fields they were given in an answer (`annotations: []`): leaving them out loses nothing. */
export const saysNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** The values of a field, as JSON, that ask for what everybody does anyway; by its name, dotted where it stands inside another. */
type UsualValues = Readonly<Record<string, readonly string[]>>;

const declared = new Map<string, UsualValues>();

/** Called once by a format, with what its reference gives as defaults, or as another way to say nothing: nothing is lost with them elsewhere. */
export function declareUsual(format: string, values: UsualValues): void {
  declared.set(format, values);
}

/** Whether a field of a format says nothing, or what everybody does anyway. */
export function isUsual(format: string, name: string, value: unknown): boolean {
  const known = declared.get(format) ?? {};
  return saysNothing(value) || isUsualAt(known, name, value);
}

function isUsualAt(known: UsualValues, path: string, value: unknown): boolean {
  if (lookUp(known, path)?.includes(JSON.stringify(value))) return true;
  // What says nothing may stand beside it; an object of nothing else may be a switch.
  const inside = isRecord(value) ? Object.entries(value).filter(([, one]) => !saysNothing(one)) : [];
  return inside.length > 0 && inside.every(([name, one]) => isUsualAt(known, `${path}.${name}`, one));
}

/** The words clients have for the tier that everybody has. */
export const usualTiers: ReadonlySet<string> = new Set(["auto", "default", "standard", "standard_only"]);
