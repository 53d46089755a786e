import {
  type BlobsService,
  type Format,
  GatewayError,
  type RecordBackend,
  RecordError,
  recordStore,
} from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import type { Clock } from "../../plugins/managed-batches/clock.ts";
import { HeaderKeeper } from "../../plugins/managed-batches/gateway-options.ts";
import { BatchStore } from "../../plugins/managed-batches/store.ts";
import { Worker } from "../../plugins/managed-batches/worker.ts";
import { KeptFiles } from "../../plugins/managed-files/kept-files.ts";
import type { Fleet } from "./fleet.ts";

export type Place = "records" | "blobs" | "calls";

/** What goes wrong while a process asks for something; before or after it is done. */
export type Fault = "freeze before" | "freeze after" | "kill before" | "kill after" | "refuse" | "lose";

interface Trouble {
  readonly place: Place | undefined;
  readonly fault: Fault;
  /** Askings until then. */
  left: number;
}

export interface ProcessOptions {
  readonly groupLines: number;
  readonly groupInterval: number;
  readonly retries: number;
  readonly atOnce: number;
}

const reads = ["shapes", "shapeOf", "get", "find", "count", "older"] as const;
const writes = ["keepShape", "insert", "replace", "remove"] as const;
type Asking = (...given: readonly unknown[]) => Promise<unknown>;

/** A process of a deployment: whatever it asks for may be refused, or be the last thing that is heard of it. */
export class Process {
  readonly worker: Worker;
  readonly files: KeptFiles;
  readonly options: ProcessOptions;
  isFrozen = false;
  /** What it wrote then it takes away itself: where it died before that, nobody does. */
  wasFrozen = false;
  isDead = false;
  isLeaving = false;
  readonly troubles: Trouble[] = [];
  readonly #fleet: Fleet;
  readonly #thawed: (() => void)[] = [];

  constructor(fleet: Fleet, options: ProcessOptions) {
    this.#fleet = fleet;
    this.options = options;
    const clock: Clock = {
      now: () => fleet.time.now,
      wait: (milliseconds, signal) => this.#wait(milliseconds, signal),
    };
    const records = recordStore(this.#records(), silentLogger, clock.now);
    const blobs = this.#blobs();
    this.files = new KeptFiles(records, blobs, clock.now);
    const log = { ...silentLogger, error: (message: string, fields?: object) => fleet.told(message, fields ?? {}) };
    const { groupLines, groupInterval, retries, atOnce } = options;
    this.worker = new Worker({
      store: new BatchStore(records, clock.now),
      metrics: undefined,
      ...{ atOnce, lease: 60_000, scanInterval: 5_000 },
      working: {
        own: {
          send: (request) => fleet.send(this, request),
          rehearse: (request) => this.does("calls", () => fleet.vendor.rehearsed(request)),
          account: (work) => fleet.vendor.account(this, work),
        },
        ...{ blobs, clock, log },
        files: this.files,
        headers: new HeaderKeeper(undefined),
        keys: { today: (principal) => this.does("calls", () => fleet.today(principal)) },
        formatAt: () => ({ readUsage: usageIn }) as Pick<Format, "readUsage"> as Format,
        options: { maxLines: 1000, groupLines, groupInterval, retries, statusInterval: 10_000 },
      },
    });
    this.worker.start();
  }

  get isThere(): boolean {
    return !this.isDead && !this.isLeaving;
  }

  freeze(): void {
    this.isFrozen = !this.#fleet.isHealed;
    this.wasFrozen ||= this.isFrozen;
  }

  /** Everything that it had asked for goes on. */
  thaw(): void {
    this.isFrozen = false;
    for (const go of this.#thawed.splice(0)) go();
  }

  leave(): void {
    this.isLeaving = true;
    this.worker.leave();
  }

  /** Resolves while it runs; never once it is dead. */
  async passes(): Promise<void> {
    this.#fleet.time.moves++;
    while (this.isFrozen) await new Promise<void>((resolve) => this.#thawed.push(resolve));
    if (this.isDead) await new Promise<never>(() => undefined);
  }

  async does<Value>(place: Place, doing: () => Value | Promise<Value>): Promise<Value> {
    const fault = this.#faultAt(place);
    if (fault === "freeze before") this.freeze();
    if (fault === "kill before") this.isDead = true;
    await this.passes();
    if (fault === "refuse" || this.#fleet.isDown(place)) throw refusalOf(place);
    const done = await doing();
    if (fault === "freeze after") this.freeze();
    if (fault === "kill after") this.isDead = !this.#fleet.isHealed;
    await this.passes();
    if (fault === "lose") throw refusalOf(place);
    return done;
  }

  #faultAt(place: Place): Fault | undefined {
    let due: Trouble | undefined;
    for (const one of this.troubles) if ((one.place ?? place) === place && one.left-- <= 0) due ??= one;
    if (due) this.troubles.splice(this.troubles.indexOf(due), 1);
    return due?.fault;
  }

  #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const over = () => {
        end();
        signal.removeEventListener("abort", over);
        resolve();
      };
      const end = this.#fleet.time.after(milliseconds, over, () => !this.isFrozen && !this.isDead);
      signal.addEventListener("abort", over, { once: true });
    });
  }

  #records(): RecordBackend {
    const { backend } = this.#fleet;
    const of = (name: (typeof reads)[number] | (typeof writes)[number]) => backend[name] as Asking;
    const asked: Record<string, Asking> = {};
    for (const name of [...reads, ...writes])
      asked[name] = async (...given) => {
        const answer = await this.does("records", async () => {
          const done = await of(name)(...given);
          if (name === "replace") this.#fleet.written(given, done);
          return done;
        });
        if (name === "get" || name === "find") this.#fleet.read(this, answer);
        return answer;
      };
    return { ...asked, available: true, watch: backend.watch.bind(backend) } as unknown as RecordBackend;
  }

  #blobs(): BlobsService {
    const { blobs } = this.#fleet;
    return {
      put: async (key, bytes) => {
        const pieces: Buffer[] = [];
        for await (const piece of bytes) pieces.push(piece);
        const all = Buffer.concat(pieces);
        await this.does("blobs", () => blobs.set(key, all));
        return all.length;
      },
      get: async (key, { from = 0, to = Number.POSITIVE_INFINITY } = {}) => {
        const part = await this.does("blobs", () => blobs.get(key)?.subarray(from, to));
        return part && { length: part.length, bytes: this.#inPieces(part) };
      },
      remove: (key) => this.does("blobs", () => blobs.delete(key)),
    };
  }

  async *#inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += 200) yield this.does("blobs", () => bytes.subarray(at, at + 200));
  }
}

const refusalOf = (place: Place): Error =>
  place === "records"
    ? new RecordError("down", "the store is away")
    : place === "blobs"
      ? new GatewayError("store_unavailable", "The disk is away.")
      : new Error("nobody answers");

const usageIn = (wire: unknown) => {
  const { usage } = wire as { usage?: { prompt_tokens: number; completion_tokens: number } };
  return usage && { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens };
};
