import {
  type Batch,
  type BatchError,
  type BatchStatus,
  type Principal,
  tokensIn,
  totalTokens,
  type Usage,
} from "../../core/index.ts";

/** What the ids of batches that are kept here begin with. */
export const batchPrefix = "gw_batch_";

/** A batch as its record has it. Times are Unix seconds, those of the lease milliseconds. */
export interface BatchDocument {
  /** Whether somebody has to work on it: also on one that is over, as long as what it was made of is there. */
  readonly active: boolean;
  readonly asked: AskedBatch;
  /** On whose behalf. */
  readonly principal: Principal;
  /** Headers of whatever is sent for it, as JSON; encrypted where there is encryption. */
  readonly headers: string;
  readonly status: BatchStatus;
  readonly times: BatchTimes;
  readonly counts: NonNullable<Batch["counts"]>;
  readonly errors?: readonly BatchError[];
  readonly outputFileId?: string;
  readonly errorFileId?: string;
  /** Who works on it. */
  readonly lease: { readonly holder: string; readonly until: number } | null;
  readonly progress: Progress;
  /** How it is to end, once that is decided: then its files are made, and nothing else is done for it. */
  readonly ending?: DecidedEnding;
  /** The batch at the provider, where that does the work. */
  readonly job: Job;
  readonly used: Used;
}

export interface DecidedEnding {
  readonly status: BatchStatus;
  readonly errors?: readonly BatchError[];
}

export interface AskedBatch {
  readonly inputFileId: string;
  readonly endpoint: string;
  readonly completionWindow: "24h" | "immediate";
  readonly model?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Fields for the provider, by their names on the wire. */
  readonly own: Readonly<Record<string, unknown>>;
  /** Seconds that output is kept; absent is for ever. */
  readonly outputLifetime?: number;
}

type Moment =
  | "inProgressAt"
  | "expiresAt"
  | "finalizingAt"
  | "completedAt"
  | "failedAt"
  | "expiredAt"
  | "cancellingAt"
  | "cancelledAt";

export type BatchTimes = Required<Pick<Batch, "createdAt">> & Pick<Batch, Moment>;

/** How far the work is. */
export interface Progress {
  /** Lines that are done, from the first. */
  readonly lines: number;
  /** Where the next one begins in the input. */
  readonly offset: number;
  /** Numbers of lines behind it that are done all the same: others of their group were cut off. */
  readonly ahead: readonly number[];
  /** Parts of the output and of the errors that are written. */
  readonly parts: Parts;
  /**
   * How many parts were counted each time when somebody went on with the batch of one that had not let it go. Parts behind
   * those have names of their own: that one may be paused, and write when it goes on.
   */
  readonly takeovers?: readonly Parts[];
}

export interface Parts {
  readonly output: number;
  readonly error: number;
}

export interface Job {
  /** How many rows guardrails keep back, once they have looked at all; the others are in a file of their own. */
  readonly denied?: number;
  /** After how many takeovers that file was written: it is a part of its name. */
  readonly inputBy?: number;
  /** Ids at the provider. */
  readonly file?: string;
  readonly id?: string;
  /** The provider's name. */
  readonly provider?: string;
  /** It was asked to start: without an id nobody knows whether it did. */
  readonly starting?: true;
  /** It was asked to stop. */
  readonly stopping?: true;
  /** The provider's own batch, when it was last looked at. */
  readonly seen?: Readonly<Record<string, unknown>>;
  /** What it used is counted. */
  readonly accounted?: true;
  /** What the provider wrote is in parts here. */
  readonly fetched?: true;
}

/** What the work came to so far. */
export interface Used {
  readonly inputTokens: number;
  readonly totalTokens: number;
  /** Dollars, exact; absent where some of it has no price. */
  readonly cost?: string;
  /** What answered last. */
  readonly provider?: string;
}

/** Seconds a provider has for a batch. */
const window = 24 * 60 * 60;

/** A batch that nobody has worked on. `now` is Unix milliseconds. */
export function newBatch(given: Pick<BatchDocument, "asked" | "principal" | "headers">, now: number): BatchDocument {
  const createdAt = Math.floor(now / 1000);
  const isTimed = given.asked.completionWindow === "24h";
  return {
    active: true,
    ...given,
    status: "validating",
    times: { createdAt, ...(isTimed && { expiresAt: createdAt + window }) },
    counts: { total: 0, completed: 0, failed: 0 },
    lease: null,
    progress: { lines: 0, offset: 0, ahead: [], parts: { output: 0, error: 0 } },
    job: {},
    used: { inputTokens: 0, totalTokens: 0, cost: "0" },
  };
}

/** Tokens that went in and all tokens, as far as they are known. */
export const tokensOf = (usage: Usage | undefined): Pick<Used, "inputTokens" | "totalTokens"> => ({
  inputTokens: tokensIn(usage) ?? 0,
  totalTokens: totalTokens(usage) ?? 0,
});

const endings: ReadonlySet<BatchStatus> = new Set([
  "completed",
  "cancelled",
  "expired",
  "failed",
  "file_upload_failed",
  "batch_start_failed",
]);

/** Whether it is what it will always be, though there may be something left to tidy up. */
export const isOver = ({ status }: Pick<BatchDocument, "status">): boolean => endings.has(status);

/** The batch as clients know it. */
export function shownBatch(id: string, document: BatchDocument, more?: Readonly<Record<string, unknown>>): Batch {
  const { asked, status, times, counts, errors, outputFileId, errorFileId } = document;
  const { inputFileId, endpoint, completionWindow, model, metadata } = asked;
  return {
    id,
    status,
    endpoint,
    inputFileId,
    completionWindow,
    ...times,
    counts,
    ...(model !== undefined && { model }),
    ...(metadata && { metadata }),
    ...(errors && { errors }),
    ...(outputFileId !== undefined && { outputFileId }),
    ...(errorFileId !== undefined && { errorFileId }),
    ...(more && { more }),
  };
}
