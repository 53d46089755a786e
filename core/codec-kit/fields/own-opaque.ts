import { type Fields, isRecord } from "../records.ts";

/** The JSON of a part that only this format has, as it was written in it; undefined of all others. */
export const ownOpaque = (
  part: { readonly type: string; readonly format?: string; readonly value?: unknown },
  format: string,
): Fields | undefined =>
  part.type === "opaque" && part.format === format && isRecord(part.value) ? part.value : undefined;
