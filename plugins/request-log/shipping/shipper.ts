import {
  atMost,
  keptLog,
  type LogEntry,
  LogError,
  type Logger,
  type LogsService,
  type MetricsService,
  type PackedLog,
  Succession,
  timerFor,
  withDeadline,
} from "../../../core/index.ts";
import type { RequestLogOptions } from "../options.ts";
import type { Draft } from "../record/records.ts";
import { StoreBreaker } from "./breaker.ts";
import { Losses, type Lost } from "./losses.ts";
import type { Owners } from "./owners.ts";
import { RecordQueue, type Waiting } from "./queue.ts";

/** What the shippers of all generations of a gateway have in common. */
export interface Common {
  written: number;
  readonly lost: Lost;
  /** That of the generation which answers: what an older one could not write is handed to it. */
  readonly succession: Succession<Shipper>;
}

export const inCommon = (): Common => ({
  written: 0,
  lost: { records: 0, contents: 0 },
  succession: new Succession(),
});

export interface ShipperParts {
  readonly logs: LogsService;
  readonly owners: Owners;
  readonly log: Logger;
  readonly options: RequestLogOptions;
  readonly metrics?: MetricsService | undefined;
  /** Absent where there is one generation only. */
  readonly common?: Common;
  readonly now?: () => number;
}

/** How the records of this process fare. */
export interface ShippingState {
  readonly state: StoreBreaker["state"];
  readonly failures: number;
  readonly opensAt: number | undefined;
  readonly waiting: { readonly records: number; readonly bytes: number };
  readonly written: number;
  readonly lost: { readonly records: number; readonly contents: number };
}

/** Milliseconds between two words in the log about what is lost. */
const wordsApart = 60_000;

/** Carries records to the store: off the request's path, in batches, one at a time, and for as long as it takes. */
export class Shipper {
  readonly #parts: ShipperParts;
  readonly #now: () => number;
  readonly #losses: Losses;
  readonly #queue: RecordQueue;
  readonly #breaker: StoreBreaker;
  readonly #common: Common;
  #timer: NodeJS.Timeout | undefined;
  #shipping: Promise<void> | undefined;
  #inFlight: readonly Waiting[] = none;
  #closed = false;
  /** Somebody else has what was being written when this one closed: what becomes of it is counted there. */
  #handedOn = false;
  #reported: Lost & { readonly at: number };

  constructor(parts: ShipperParts) {
    const { queueRows, queueBytes, failureThreshold, backoff } = parts.options;
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#common = parts.common ?? inCommon();
    this.#losses = new Losses(this.#common.lost, parts.metrics && droppedBy(parts.metrics));
    this.#queue = new RecordQueue({ rows: queueRows, bytes: queueBytes }, this.#losses);
    this.#reported = { at: Number.NEGATIVE_INFINITY, ...this.#losses.total };
    this.#breaker = new StoreBreaker({ threshold: failureThreshold, backoff, now: this.#now });
  }

  get state(): ShippingState {
    const { state, failures, opensAt } = this.#breaker;
    const waiting = { records: this.#queue.length + this.#inFlight.length, bytes: this.#queue.bytes };
    return { state, failures, opensAt, waiting, written: this.#common.written, lost: { ...this.#losses.total } };
  }

  /** From now on this one takes over what older generations leave behind. */
  serve(): void {
    this.#common.succession.serve(this);
  }

  add(draft: Draft): void {
    // What comes when this one has handed on goes where the rest went.
    const heir = this.#closed ? this.#common.succession.serving : undefined;
    if (heir) return heir.add(draft);
    const { batchRows, batchBytes, batchMilliseconds } = this.#parts.options;
    const record = this.#packed(draft);
    if (record) this.#queue.add(record);
    const isBatch = this.#queue.length >= batchRows || this.#queue.bytes >= batchBytes;
    // After a failure a moment passes, however much has come meanwhile.
    if (isBatch && this.#breaker.failures === 0) this.#ship();
    else this.#later(batchMilliseconds);
    this.#reportLoss();
  }

  /**
   * Writes what is left, as far as the time allows. What then still waits goes to the generation that answers; where there
   * is none, the process ends: it is lost, and said to be.
   */
  async close(milliseconds: number): Promise<void> {
    const { succession } = this.#common;
    succession.leave(this);
    clearTimeout(this.#timer);
    const until = this.#now() + milliseconds;
    await atMost(milliseconds, this.#shipping);
    while (!this.#shipping && this.#queue.length > 0 && this.#now() < until)
      if (!(await this.#shipBatch(Math.max(1, until - this.#now())))) break;
    clearTimeout(this.#timer);
    this.#closed = true;
    // What is still being written may be there in the end: a store keeps it once, however often it is appended.
    const left = [...this.#inFlight, ...this.#queue.take(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)];
    const heir = succession.serving;
    this.#handedOn = heir !== undefined;
    if (heir) heir.#takeOver(left);
    else this.#losses.add("records", left.length);
    this.#reportLoss(true);
  }

  #takeOver(records: readonly Waiting[]): void {
    if (records.length === 0) return;
    this.#queue.putBack(records);
    this.#later(this.#parts.options.batchMilliseconds);
    this.#reportLoss();
  }

  /** What waits, waits packed, unless somebody has to be asked whose it is. Undefined where no store would take it. */
  #packed(draft: Draft): Waiting | undefined {
    const { logs, owners } = this.#parts;
    const entry = owners.entryOf(draft);
    if (entry instanceof Promise) {
      entry.catch(() => undefined);
      return draft;
    }
    try {
      return { packed: logs.packed(entry), size: draft.size };
    } catch (error) {
      this.#fitsNoStore(entry.row.id, error);
      return undefined;
    }
  }

  #fitsNoStore(record: string, error: unknown): void {
    if (!(error instanceof LogError && error.reason === "invalid")) throw error;
    if (!this.#handedOn) this.#losses.add("records", 1);
    this.#parts.log.error("a record fits no store", { record, error });
  }

  /** One time at a time: what comes meanwhile is the next batch. */
  #ship(): void {
    if (this.#shipping) return;
    // A timer may end a moment before the clock says so.
    if (this.#breaker.state === "open") return this.#later(this.#parts.options.batchMilliseconds);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shipping = this.#shipAll().finally(() => {
      this.#shipping = undefined;
      if (this.#queue.length > 0) this.#later(this.#parts.options.batchMilliseconds);
    });
  }

  #later(milliseconds: number): void {
    if (this.#timer || this.#shipping) return;
    const { opensAt } = this.#breaker;
    const pause = opensAt === undefined ? milliseconds : Math.max(1, opensAt - this.#now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#ship();
    }, timerFor(pause)).unref();
  }

  /** Goes on while there are whole batches, or what there was when it began. */
  async #shipAll(): Promise<void> {
    const { batchRows, batchBytes, timeout } = this.#parts.options;
    do {
      if (!(await this.#shipBatch(timeout))) return;
    } while (this.#queue.length >= batchRows || this.#queue.bytes >= batchBytes);
  }

  /** Whether it was written. */
  async #shipBatch(timeout: number): Promise<boolean> {
    const { batchRows, batchBytes } = this.#parts.options;
    const records = this.#queue.take(batchRows, batchBytes);
    this.#inFlight = records;
    try {
      const written = await this.#write(records, timeout);
      this.#succeeded(written);
      return true;
    } catch (error) {
      // Where it took so long that this one is closed, somebody else has them already.
      if (!this.#closed) this.#queue.putBack(records);
      this.#failed(error);
      return false;
    } finally {
      this.#inFlight = none;
    }
  }

  async #write(records: readonly Waiting[], timeout: number): Promise<number> {
    const { logs, owners } = this.#parts;
    const entries: (LogEntry | PackedLog)[] = [];
    for (const record of records) entries.push("packed" in record ? record.packed : await owners.entryOf(record));
    try {
      await within(timeout, logs.append(entries));
      return entries.length;
    } catch (error) {
      if (!(error instanceof LogError && error.reason === "invalid")) throw error;
      return this.#writeSingly(entries, timeout);
    }
  }

  /** One that no store takes is not to keep the others waiting. */
  async #writeSingly(entries: readonly (LogEntry | PackedLog)[], timeout: number): Promise<number> {
    const { logs } = this.#parts;
    let written = 0;
    for (const entry of entries) {
      try {
        await within(timeout, logs.append([entry]));
        written++;
      } catch (error) {
        this.#fitsNoStore("pieces" in entry ? keptLog(entry).id : entry.row.id, error);
      }
    }
    return written;
  }

  #succeeded(written: number): void {
    const wasDown = this.#breaker.failures > 0;
    this.#breaker.succeeded();
    if (!this.#handedOn) this.#common.written += written;
    if (wasDown) this.#parts.log.info("request records are written again", { waiting: this.#queue.length });
  }

  #failed(error: unknown): void {
    const { log } = this.#parts;
    this.#breaker.failed();
    const { failures, state, opensAt } = this.#breaker;
    const until = opensAt === undefined ? {} : { leftAloneUntil: new Date(opensAt).toISOString() };
    if (failures === 1 || state === "open")
      log.warn("request records could not be written", { failures, waiting: this.#queue.length, ...until, error });
    else log.debug("request records could not be written", { failures, error });
  }

  /** Says that something is lost when it begins, now and then, and in the end. */
  #reportLoss(anyhow = false): void {
    const { records, contents } = this.#losses.total;
    const { at, ...told } = this.#reported;
    if (records === told.records && contents === told.contents) return;
    const now = this.#now();
    if (!anyhow && now - at < wordsApart) return;
    this.#reported = { at: now, records, contents };
    this.#parts.log.error("request records are lost", { records, contents });
  }
}

const none: readonly Waiting[] = [];

/** Told of from the start, so that whoever watches it sees it begin to grow. */
function droppedBy(metrics: MetricsService) {
  const counter = metrics.counter({
    name: "log_store_dropped_total",
    help: "Records of requests that were lost, and those kept without their content, as the store did not take them.",
    labels: ["what"],
  });
  for (const what of ["records", "contents"] as const) counter.add(0, what);
  return counter;
}

function within(milliseconds: number, writing: Promise<void>): Promise<void> {
  const late = () => new LogError("down", `The store of logs did not answer within ${milliseconds} ms.`);
  return withDeadline(writing, milliseconds, late);
}
