import type { Extra } from "../../core/index.ts";

export const formatName = "openai-completions";

export type Fields = Record<string, unknown>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Compact<Value> = { [Name in keyof Value]?: NonNullable<Value[Name]> };

/** Without the fields that are null or undefined. */
export const compact = <Value extends object>(value: Value): Compact<Value> =>
  Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== undefined && field !== null),
  ) as Compact<Value>;

/** What a wire object holds besides the fields its schema reads. */
export const rest = (wire: Readonly<Fields>, schema: { readonly shape: Readonly<Fields> }): Fields =>
  Object.fromEntries(Object.entries(wire).filter(([name]) => !Object.hasOwn(schema.shape, name)));

/** An `extra` to spread into its owner; nothing when there is nothing to keep. */
export const extraOf = (fields: Fields): { extra?: Extra } =>
  Object.keys(fields).length > 0 ? { extra: { format: formatName, fields } } : {};

export const ownFields = (extra: Extra | undefined): Readonly<Fields> =>
  extra?.format === formatName ? extra.fields : {};
