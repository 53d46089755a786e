import { errorMessage } from "../errors/error-message.ts";
import type { Obeyed } from "./contents.ts";
import type { Ordered, OrderReport } from "./orders.ts";
import type { Prepared } from "./sqlite.ts";

/**
 * One transaction for all; it is on the disk when this returns. Refusals are results; what throws is trouble with the
 * file, and nothing of it was done. What nobody waits for any more is not done either: whoever asked was told that it
 * failed.
 */
export function committed(database: Prepared, writes: Obeyed, batch: readonly Ordered[]): OrderReport[] {
  if (batch.length === 0) return [];
  try {
    database.database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    return failing(batch, error);
  }
  const now = Date.now();
  try {
    const reports = batch.map(({ number, name, input, until }) =>
      until < now ? { number, late: true as const } : { number, result: writes[name]?.(database, input as never) },
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

const failing = (batch: readonly Ordered[], error: unknown): OrderReport[] =>
  batch.map(({ number }) => ({ number, error: errorMessage(error) }));
