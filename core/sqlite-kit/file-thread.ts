import { type Transferable, Worker } from "node:worker_threads";
import { addressOf } from "../modules/module-address.ts";
import { timerFor } from "../time/longest-timer.ts";
import type { OrderNames } from "./contents.ts";
import type { Order, OrderReport, Report, ThreadData } from "./orders.ts";

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export interface FileOptions {
  readonly path: string;
  /** Milliseconds an order may take. */
  readonly timeout: number;
  /** The address of the module that says what is in the file (`FileContents`). */
  readonly contents: string;
  /** The error of a file that cannot be used, in the words of whoever keeps it. */
  readonly down: (reason: string, cause?: unknown) => Error;
}

/** What threads are for: the code of each, and what an operator reads when one of its orders fails. */
const tasks = {
  write: { code: new URL("./writer-thread.ts", import.meta.url).href, thread: "writing", done: "written" },
  read: { code: new URL("./reader-thread.ts", import.meta.url).href, thread: "reading", done: "read" },
};

/** A thread that has the file open, and what it was asked. It starts when it is first needed, and again after it died. */
export class FileThread<Orders extends OrderNames<Orders>> {
  readonly #options: FileOptions;
  readonly #task: (typeof tasks)[keyof typeof tasks];
  readonly #pending = new Map<number, Pending>();
  #thread: Promise<Worker> | undefined;
  #worker: Worker | undefined;
  #last = 0;
  #available = true;

  constructor(options: FileOptions, task: keyof typeof tasks) {
    this.#options = options;
    this.#task = tasks[task];
  }

  get available(): boolean {
    return this.#available;
  }

  /** Rejects when the file cannot be opened. */
  async start(): Promise<void> {
    await this.#running();
  }

  /** What is transferred is not copied, and gone here. */
  async order<Name extends keyof Orders & string>(
    name: Name,
    input: Orders[Name]["input"],
    transfer: readonly Transferable[] = [],
  ): Promise<Orders[Name]["result"]> {
    const worker = await this.#running();
    const number = ++this.#last;
    const until = Date.now() + this.#options.timeout;
    const answer = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#settle(number)?.reject(this.#late());
        this.#available = false;
      }, timerFor(this.#options.timeout));
      this.#pending.set(number, { resolve, reject, timer });
    });
    // A process does not end with an order under way, and is not kept alive by a thread with nothing to do.
    worker.ref();
    worker.postMessage({ number, name, input, until } satisfies Order, transfer);
    return (await answer) as Orders[Name]["result"];
  }

  /** Lets what is under way end. */
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
    const code = await addressOf(this.#task.code);
    const contents = await addressOf(this.#options.contents);
    const workerData: ThreadData = { path, busyTimeout: Math.ceil(timeout / 2), contents, code };
    const worker = new Worker(new URL("./thread.mjs", import.meta.url), { workerData, execArgv: [] });
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
        const reason = `the ${this.#task.thread} thread ended`;
        fail(reason);
        this.#lost(worker, reason);
      });
    });
  }

  #answered(worker: Worker, report: OrderReport): void {
    const pending = this.#settle(report.number);
    if ("error" in report) pending?.reject(this.#down(`cannot be ${this.#task.done}: ${report.error}`));
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
