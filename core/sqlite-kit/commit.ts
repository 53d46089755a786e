import { errorMessage } from "../errors/error-message.ts";
import type { FileContents } from "./contents.ts";
import type { Prepared } from "./sqlite.ts";

/** A write that was asked for. */
export interface Ordered {
  readonly number: number;
  readonly write: string;
  readonly input: unknown;
  /** Until when somebody waits for it, in milliseconds since the epoch. */
  readonly until: number;
}

/** How a write went, once that is on the disk; `late` is one that was not done, because its time was over. */
export type WriteReport =
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly late: true }
  | { readonly number: number; readonly error: string };

/**
 * One transaction for all. Refusals are results; what throws is trouble with the file, and nothing of it was done. What
 * nobody waits for any more is not done either: whoever asked was told that it failed.
 */
export function committed(
  database: Prepared,
  writes: FileContents["writes"],
  batch: readonly Ordered[],
): WriteReport[] {
  if (batch.length === 0) return [];
  try {
    database.database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    return failing(batch, error);
  }
  const now = Date.now();
  try {
    const reports = batch.map(({ number, write, input, until }) =>
      until < now ? { number, late: true as const } : { number, result: writes[write]?.(database, input as never) },
    );
    database.database.exec("COMMIT");
    return reports;
  } catch (error) {
    try {
      database.database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself.
    }
    return failing(batch, error);
  }
}

const failing = (batch: readonly Ordered[], error: unknown): WriteReport[] =>
  batch.map(({ number }) => ({ number, error: errorMessage(error) }));
