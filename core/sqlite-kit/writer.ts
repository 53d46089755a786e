import { type Transferable, Worker } from "node:worker_threads";
import { addressOf } from "../module-address.ts";
import type { WriteReport } from "./commit.ts";
import type { WriteNames } from "./contents.ts";
import type { Order, Report, ThreadData } from "./writer-thread.ts";

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export interface WriterOptions {
  readonly path: string;
  /** Milliseconds a write may take. */
  readonly timeout: number;
  /** The address of the module that says what is in the file (`FileContents`). */
  readonly contents: string;
  /** The error of a file that cannot be used, in the words of whoever keeps it. */
  readonly down: (reason: string, cause?: unknown) => Error;
}

const ownCode = new URL("./writer-thread.ts", import.meta.url).href;

/** The thread that writes, and what it was asked. It starts when it is first needed, and again after it died. */
export class Writer<Writes extends WriteNames<Writes>> {
  readonly #options: WriterOptions;
  readonly #pending = new Map<number, Pending>();
  #thread: Promise<Worker> | undefined;
  #worker: Worker | undefined;
  #last = 0;
  #available = true;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  get available(): boolean {
    return this.#available;
  }

  /** Rejects when the file cannot be opened. */
  async start(): Promise<void> {
    await this.#running();
  }

  /** What is transferred is not copied, and gone here. */
  async write<Name extends keyof Writes & string>(
    write: Name,
    input: Writes[Name]["input"],
    transfer: readonly Transferable[] = [],
  ): Promise<Writes[Name]["result"]> {
    const worker = await this.#running();
    const number = ++this.#last;
    const until = Date.now() + this.#options.timeout;
    const answer = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#settle(number)?.reject(this.#late());
        this.#available = false;
      }, this.#options.timeout);
      this.#pending.set(number, { resolve, reject, timer });
    });
    // A process does not end with a write under way, and is not kept alive by a thread with nothing to do.
    worker.ref();
    worker.postMessage({ number, write, input, until } satisfies Order, transfer);
    return (await answer) as Writes[Name]["result"];
  }

  /** Lets the writes under way end. */
  async close(): Promise<void> {
    const worker = await this.#thread?.catch(() => undefined);
    if (!worker || this.#worker !== worker) return;
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.ref();
    worker.postMessage({ close: true } satisfies Order);
    await ended;
  }

  #running(): Promise<Worker> {
    this.#thread ??= this.#begin().catch((error: unknown) => {
      this.#thread = undefined;
      this.#available = false;
      throw error;
    });
    return this.#thread;
  }

  async #begin(): Promise<Worker> {
    const { path, timeout } = this.#options;
    const code = await addressOf(ownCode);
    const contents = await addressOf(this.#options.contents);
    const workerData: ThreadData = { path, busyTimeout: Math.ceil(timeout / 2), contents, code };
    const worker = new Worker(new URL("./writer-thread.mjs", import.meta.url), { workerData, execArgv: [] });
    return new Promise((resolve, reject) => {
      const fail = (reason: string) => reject(this.#down(`cannot be opened: ${reason}`));
      worker.on("message", (report: Report) => {
        if ("opened" in report) {
          this.#worker = worker;
          this.#available = true;
          worker.unref();
          resolve(worker);
        } else if ("failed" in report) fail(report.failed);
        else this.#answered(worker, report);
      });
      worker.on("error", (error: Error) => {
        fail(error.message);
        this.#lost(worker, error.message);
      });
      worker.on("exit", () => {
        fail("the writing thread ended");
        this.#lost(worker, "the writing thread ended");
      });
    });
  }

  #answered(worker: Worker, report: WriteReport): void {
    const pending = this.#settle(report.number);
    if ("error" in report) pending?.reject(this.#down(`cannot be written: ${report.error}`));
    else if ("late" in report) pending?.reject(this.#late());
    else pending?.resolve(report.result);
    this.#available = !("error" in report);
    if (this.#pending.size === 0) worker.unref();
  }

  #lost(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#thread = undefined;
    for (const number of [...this.#pending.keys()]) this.#settle(number)?.reject(this.#down(reason));
  }

  #settle(number: number): Pending | undefined {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    clearTimeout(pending?.timer);
    return pending;
  }

  #late(): Error {
    return this.#down(`did not answer within ${this.#options.timeout} ms`);
  }

  #down(what: string): Error {
    return this.#options.down(what);
  }
}
