import type { Extra } from "../../model/content.ts";
import { type Fields, isEmpty, isRecord } from "../records.ts";
import { reportForeign } from "./extra.ts";

/**
 * An extra that remembers how its owner was written, where several writings mean the same. The note stands beside
 * `fields` and not in it: no other format loses anything with it.
 */
export interface WireExtra extends Extra {
  readonly written?: Readonly<Fields>;
}

/** What a format does with the extras it made, and with those of others. */
export interface Extras {
  /** An `extra` to spread into its owner; nothing when there is nothing to remember. */
  extraOf(fields: Readonly<Fields> | undefined, written?: Readonly<Fields>): { extra?: WireExtra };
  isOwn(extra: Extra | undefined): extra is WireExtra;
  /** How the owner of an extra was written by a client of this format. */
  writtenIn(extra: Extra | undefined): Readonly<Fields>;
  /** Puts back the fields that came from this format, as `joined` does. */
  restore(wire: Fields, extra: Extra | undefined): Fields;
  /** Reports the fields of another format's extra, but for those that say nothing and those that have a place here. */
  reportOthers(
    extra: Extra | undefined,
    prefix: string,
    report: (dropped: string) => void,
    carried?: ReadonlySet<string>,
  ): void;
}

/** The extras of a format, by the name they carry. */
export function extrasOf(formatName: string): Extras {
  const isOwn = (extra: Extra | undefined): extra is WireExtra => extra?.format === formatName;
  return {
    extraOf(fields = {}, written) {
      if (written === undefined && isEmpty(fields)) return {};
      return { extra: { format: formatName, fields, ...(written && { written }) } };
    },
    isOwn,
    writtenIn: (extra) => (isOwn(extra) && extra.written) || {},
    restore: (wire, extra) => (isOwn(extra) ? joined(wire, extra.fields) : wire),
    reportOthers: (extra, prefix, report, carried) => reportForeign(formatName, extra, prefix, report, carried),
  };
}

/** An object with fields put back into it. Where both sides hold an object they are joined; else its own word wins. */
export function joined(own: Readonly<Fields>, kept: Readonly<Fields>): Fields {
  const all: Fields = Object.assign({}, own);
  for (const name of Object.keys(kept)) {
    if (name === "__proto__") continue;
    const value = kept[name];
    const before = own[name];
    if (before === undefined) all[name] = value;
    else if (isRecord(before) && isRecord(value)) all[name] = joined(before, value);
  }
  return all;
}
