import { RecordError } from "../services/records.ts";

/**
 * Reads and writes a record again for as long as somebody else was faster, which shows as one of these reasons; every other
 * failure is the caller's.
 */
export async function againWhen<Result>(
  reasons: readonly RecordError["reason"][],
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RecordError) || !reasons.includes(error.reason)) throw error;
    }
  }
}
