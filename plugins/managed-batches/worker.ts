import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { BatchMetrics } from "./batch-metrics.ts";
import { failed } from "./endings.ts";
import { Stopped } from "./guard-input.ts";
import { run } from "./run.ts";
import { type BatchRecord, type BatchStore, HeldBatch, LeaseLost } from "./store.ts";
import type { Work, Working } from "./working.ts";

export interface WorkerParts {
  readonly working: Working;
  readonly store: BatchStore;
  readonly metrics: BatchMetrics | undefined;
  /** Batches that are worked on at once; those that a provider has are looked at besides. */
  readonly atOnce: number;
  /** Milliseconds a batch is this process's without a word of it. */
  readonly lease: number;
  /** Milliseconds between two looks for work that another process left. */
  readonly scanInterval: number;
}

/** Times a batch is begun again after a failure of the gateway itself before it is given up. */
const mostFailures = 5;

/** Works on batches: on each of them one process at a time, which says again and again that it is still there. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #id = randomUUID();
  readonly #stopping = new AbortController();
  readonly #leaving = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, number>();
  /** How many of those are aside: somebody else does the work. */
  #aside = 0;
  /** Those that come back from there, and wait for a place. */
  readonly #back: (() => void)[] = [];
  #scanning: Promise<void> | undefined;
  #again = false;
  #looking: Promise<void> | undefined;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    // Every line in flight listens.
    setMaxListeners(0, this.#stopping.signal, this.#leaving.signal);
  }

  start(): void {
    this.#looking = this.#look();
  }

  /** Looks for work now. */
  wake(): void {
    if (this.#scanning) this.#again = true;
    else this.#scanning = this.#scan();
  }

  /** Resolves when there is nothing to do here. */
  async idle(): Promise<void> {
    while (this.#scanning || this.#running.size > 0) await Promise.all([this.#scanning, ...this.#running.values()]);
  }

  /** Begins nothing more: lines in flight are answered and written down, and others go on from there. */
  leave(): void {
    this.#leaving.abort();
    for (const next of this.#back.splice(0)) next();
  }

  /** The same at once: lines in flight are cut off. */
  async stop(): Promise<void> {
    this.leave();
    this.#stopping.abort();
    await this.#looking;
    await this.idle();
  }

  async #look(): Promise<void> {
    const { signal } = this.#leaving;
    const { working, scanInterval } = this.#parts;
    while (!signal.aborted) {
      this.wake();
      await working.clock.wait(scanInterval, signal);
    }
  }

  async #scan(): Promise<void> {
    const { store, working } = this.#parts;
    try {
      do {
        this.#again = false;
        for await (const record of store.waiting()) {
          if (this.#leaving.signal.aborted || !this.#hasPlace) break;
          if (!this.#running.has(keyOf(record))) await this.#take(record);
        }
      } while (this.#again);
    } catch (error) {
      working.log.warn("batches could not be looked for", { error });
    } finally {
      this.#scanning = undefined;
    }
  }

  async #take(record: BatchRecord): Promise<void> {
    const { store, lease, working } = this.#parts;
    const claimed = await store.claim(record, this.#id, lease);
    if (!claimed) return;
    const batch = new HeldBatch(claimed, { store, holder: this.#id, lease, now: working.clock.now });
    const key = keyOf(claimed);
    const running = this.#work(batch).finally(() => {
      this.#running.delete(key);
      this.#placeIsFree();
    });
    this.#running.set(key, running);
  }

  async #work(batch: HeldBatch): Promise<void> {
    const { working, metrics } = this.#parts;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal]);
    const leaving = AbortSignal.any([this.#leaving.signal, signal]);
    setMaxListeners(0, signal, leaving);
    const work: Work = { working, batch, signal, leaving, aside: (doing) => this.#besides(doing) };
    const done = new AbortController();
    const renewing = this.#renew(batch, lost, done.signal);
    const begun = working.clock.now();
    try {
      await run(work);
      this.#failures.delete(batch.id);
    } catch (error) {
      await this.#failed(work, error);
    } finally {
      done.abort();
      await renewing;
      metrics?.worked(batch.document, working.clock.now() - begun);
      await batch
        .release()
        .catch((error: unknown) => working.log.warn("a batch was not let go", { batch: batch.id, error }));
    }
  }

  async #besides<Value>(doing: () => Promise<Value>): Promise<Value> {
    this.#aside++;
    this.#placeIsFree();
    try {
      return await doing();
    } finally {
      if (this.#hasPlace || this.#leaving.signal.aborted) this.#aside--;
      else await this.#placeAgain();
    }
  }

  #placeAgain(): Promise<void> {
    return new Promise((resolve) => {
      this.#back.push(() => {
        this.#aside--;
        resolve();
      });
    });
  }

  get #hasPlace(): boolean {
    return this.#running.size - this.#aside < this.#parts.atOnce;
  }

  #placeIsFree(): void {
    const next = this.#back.shift();
    if (next) next();
    else if (!this.#leaving.signal.aborted) this.wake();
  }

  /** Says that this process is still there, for as long as it is. */
  async #renew(batch: HeldBatch, lost: AbortController, done: AbortSignal): Promise<void> {
    const { working, lease } = this.#parts;
    for (;;) {
      await working.clock.wait(lease / 3, done);
      if (done.aborted) return;
      try {
        await batch.change();
      } catch (error) {
        if (!(error instanceof LeaseLost)) continue;
        lost.abort();
        return;
      }
    }
  }

  async #failed(work: Work, error: unknown): Promise<void> {
    const { batch, working } = work;
    if (error instanceof Stopped || error instanceof LeaseLost || work.signal.aborted) return;
    const failures = (this.#failures.get(batch.id) ?? 0) + 1;
    this.#failures.set(batch.id, failures);
    working.log.error("the work on a batch failed", { batch: batch.id, failures, error });
    // Whatever it was, it may be another one the next time; what never is must not be tried for ever.
    await working.clock.wait(this.#parts.scanInterval * failures, work.leaving);
    if (failures < mostFailures || work.leaving.aborted) return;
    this.#failures.delete(batch.id);
    const message = "The gateway failed again and again while it worked on the batch.";
    await failed(work, "failed", [{ code: "internal", message }]).catch((cause: unknown) =>
      working.log.error("a batch could not be given up", { batch: batch.id, error: cause }),
    );
  }
}

const keyOf = ({ tenant, id }: BatchRecord): string => `${tenant} ${id}`;
