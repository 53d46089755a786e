import { type Extra, type Fields, isRecord, refuse, reportForeign } from "../../core/index.ts";

/** The name of this format: what `extra` and opaque parts made here carry. */
export const formatName = "gemini";

/** Takes the public name of a request field that cannot be carried. */
export type Report = (dropped: string) => void;

/**
 * An extra that remembers how its owner was written, where several writings mean the same. The note stands beside
 * `fields` and not in it: no other format loses anything with it.
 */
export interface WireExtra extends Extra {
  readonly written?: Readonly<Fields>;
}

/** An `extra` to spread into its owner; nothing when there is nothing to remember. */
export function extraOf(fields: Readonly<Fields> | undefined, written?: Readonly<Fields>): { extra?: WireExtra } {
  const kept = fields ?? {};
  if (Object.keys(kept).length === 0 && written === undefined) return {};
  return { extra: { format: formatName, fields: kept, ...(written && { written }) } };
}

const isOwn = (extra: Extra | undefined): extra is WireExtra => extra?.format === formatName;

/** How the owner of an extra was written by a client of this format. */
export const writtenIn = (extra: Extra | undefined): Readonly<Fields> => (isOwn(extra) && extra.written) || {};

/** Puts back the fields that came from this format. Objects on both sides are joined; what the canonical model says wins. */
export const restore = (wire: Fields, extra: Extra | undefined): Fields =>
  isOwn(extra) ? joined(wire, extra.fields) : wire;

export function joined(own: Readonly<Fields>, kept: Readonly<Fields>): Fields {
  const all: Fields = { ...own };
  for (const [name, value] of Object.entries(kept)) {
    const before = own[name];
    if (name === "__proto__") continue;
    if (before === undefined) all[name] = value;
    else if (isRecord(before) && isRecord(value)) all[name] = joined(before, value);
  }
  return all;
}

/** Reports the fields of another format's extra, but for those that have a place here. */
export function reportOthers(
  extra: Extra | undefined,
  prefix: string,
  report: Report,
  carried: ReadonlySet<string> = nothing,
): void {
  if (!extra || isOwn(extra)) return;
  const fields = Object.fromEntries(
    Object.entries(extra.fields).filter(([name, value]) => !carried.has(name) && !saysNothing(value)),
  );
  reportForeign(formatName, { format: extra.format, fields }, prefix, report);
}
const nothing: ReadonlySet<string> = new Set();

/** Clients send empty fields they were given in an answer (`annotations: []`): leaving them out loses nothing. */
const saysNothing = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** The API takes the names of its fields in both spellings: `inline_data` is `inlineData`. */
export function camelled(wire: Readonly<Fields>): Readonly<Fields> {
  for (const name in wire)
    if (name.includes("_"))
      return Object.fromEntries(Object.entries(wire).map(([name, value]) => [camel(name), value]));
  return wire;
}

const camel = (name: string) => name.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** An object of a request, its names in one spelling; refused when it is something else. */
export const objectAt = (value: unknown, path: string): Readonly<Fields> =>
  isRecord(value) ? camelled(value) : refuse(path || "body", "an object", value);

/** The same where it may be missing. */
export const objectIn = (value: unknown, path: string): Readonly<Fields> =>
  value === undefined || value === null ? {} : objectAt(value, path);

/** A list of a request. Where the API has a list, one object alone is a list of one. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? [value] : refuse(path, "a list of objects", value);
}

export const textAt = (value: unknown, path: string): string | undefined => {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : refuse(path, "a string", value);
};
