import type { Extra } from "../../model/content.ts";
import { type Fields, putMember } from "../records.ts";
import { isUsual } from "./usual-values.ts";

/** What a wire object holds besides the fields its schema reads, as it stands there. */
export const fieldsBeyond = (wire: Readonly<Fields>, { shape }: { readonly shape: Readonly<Fields> }): Fields =>
  picked(wire, (name) => !Object.hasOwn(shape, name)) ?? {};

/** Those of them that say something; undefined when that is none. */
export const saidBeyond = (
  wire: Readonly<Fields>,
  { shape }: { readonly shape: Readonly<Fields> },
): Fields | undefined =>
  picked(wire, (name, value) => value !== null && value !== undefined && !Object.hasOwn(shape, name));

/** What a wire object says besides the known fields; undefined when that is nothing. */
export const leftovers = (wire: Readonly<Fields>, known: ReadonlySet<string>): Fields | undefined =>
  picked(wire, (name, value) => value !== null && value !== undefined && !known.has(name));

/** Some of the fields; undefined when that is none, as it mostly is. */
function picked(wire: Readonly<Fields>, isOne: (name: string, value: unknown) => boolean): Fields | undefined {
  let some: Fields | undefined;
  for (const name in wire) {
    const value = wire[name];
    if (!isOne(name, value)) continue;
    some ??= {};
    if (name === "__proto__") putMember(some, name, value);
    else some[name] = value;
  }
  return some;
}

/** An `extra` to spread into its owner; nothing when there is nothing to keep. */
export const extraIn = (format: string, fields: Readonly<Fields> | undefined): { extra?: Extra } =>
  fields && Object.keys(fields).length > 0 ? { extra: { format, fields } } : {};

/** The fields of an extra that came from this format. */
export const ownFields = (format: string, extra: Extra | undefined): Readonly<Fields> =>
  extra?.format === format ? extra.fields : {};

/**
 * Reports the fields of another format's extra, which have no place in this one, but for those that say nothing. `prefix` is where
 * they stood.
 */
export function reportForeign(
  format: string,
  extra: Extra | undefined,
  prefix: string,
  report: (dropped: string) => void,
  carried: ReadonlySet<string> = nothing,
): void {
  if (!extra || extra.format === format) return;
  const { format: theirs, fields } = extra;
  for (const name of Object.keys(fields))
    if (!carried.has(name) && !isUsual(theirs, name, fields[name])) report(prefix + snakeCase(name));
}

const nothing: ReadonlySet<string> = new Set();

/** Dropped fields are reported under public names, whatever their format writes. */
export const snakeCase = (name: string) => name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
