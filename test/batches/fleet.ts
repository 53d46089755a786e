import { Readable } from "node:stream";
import { type Principal, type RecordRow, type RoadAnswer, type RoadRequest, recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { type BatchDocument, batchPrefix, isOver, newBatch } from "../../plugins/managed-batches/document.ts";
import { BatchStore } from "../../plugins/managed-batches/store.ts";
import { KeptFiles } from "../../plugins/managed-files/kept-files.ts";
import { MemoryRecords } from "../support/memory-records.ts";
import { LineRoad } from "./lines.ts";
import { type Place, Process, type ProcessOptions } from "./process.ts";
import { Draws, Time } from "./time.ts";
import { Vendor } from "./vendor.ts";

export const tenant = JSON.stringify(["workspace", "acme", "one"]);

/** A batch, and what a test knows of it. */
export interface Watched {
  readonly id: string;
  readonly window: "24h" | "immediate";
  readonly lines: number;
  readonly inputFileId: string;
  /** Lines that are written down as done. */
  written: ReadonlySet<number>;
  /** Processes that have read that it is to be cancelled. */
  readonly known: Set<Process>;
  isCancelled: boolean;
  isArchived: boolean;
  wasArchived: boolean;
  isRemoved: boolean;
  /** A process has failed at it again and again. */
  isGivenUp: boolean;
}

/** Processes over one store of records and one of bytes, and everybody whom they call. */
export class Fleet {
  readonly time = new Time();
  readonly backend = new MemoryRecords();
  readonly blobs = new Map<string, Buffer>();
  readonly draws: Draws;
  readonly lines = new LineRoad(this);
  readonly vendor = new Vendor(this);
  readonly processes: Process[] = [];
  readonly batches: Watched[] = [];
  readonly complaints: string[] = [];
  /** What cannot be reached by anybody. */
  readonly down = new Set<Place>();
  /** Nothing goes wrong any more. */
  isHealed = false;
  /** From none (0) to much (1). */
  trouble = 1;
  readonly store: BatchStore;
  readonly files: KeptFiles;

  constructor(seed: number) {
    this.draws = new Draws(seed);
    const now = () => this.time.now;
    const records = recordStore(this.backend, silentLogger, now);
    this.store = new BatchStore(records, now);
    const blobs = {
      put: async (key: string, bytes: AsyncIterable<Buffer>) => {
        const pieces: Buffer[] = [];
        for await (const piece of bytes) pieces.push(piece);
        const all = Buffer.concat(pieces);
        this.blobs.set(key, all);
        return all.length;
      },
      get: async () => undefined,
      remove: async (key: string) => this.blobs.delete(key),
    };
    this.files = new KeptFiles(records, blobs, now);
  }

  start(options: ProcessOptions): void {
    this.processes.push(new Process(this, options));
  }

  isDown(place: Place): boolean {
    return this.down.has(place);
  }

  complain(what: string): void {
    this.complaints.push(what);
  }

  batch(id: string): Watched {
    const found = this.batches.find((one) => one.id === id);
    if (!found) throw new Error(`${id} is no batch`);
    return found;
  }

  async made(window: Watched["window"], lines: number): Promise<void> {
    this.time.now += 1_000;
    const text = Array.from({ length: lines }, (_, at) => `${JSON.stringify(asking(at + 1))}\n`).join("");
    const { id: inputFileId } = await this.files.add(tenant, Readable.from([Buffer.from(text)]), () => ({
      ...{ filename: "a.jsonl", purpose: "batch", content_type: "application/jsonl", lifetime: undefined },
    }));
    const id = `${batchPrefix}${`${this.batches.length}`.padStart(8, "0")}-0000-4000-8000-000000000000`;
    const asked = { inputFileId, endpoint: "/v1/chat/completions", completionWindow: window, own: {} };
    const headers = JSON.stringify({ "x-gateway-trace-id": id });
    const document = newBatch({ asked, principal: { id }, headers }, this.time.now);
    const facts = { isCancelled: false, isArchived: false, wasArchived: false, isRemoved: false, isGivenUp: false };
    this.batches.push({ ...{ id, window, lines, inputFileId, ...facts }, written: new Set(), known: new Set() });
    await this.store.insert({ tenant, id, document });
  }

  send(process: Process, request: RoadRequest): Promise<RoadAnswer> {
    return request.internal ? this.vendor.answer(process, request) : this.lines.answer(process, request);
  }

  today(principal: Principal): Principal | undefined {
    return this.batch(principal.id).isArchived ? undefined : { ...principal };
  }

  async cancel(one: Watched): Promise<void> {
    await this.store.change({ tenant, id: one.id }, (document) => {
      if (isOver(document) || document.status === "cancelling") return undefined;
      one.isCancelled = true;
      return { status: "cancelling" };
    });
  }

  async remove(one: Watched): Promise<void> {
    if (await this.files.remove(tenant, one.inputFileId)) one.isRemoved = true;
  }

  async documentOf({ id }: Watched): Promise<BatchDocument> {
    const found = await this.store.get({ tenant, id });
    if (!found) throw new Error(`${id} is gone`);
    return found.document;
  }

  /** What a process could tell its operator. */
  told(message: string, { batch, failures }: { batch?: string; failures?: number }): void {
    if (message === "the work on a batch failed" && (failures ?? 0) >= 5) this.batch(`${batch}`).isGivenUp = true;
  }

  /** A batch was changed: what was written down of it stays so. */
  written([collection, change]: readonly unknown[], done: unknown): void {
    if (collection !== "managed_batches" || (done as { kind: string }).kind !== "done") return;
    const { id, json } = change as RecordRow;
    const watched = this.batch(id);
    const { progress } = JSON.parse(json) as BatchDocument;
    if (watched.window !== "immediate") return;
    const written = new Set(progress.ahead);
    for (let line = 1; line <= progress.lines; line++) written.add(line);
    for (const line of watched.written) if (!written.has(line)) this.complain(`line ${line} is done no more`);
    watched.written = written;
  }

  read(process: Process, answer: unknown): void {
    const rows = (Array.isArray(answer) ? answer : answer ? [answer] : []) as RecordRow[];
    for (const { id, json } of rows)
      if (json.includes('"status":"cancelling"') && id.startsWith(batchPrefix)) this.batch(id).known.add(process);
  }

  mend(): void {
    this.isHealed = true;
    this.trouble = 0;
    this.down.clear();
    for (const process of this.processes) {
      process.troubles.length = 0;
      process.thaw();
    }
  }

  /** Whatever was wrong is so no more, and time goes by until nothing is left to do. */
  async heal(options: ProcessOptions): Promise<void> {
    this.mend();
    this.start(options);
    for (let round = 0; round < 500; round++) {
      await this.time.pass(5_000);
      const all = await Promise.all(this.batches.map((one) => this.documentOf(one)));
      if (all.every(({ active }) => !active)) break;
    }
    // Whoever was away is back by now, and has found out.
    await this.time.pass(120_000);
  }

  /** Whether all processes that are left have ended when nothing goes on any more. */
  async stop(): Promise<boolean> {
    let left = 0;
    for (const { isDead, worker } of this.processes) {
      if (isDead) continue;
      left++;
      void worker.stop().then(() => left--);
    }
    await this.time.quiet();
    return left === 0;
  }
}

const asking = (line: number): object => ({
  ...{ custom_id: `r-${line}`, method: "POST", url: "/v1/chat/completions" },
  body: { model: "m", messages: [{ role: "user", content: `${line}` }] },
});
