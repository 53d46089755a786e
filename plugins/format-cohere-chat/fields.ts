import { type Extra, type Fields, isRecord, ownFields, refuse, reportForeign } from "../../core/index.ts";

/** The name of this format: what `extra`, opaque parts and native tools made here carry. */
export const formatName = "cohere-chat";

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

/** Puts back the fields that came from this format. What the canonical model says wins. */
export const restore = (wire: Fields, extra: Extra | undefined): Fields =>
  isOwn(extra) ? Object.assign({}, ownFields(formatName, extra), wire) : wire;

/** Reports the fields of another format's extra, but for those that have a place here. */
export function reportOthers(
  extra: Extra | undefined,
  prefix: string,
  report: Report,
  carried: ReadonlySet<string> = nothing,
): void {
  if (!extra || isOwn(extra)) return;
  const fields: Fields = {};
  for (const [name, value] of Object.entries(extra.fields))
    if (!carried.has(name) && !saysNothing(value)) fields[name] = value;
  reportForeign(formatName, { format: extra.format, fields }, prefix, report);
}
const nothing: ReadonlySet<string> = new Set();

/** Clients send empty fields they were given in an answer (`annotations: []`): leaving them out loses nothing. */
const saysNothing = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** An object of a request; refused when it is something else. */
export const objectAt = (value: unknown, path: string): Readonly<Fields> =>
  isRecord(value) ? value : refuse(path || "body", "an object", value);

export const listAt = (value: unknown, path: string): readonly unknown[] =>
  Array.isArray(value) ? value : refuse(path, "a list", value);

export const textAt = (value: unknown, path: string): string =>
  typeof value === "string" ? value : refuse(path, "a string", value);

/** The same where it may be missing: on this wire null says nothing. */
export const textIn = (value: unknown, path: string): string | undefined =>
  value === undefined || value === null ? undefined : textAt(value, path);
