import type { Extra, Fields } from "../../core/index.ts";

/** The name of this format: what `extra` made here carries. */
export const formatName = "openai-embeddings";

/** An extra that remembers which name the purpose of the vectors was given under. */
export interface WireExtra extends Extra {
  readonly spelling?: "input_type" | "task_type";
}

/** An `extra` to spread into its owner; nothing when there is nothing to keep. */
export function extraOf(fields: Fields, spelling?: WireExtra["spelling"]): { extra?: WireExtra } {
  if (spelling === undefined && Object.keys(fields).length === 0) return {};
  return { extra: { format: formatName, fields, ...(spelling !== undefined && { spelling }) } };
}

export const isOwn = (extra: Extra | undefined): extra is WireExtra => extra?.format === formatName;
