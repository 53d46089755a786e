import type { Extra } from "../../core/index.ts";

export const formatName = "openai-chat";

export type Fields = Record<string, unknown>;

/**
 * An extra that remembers how its owner was written, so that the same format gets the same JSON back. The notes stand
 * beside `fields` and not in it: they are spellings, not content, and no other format loses anything with them.
 */
export interface WireExtra extends Extra {
  /** Those of `fields` that stood beside the nested object (`function`, `image_url`, `message`), not inside it. */
  readonly outer?: Readonly<Fields>;
  /** Names that stood in both places: `fields` has the inner value. */
  readonly both?: readonly string[];
  /** Which of several ways of saying the same was used: `max_tokens`, `reasoning`, `image_url`, … */
  readonly spelling?: string;
}

/** An `extra` to spread into its owner; nothing when there is nothing to remember. */
export function extraOf(inner: Fields, outer: Fields = {}, spelling?: string): { extra?: WireExtra } {
  const beside = Object.keys(outer);
  if (spelling === undefined && beside.length === 0 && Object.keys(inner).length === 0) return {};
  const both = beside.filter((name) => Object.hasOwn(inner, name));
  return {
    extra: {
      format: formatName,
      fields: { ...outer, ...inner },
      ...(beside.length > 0 && { outer }),
      ...(both.length > 0 && { both }),
      ...(spelling !== undefined && { spelling }),
    },
  };
}

export const isOwn = (extra: Extra | undefined): extra is WireExtra => extra?.format === formatName;

export const spellingOf = (extra: Extra | undefined): string | undefined => (isOwn(extra) ? extra.spelling : undefined);

/** The fields of an own extra, sorted back to where they stood. Another format's extra has none here. */
export function fieldsOf(extra: Extra | undefined): { inner: Readonly<Fields>; outer: Readonly<Fields> } {
  if (!isOwn(extra)) return { inner: {}, outer: {} };
  const { fields, outer, both } = extra;
  if (!outer) return { inner: fields, outer: {} };
  const inner = Object.entries(fields).filter(([name]) => !Object.hasOwn(outer, name) || both?.includes(name));
  return { inner: Object.fromEntries(inner), outer };
}

/** What a wire object holds besides the fields its schema reads. */
export function rest(wire: Readonly<Fields>, schema: { readonly shape: Readonly<Fields> }): Fields {
  return Object.fromEntries(Object.entries(wire).filter(([name]) => !Object.hasOwn(schema.shape, name)));
}

type Compact<Value> = { [Name in keyof Value]?: NonNullable<Value[Name]> };

/** Without the fields that are null or undefined. */
export function compact<Value extends object>(value: Value): Compact<Value> {
  const kept: Fields = {};
  for (const [name, field] of Object.entries(value)) if (field !== undefined && field !== null) kept[name] = field;
  return kept as Compact<Value>;
}

export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const snakeCase = (name: string) => name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/** Reports what another format's extra holds: it cannot be said in this one. */
export function reportForeign(extra: Extra | undefined, prefix: string, report: (dropped: string) => void): void {
  if (!extra || isOwn(extra)) return;
  for (const name of Object.keys(extra.fields)) report(prefix + snakeCase(name));
}
