import type { Attempt } from "../model/attempt.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Logger } from "../model/logger.ts";
import type { OwnRoad } from "../pipeline/own-road/own-road.ts";
import type { ApiKeysService } from "../services/api-keys.ts";
import type { JobTotal } from "./job-meter.ts";
import type { Job, KnownJobs } from "./known-jobs.ts";

export interface Payers {
  readonly jobs: KnownJobs;
  /** Has what somebody else is to pay for counted; absent where whoever learns of a job pays for it. */
  readonly account?: OwnRoad["account"];
  /** Who a principal is by now; undefined of one who is let in no more. */
  readonly today?: ApiKeysService["today"] | undefined;
  readonly log?: Logger;
}

interface Learnt {
  readonly exchange: Exchange;
  readonly attempt: Attempt;
  readonly job: Job;
  readonly total: JobTotal;
}

/**
 * Has whoever made a job pay for it, where that is known and somebody else learns what it used: an exchange of their own is
 * counted and recorded. False where it is the one who learns of it who pays.
 */
export async function isPaidByMaker(
  { jobs, account, today, log }: Payers,
  { exchange, attempt, job, total: { usage, cost, model } }: Learnt,
): Promise<boolean> {
  const maker = account && (await jobs.makerOf(job));
  if (!maker || maker.id === exchange.principal?.id) return false;
  try {
    // Who is let in no more has made it all the same.
    const principal = (await today?.(maker).catch(() => undefined)) ?? maker;
    const { endpoint, method, url: path } = exchange;
    // Whom requests of theirs would go to by now may be another one.
    const known = { endpoint, method, target: attempt.target };
    const parts = [{ model, usage, ...(cost && { cost }) }];
    await account({ path, headers: {}, principal, source: "batch", parts, known });
    return true;
  } catch (error) {
    log?.warn("what a job used could not be counted against who has made it", { job: job.id, error });
    return false;
  }
}
