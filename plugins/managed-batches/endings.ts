import type { BatchError } from "../../core/index.ts";
import type { BatchTimes, DecidedEnding } from "./document.ts";
import { joined, removeParts } from "./output-files.ts";
import { secondsOf, type Work } from "./working.ts";

type Ending = "completed" | "cancelled" | "expired";
type Failure = "failed" | "file_upload_failed" | "batch_start_failed";

const timeOf: Readonly<Record<string, keyof BatchTimes>> = {
  completed: "completedAt",
  cancelled: "cancelledAt",
  expired: "expiredAt",
} satisfies Record<Ending, keyof BatchTimes>;

/** Makes files of what was written, and says that the batch is over. */
export const conclude = (work: Work, status: Ending): Promise<void> => decided(work, { status });

/** The same for one that cannot go on; what was done until then is there all the same. */
export const failed = (work: Work, status: Failure, errors: readonly BatchError[]): Promise<void> =>
  decided(work, { status, errors });

/** Nothing more is written from here on: files that are there, or half there, when this process dies are of the same parts. */
async function decided(work: Work, ending: DecidedEnding): Promise<void> {
  const finalizingAt = secondsOf(work);
  await work.batch.change(({ times, ending: known = ending }) => ({
    ending: known,
    ...(known.status === "completed" && {
      status: "finalizing",
      times: { ...times, finalizingAt: times.finalizingAt ?? finalizingAt },
    }),
  }));
  await ended(work);
}

/** Ends a batch as it was decided. */
export async function ended(work: Work): Promise<void> {
  const { batch, working } = work;
  const { ending } = batch.document;
  if (!ending) throw new Error(`nobody has decided how ${batch.id} ends`);
  const files = await joined(batch, working, working.clock.now());
  const time = timeOf[ending.status] ?? "failedAt";
  await batch.change(({ times }) => ({ ...ending, ...files, times: { ...times, [time]: secondsOf(work) } }));
  await tidied(work);
}

/** Removes what is in files now. Only then nobody has to work on the batch any more: whoever dies before leaves it to others. */
export async function tidied({ batch, working }: Work): Promise<void> {
  await removeParts(batch, working.blobs);
  await batch.end();
}
