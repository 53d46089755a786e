import { errorMessage } from "../errors/error-message.ts";
import type { Logger } from "../model/logger.ts";
import { CountersError } from "../services/counters.ts";
import { timerFor } from "../time/longest-timer.ts";

export interface WatchedStoreOptions {
  /** Milliseconds a call may take. */
  readonly timeout: number;
  /** Whether there is anybody to call. */
  readonly reachable: () => boolean;
  /** One call, to see whether the store answers again. */
  readonly probe: () => Promise<unknown>;
  readonly log: Logger;
  /** Milliseconds without calls after too many have failed. */
  readonly pause?: number | undefined;
}

/** Calls that failed one after the other, until there are none for a while (policies.md section 11.4). */
const mostFailures = 5;
const defaultPause = 10_000;

/**
 * Calls of a store outside this process, each with a deadline. After five failures in a row nobody calls for ten seconds;
 * then one probe of its own finds out whether the store answers again, so that no request has to be the one to try.
 */
export class WatchedStore {
  readonly #options: WatchedStoreOptions;
  readonly #pause: number;
  #failures = 0;
  #shut = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WatchedStoreOptions) {
    this.#options = options;
    this.#pause = options.pause ?? defaultPause;
  }

  get available(): boolean {
    return !this.#shut && !this.#closed && this.#options.reachable();
  }

  /** What the store answers. Rejects with a CountersError: at once while nobody calls, otherwise within the deadline. */
  async call<Found>(send: () => Promise<Found>): Promise<Found> {
    if (!this.available) throw new CountersError("The store of the counters is not available.");
    try {
      const found = await this.#timed(send);
      if (!this.#shut) this.#failures = 0;
      return found;
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #timed<Found>(send: () => Promise<Found>): Promise<Found> {
    const { timeout } = this.#options;
    return new Promise((resolve, reject) => {
      const late = () => reject(new CountersError(`The store of the counters did not answer within ${timeout} ms.`));
      // Timers come before what was received meanwhile: where this process was the slow one, the answer is there already.
      const timer = setTimeout(() => setImmediate(late), timerFor(timeout));
      send().then(
        (found) => {
          clearTimeout(timer);
          resolve(found);
        },
        (cause: unknown) => {
          clearTimeout(timer);
          const reason = errorMessage(cause);
          reject(new CountersError(`The store of the counters failed: ${reason}`, { cause }));
        },
      );
    });
  }

  #failed(error: unknown): void {
    if (this.#shut || this.#closed || ++this.#failures < mostFailures) return;
    this.#shut = true;
    const { log } = this.#options;
    log.warn("the store of the counters does not answer: nobody asks it for a while", { pause: this.#pause, error });
    this.#probeLater();
  }

  #probeLater(): void {
    this.#timer = setTimeout(() => void this.#probe(), this.#pause).unref();
  }

  async #probe(): Promise<void> {
    const { reachable, probe, log } = this.#options;
    try {
      if (!reachable()) throw new CountersError("The store of the counters is out of reach.");
      await this.#timed(probe);
    } catch {
      if (!this.#closed) this.#probeLater();
      return;
    }
    this.#failures = 0;
    this.#shut = false;
    log.info("the store of the counters answers again");
  }
}
