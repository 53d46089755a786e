import { GatewayError, RecordError } from "../../core/index.ts";
import { pauseAfter } from "./clock.ts";
import type { Work } from "./working.ts";

/** Milliseconds between two tries, at first. */
const firstPause = 1_000;

/**
 * Does what would be lost otherwise: again and again while a store is away, which is none of the batch's fault. Whoever leaves
 * tries once more. What is done must be the same when it is done twice: an answer may be lost as well.
 */
export async function insist<Value>(work: Work, doing: () => Promise<Value>): Promise<Value> {
  const { working, batch, leaving } = work;
  for (let again = 0; ; again++) {
    try {
      return await doing();
    } catch (error) {
      if (!isAway(error) || (again > 0 && leaving.aborted)) throw error;
      if (again === 0)
        working.log.warn("what became of a batch could not be written down yet", { batch: batch.id, error });
      await working.clock.wait(pauseAfter(again, firstPause), leaving);
    }
  }
}

const isAway = (error: unknown): boolean =>
  (error instanceof RecordError && error.reason === "down") ||
  (error instanceof GatewayError && error.code === "store_unavailable");
