import type { Extra } from "../model/content.ts";
import type { Fields } from "./records.ts";

/** What a wire object holds besides the fields its schema reads, as it stands there. */
export function fieldsBeyond(wire: Readonly<Fields>, { shape }: { readonly shape: Readonly<Fields> }): Fields {
  // Asked for every object of an answer, and mostly there are none: lists of pairs would cost more than the rest of it.
  let beyond: [string, unknown][] | undefined;
  for (const name in wire) {
    if (Object.hasOwn(shape, name)) continue;
    beyond ??= [];
    beyond.push([name, wire[name]]);
  }
  return beyond ? Object.fromEntries(beyond) : {};
}

/** What a wire object says besides the known fields; undefined when that is nothing. */
export function leftovers(wire: Readonly<Fields>, known: ReadonlySet<string>): Fields | undefined {
  let rest: [string, unknown][] | undefined;
  for (const name in wire) {
    const value = wire[name];
    if (value === null || value === undefined || known.has(name)) continue;
    rest ??= [];
    rest.push([name, value]);
  }
  return rest && Object.fromEntries(rest);
}

/** An `extra` to spread into its owner; nothing when there is nothing to keep. */
export const extraIn = (format: string, fields: Readonly<Fields> | undefined): { extra?: Extra } =>
  fields && Object.keys(fields).length > 0 ? { extra: { format, fields } } : {};

/** The fields of an extra that came from this format. */
export const ownFields = (format: string, extra: Extra | undefined): Readonly<Fields> =>
  extra?.format === format ? extra.fields : {};

/** Reports the fields of another format's extra, which have no place in this one. `prefix` is where they stood. */
export function reportForeign(
  format: string,
  extra: Extra | undefined,
  prefix: string,
  report: (dropped: string) => void,
): void {
  if (!extra || extra.format === format) return;
  for (const name of Object.keys(extra.fields)) report(prefix + snakeCase(name));
}

/** Dropped fields are reported under public names, whatever their format writes. */
const snakeCase = (name: string) => name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
