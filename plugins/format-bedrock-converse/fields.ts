import { type Extra, type Fields, isRecord, refuse, reportForeign } from "../../core/index.ts";

/** The name of this format: what `extra` and opaque parts made here carry. */
export const formatName = "bedrock-converse";

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

export const isOwn = (extra: Extra | undefined): extra is WireExtra => extra?.format === formatName;

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

/** Clients send empty fields they were given in an answer (`annotations: []`): leaving them out loses nothing. */
const saysNothing = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** Reports the fields of another format's extra, but for those that have a place here. */
export function reportOthers(
  extra: Extra | undefined,
  prefix: string,
  report: Report,
  carried: ReadonlySet<string> = nothing,
): void {
  if (!extra || isOwn(extra)) return;
  const left = Object.entries(extra.fields).filter(([name, value]) => !carried.has(name) && !saysNothing(value));
  reportForeign(formatName, { format: extra.format, fields: Object.fromEntries(left) }, prefix, report);
}
const nothing: ReadonlySet<string> = new Set();

/** An object of a request; refused when it is something else. */
export const objectAt = (value: unknown, path: string): Readonly<Fields> =>
  isRecord(value) ? value : refuse(path || "body", "an object", value);

/** The same where it may be missing. */
export const objectIn = (value: unknown, path: string): Readonly<Fields> =>
  value === undefined || value === null ? {} : objectAt(value, path);

export const listAt = (value: unknown, path: string): readonly unknown[] =>
  Array.isArray(value) ? value : refuse(path, "a list of objects", value);

export const textAt = (value: unknown, path: string): string =>
  typeof value === "string" ? value : refuse(path, "a string", value);

/** The fields of an object without those that hold nothing; undefined when nothing is left. */
export function filled(fields: Readonly<Fields>): Fields | undefined {
  const left = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}
