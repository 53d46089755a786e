import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { BatchMetrics } from "./batch-metrics.ts";
import { isOver } from "./document.ts";
import { failed } from "./endings.ts";
import { Stopped } from "./guard-input.ts";
import { InputGone, readInput } from "./input-file.ts";
import { insist } from "./insist.ts";
import { removeUncounted } from "./output-files.ts";
import { type Place, Places } from "./places.ts";
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

/** Batches of a tenant that are known to wait; more of them are found when these are begun. */
const mostQueued = 20;

/** Works on batches: on each of them one process at a time, which says again and again that it is still there. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #id = randomUUID();
  readonly #stopping = new AbortController();
  readonly #leaving = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, number>();
  readonly #places: Places;
  /** Batches that a provider is done with, and that wait for a place again. */
  readonly #back: { readonly tenant: string; readonly enter: () => void }[] = [];
  /** By tenant, batches that waited when they were looked for last, oldest first. */
  #queue = new Map<string, BatchRecord[]>();
  #scanning: Promise<void> | undefined;
  #again = false;
  #isStale = true;
  #looking: Promise<void> | undefined;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#places = new Places(parts.atOnce, parts.working.clock.now);
    // Every line in flight listens.
    setMaxListeners(0, this.#stopping.signal, this.#leaving.signal);
  }

  start(): void {
    this.#looking = this.#look();
  }

  /** Looks for work now, where there is a place for it. */
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
    for (const { enter } of this.#back.splice(0)) enter();
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
      this.#isStale = true;
      this.wake();
      await working.clock.wait(scanInterval, signal);
    }
  }

  async #scan(): Promise<void> {
    const { working } = this.#parts;
    try {
      do {
        this.#again = false;
        if (!this.#isStale) await this.#fill();
        while ((this.#isStale || this.#places.isFree) && (await this.#lookForWork())) await this.#fill();
      } while (this.#again && !this.#leaving.signal.aborted);
    } catch (error) {
      working.log.warn("batches could not be looked for", { error });
    } finally {
      this.#scanning = undefined;
    }
  }

  /** Finds what waits, of everybody. Whether there is something. */
  async #lookForWork(): Promise<boolean> {
    const queue = new Map<string, BatchRecord[]>();
    this.#isStale = false;
    for await (const record of this.#parts.store.waiting()) {
      if (this.#leaving.signal.aborted) return false;
      if (this.#running.has(keyOf(record))) continue;
      const own = queue.get(record.tenant);
      if (!own) queue.set(record.tenant, [record]);
      else if (own.length < mostQueued) own.push(record);
    }
    this.#queue = queue;
    return queue.size > 0 || this.#back.length > 0;
  }

  /** Begins with batches that wait, as long as there are places, and has some given up where somebody has too many. */
  async #fill(): Promise<void> {
    while (this.#places.isFree && !this.#leaving.signal.aborted) {
      const tenant = this.#places.next(this.#queue.keys());
      const own = this.#queue.get(tenant ?? "") ?? [];
      const record = own.shift();
      if (tenant === undefined || !record) return;
      if (own.length === 0) this.#queue.delete(tenant);
      await this.#take(record);
    }
    const waiting = new Map(Array.from(this.#queue, ([tenant, own]) => [tenant, own.length]));
    const begun = this.#back.map(({ tenant }) => tenant);
    this.#places.makeRoom(waiting, begun);
  }

  async #take(record: BatchRecord): Promise<void> {
    const { store, lease, working } = this.#parts;
    const { tenant, document } = record;
    const place = this.#places.take(tenant, document.asked.completionWindow === "immediate");
    const claimed = await store.claim(record, this.#id, lease).catch((error: unknown) => {
      this.#leavePlace(place);
      throw error;
    });
    if (!claimed) return this.#leavePlace(place);
    const batch = new HeldBatch(claimed, { store, holder: this.#id, lease, now: working.clock.now });
    this.#running.set(keyOf(claimed), this.#work(batch, place));
  }

  async #work(batch: HeldBatch, first: Place): Promise<void> {
    const { working, metrics } = this.#parts;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal]);
    const leaving = AbortSignal.any([this.#leaving.signal, signal]);
    setMaxListeners(0, signal, leaving);
    let place = first;
    const aside: Work["aside"] = async (doing) => {
      this.#leavePlace(place);
      try {
        return await doing();
      } finally {
        place = await this.#placeAgain(place);
      }
    };
    const work: Work = { working, batch, signal, leaving, aside, isTurnOver: () => place.isOver };
    const done = new AbortController();
    const renewing = this.#renew(batch, lost, done.signal);
    const begun = working.clock.now();
    try {
      await run(work);
      this.#failures.delete(batch.id);
    } catch (error) {
      // What is still under way is somebody else's.
      if (error instanceof LeaseLost) lost.abort();
      await this.#failed(work, error);
    } finally {
      done.abort();
      await renewing;
      if (lost.signal.aborted) await this.#tidyAfter(work);
      metrics?.worked(batch.document, working.clock.now() - begun);
      await batch
        .release()
        .catch((error: unknown) => working.log.warn("a batch was not let go", { batch: batch.id, error }));
      this.#running.delete(keyOf(batch));
      // It waits again, before younger ones of its tenant.
      this.#isStale ||= place.isOver;
      this.#leavePlace(place);
    }
  }

  #placeAgain({ tenant, mayPause }: Place): Promise<Place> {
    return new Promise((resolve) => {
      const enter = () => resolve(this.#places.take(tenant, mayPause));
      if (this.#places.isFree || this.#leaving.signal.aborted) enter();
      else this.#back.push({ tenant, enter });
    });
  }

  #leavePlace(place: Place): void {
    this.#places.leave(place);
    const next = this.#places.isFree ? this.#back.shift() : undefined;
    if (next) next.enter();
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

  /** What was written for nobody is taken away: whoever ended the batch may have looked for it before it was there. */
  async #tidyAfter(work: Work): Promise<void> {
    const { batch, working } = work;
    try {
      await insist({ ...work, leaving: this.#leaving.signal }, async () => {
        const now = await batch.asItIs();
        if (now) await removeUncounted(batch, now, working.blobs);
      });
    } catch (error) {
      working.log.warn("what was written of a batch that others took over is left", { batch: batch.id, error });
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
    // What it came to stays, though not all of what it was made of could be removed.
    const givenUp = isOver(batch.document)
      ? batch.end()
      : readable(work).then(() => failed(work, "failed", [{ code: "internal", message }]));
    await givenUp.catch((cause: unknown) =>
      working.log.error("a batch could not be given up", { batch: batch.id, error: cause }),
    );
  }
}

/** Rejects where the bytes of files are away: that passes, and a batch is not given up for it. */
async function readable(work: Work): Promise<void> {
  try {
    await readInput(work);
  } catch (error) {
    if (!(error instanceof InputGone)) throw error;
  }
}

const keyOf = ({ tenant, id }: Pick<BatchRecord, "tenant" | "id">): string => `${tenant} ${id}`;
