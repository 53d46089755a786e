import { isUsual } from "../../codec-kit/fields/usual-values.ts";
import { purposeIn } from "../../codec-kit/purposes.ts";
import type { OperationSpec } from "../../model/operation-spec.ts";

/** Applies the provider's tables to a body nobody else holds on to. */
export function shape(
  wire: Record<string, unknown>,
  spec: OperationSpec,
  dropped: Set<string>,
): Record<string, unknown> {
  let shaped = wire;
  if (spec.whole) {
    delete shaped.stream;
    delete shaped.stream_options;
  }
  if (spec.drops) drop(shaped, spec.drops, dropped, spec.format);
  if (spec.renames) rename(shaped, spec.renames);
  if (spec.purposes) tellPurpose(shaped, spec.purposes, dropped);
  const { defaults } = spec;
  for (const name in defaults) shaped[name] ??= defaults[name];
  if (spec.clamps) clamp(shaped, spec.clamps, dropped);
  if (spec.rewrite) shaped = spec.rewrite.apply(shaped, (name) => dropped.add(name));
  return shaped;
}

function rename(wire: Record<string, unknown>, names: NonNullable<OperationSpec["renames"]>): void {
  for (const [from, to] of Object.entries(names)) {
    if (!(from in wire)) continue;
    wire[to] ??= wire[from];
    delete wire[from];
  }
}

function clamp(
  wire: Record<string, unknown>,
  bounds: NonNullable<OperationSpec["clamps"]>,
  dropped: Set<string>,
): void {
  for (const [name, [min, max]] of Object.entries(bounds)) {
    const value = wire[name];
    if (typeof value !== "number") continue;
    wire[name] = Math.min(max, Math.max(min, value));
    // Another temperature is what was asked for as nearly as can be; fewer answers are not.
    if (name === "n" && value > max) dropped.add(name);
  }
}

/** Leaves fields out, and names those that ask a vendor of the format for something. */
export function drop(
  wire: Record<string, unknown>,
  names: readonly string[],
  dropped: Set<string>,
  format: string,
): void {
  for (const name of names) {
    if (!(name in wire)) continue;
    if (!isUsual(format, name, wire[name])) dropped.add(name);
    delete wire[name];
  }
}

export function shorten(
  wire: Record<string, unknown>,
  most: Readonly<Record<string, number>>,
  dropped: Set<string>,
): void {
  for (const name in most) {
    const list = wire[name];
    const count = most[name] ?? 0;
    if (!Array.isArray(list) || list.length <= count) continue;
    dropped.add(name);
    wire[name] = list.slice(0, count);
  }
}

/** What clients call the purpose of vectors. */
export const purposeFields: readonly string[] = ["input_type", "task_type"];

/** The vendor's own field speaks first. Where it has no word for a purpose it embeds for none. */
function tellPurpose(
  wire: Record<string, unknown>,
  { field, words }: NonNullable<OperationSpec["purposes"]>,
  dropped: Set<string>,
): void {
  const names = [field, ...purposeFields.filter((name) => name !== field)];
  const given = names.filter((name) => wire[name] !== null && wire[name] !== undefined);
  const purpose = given[0] === undefined ? undefined : wire[given[0]];
  for (const name of names) delete wire[name];
  const word = typeof purpose === "string" ? purposeIn(words, purpose) : purpose;
  if (word !== undefined) wire[field] = word;
  else if (given[0] !== undefined) dropped.add(given[0]);
}
