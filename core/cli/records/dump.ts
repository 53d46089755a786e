import { z } from "zod";
import { jsonOr } from "../../codec-kit/records.ts";
import type { ArchivedRecord, CollectionShape } from "../../services/records.ts";

/** Raised when lines change in a way that an earlier import could not read. */
export const format = 1;

/**
 * Records as lines of JSON: a header with the collections, a line for each record, and a closing line with how many there
 * are of each, by which a file that was cut off is known.
 */
export interface Header {
  readonly sluice_records: typeof format;
  readonly exported_at: string;
  readonly collections: readonly CollectionShape[];
}

export interface Line {
  readonly collection: string;
  readonly record: ArchivedRecord;
}

export interface Closing {
  readonly end: true;
  readonly counts: Readonly<Record<string, number>>;
}

const count = z.int().min(0);
const version = z.int().min(1);

const shape = z.object({
  name: z.string(),
  schemaVersion: version,
  indexes: z.array(z.string()),
  unique: z.array(z.array(z.string())),
});

const header = z.object({ sluice_records: version, exported_at: z.string(), collections: z.array(shape) });

const record = z.object({
  tenant: z.string(),
  id: z.string(),
  version,
  schemaVersion: version,
  createdAt: count,
  updatedAt: count,
  expiresAt: count.optional(),
  document: z.custom<ArchivedRecord["document"]>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  ),
});

const line = z.object({ collection: z.string(), record });

const closing = z.object({ end: z.literal(true), counts: z.record(z.string(), count) });

/** Why a file is not taken. */
export class DumpError extends Error {}

export function headerOf(text: string): Header {
  const found = header.safeParse(jsonOr(text));
  if (!found.success) throw new DumpError("line 1 is no header: this is no export of records");
  const { sluice_records } = found.data;
  if (sluice_records !== format)
    throw new DumpError(`it is in format ${sluice_records}, and this version of sluice reads format ${format}`);
  return { ...found.data, sluice_records };
}

/** A line behind the header. */
export function lineOf(text: string, number: number): Line | Closing {
  const value = jsonOr(text);
  const end = closing.safeParse(value);
  if (end.success) return end.data;
  const found = line.safeParse(value);
  // What is absent stays absent: the parser leaves out what is not there.
  if (found.success) return found.data as Line;
  throw new DumpError(`line ${number} is no record: the file is damaged, or was cut off there`);
}
