import type { Extra } from "../../core/index.ts";

export const formatName = "openai-embeddings";

export type Fields = Record<string, unknown>;

/** An extra that remembers which name the purpose of the vectors was given under. */
export interface WireExtra extends Extra {
  readonly spelling?: "input_type" | "task_type";
}

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
export function extraOf(fields: Fields, spelling?: WireExtra["spelling"]): { extra?: WireExtra } {
  if (spelling === undefined && Object.keys(fields).length === 0) return {};
  return { extra: { format: formatName, fields, ...(spelling !== undefined && { spelling }) } };
}

export const isOwn = (extra: Extra | undefined): extra is WireExtra => extra?.format === formatName;
