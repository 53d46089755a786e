import type { BatchError, BatchStatus } from "../../core/index.ts";
import type { BatchDocument, BatchTimes } from "./document.ts";
import { joined, removeParts } from "./output-files.ts";
import { secondsOf, type Work } from "./working.ts";

type Ending = "completed" | "cancelled" | "expired";
type Failure = "failed" | "file_upload_failed" | "batch_start_failed";

const timeOf = {
  completed: "completedAt",
  cancelled: "cancelledAt",
  expired: "expiredAt",
} as const satisfies Record<Ending, keyof BatchTimes>;

/** Makes files of what was written, and says that the batch is over. */
export async function conclude(work: Work, status: Ending): Promise<void> {
  const { batch } = work;
  if (status === "completed" && batch.document.times.finalizingAt === undefined)
    await batch.change(({ times }) => ({ status: "finalizing", times: { ...times, finalizingAt: secondsOf(work) } }));
  await end(work, (document) => ({
    status,
    times: { ...document.times, [timeOf[status]]: secondsOf(work) },
  }));
}

/** The same for one that cannot go on; what was done until then is there all the same. */
export const failed = (work: Work, status: Failure, errors: readonly BatchError[]): Promise<void> =>
  end(work, (document) => ({ status, errors, times: { ...document.times, failedAt: secondsOf(work) } }));

async function end(
  work: Work,
  make: (document: BatchDocument) => Partial<BatchDocument> & { readonly status: BatchStatus },
): Promise<void> {
  const { batch, working } = work;
  const files = await joined(batch, working, working.clock.now());
  await batch.change((document) => ({ ...make(document), ...files }));
  await tidied(work);
}

/** Removes what is in files now. Only then nobody has to work on the batch any more: whoever dies before leaves it to others. */
export async function tidied({ batch, working }: Work): Promise<void> {
  await removeParts(batch, working.blobs);
  await batch.end();
}
