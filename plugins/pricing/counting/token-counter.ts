import { Worker } from "node:worker_threads";

interface Pending {
  readonly resolve: (counts: readonly number[] | undefined) => void;
  readonly size: number;
  readonly timer: NodeJS.Timeout;
}

/** Characters that wait to be counted at most: what comes on top is not counted. */
const mostWaiting = 32 * 1024 * 1024;
/** Milliseconds a count may take, waiting included. */
const deadline = 20_000;

/** Counts tokens in a thread of its own, which begins when it is first needed. */
export class TokenCounter {
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #last = 0;
  #waiting = 0;

  /** Tokens of each group of texts; undefined where nobody has counted them in time. Never rejects. */
  count(groups: readonly (readonly string[])[]): Promise<readonly number[] | undefined> {
    const size = groups.flat().reduce((sum, text) => sum + text.length, 0);
    if (this.#waiting + size > mostWaiting) return Promise.resolve(undefined);
    const worker = this.#running();
    const number = ++this.#last;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(number, undefined), deadline);
      this.#pending.set(number, { resolve, size, timer });
      this.#waiting += size;
      worker.ref();
      worker.postMessage({ number, groups });
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL("./thread.mjs", import.meta.url), { execArgv: [] });
    worker.on("message", ({ number, counts }: { number: number; counts: readonly number[] }) =>
      this.#settle(number, counts),
    );
    worker.on("error", () => this.#lost(worker));
    worker.on("exit", () => this.#lost(worker));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #settle(number: number, counts: readonly number[] | undefined): void {
    const pending = this.#pending.get(number);
    if (!pending) return;
    this.#pending.delete(number);
    this.#waiting -= pending.size;
    clearTimeout(pending.timer);
    pending.resolve(counts);
    if (this.#pending.size === 0) this.#worker?.unref();
  }

  #lost(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const number of [...this.#pending.keys()]) this.#settle(number, undefined);
  }
}
