import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type {
  Accounted,
  DoneWork,
  Exchange,
  Rehearsed,
  RehearsedRequest,
  RoadAnswer,
  RoadRequest,
} from "../../core/index.ts";
import type { Fleet } from "./fleet.ts";
import type { Process } from "./process.ts";

export interface Job {
  readonly rows: readonly { readonly customId: string; readonly isGood: boolean; readonly tokens: number }[];
  ends: number;
  ending: "completed" | "expired" | "cancelled" | "failed";
  /** Rows that are done when it ends. */
  done: number;
  readonly layout: "split" | "one" | "unnamed";
}

interface Said {
  readonly status: number;
  readonly json?: object;
  readonly text?: string;
}

/** A provider that does batches as it likes. */
export class Vendor {
  /** By batch: what was asked to be started, was started, and was counted. */
  readonly asked = new Map<string, number>();
  readonly jobs = new Map<string, Job>();
  readonly accounts = new Map<string, DoneWork[]>();
  readonly #fleet: Fleet;
  readonly #files = new Map<string, string>();

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  async answer(process: Process, request: RoadRequest): Promise<RoadAnswer> {
    const batch = `${request.headers["x-gateway-trace-id"]}`;
    if (request.method === "POST" && request.path === "/v1/batches")
      this.asked.set(batch, (this.asked.get(batch) ?? 0) + 1);
    let body = "";
    for await (const piece of bodyOf(request)) body += piece;
    const { draws, trouble, time } = this.#fleet;
    const said = await process.does("calls", async () => {
      if (draws.isBelow(0.15 * trouble)) return { status: draws.of(400, 401, 429, 500, 503), json: {} };
      const done = this.#does(batch, request, body);
      if (draws.isBelow(0.2)) await new Promise<void>((resolve) => time.after(draws.below(30_000), resolve));
      return done;
    });
    if (request.signal?.aborted) throw new Error("cut off");
    const text = Buffer.from(said.text ?? JSON.stringify(said.json));
    const exchange = { id: randomUUID(), attempts: [], ending: "complete" } as unknown as Exchange;
    const isCut = said.text !== undefined && draws.isBelow(0.2 * trouble);
    return {
      status: said.status,
      headers: { "x-gateway-provider": "acme" },
      exchange,
      body: Readable.from(inPieces(text, isCut), { objectMode: false }),
      over: process.passes().then(() => exchange),
    };
  }

  #does(batch: string, { method, path }: RoadRequest, body: string): Said {
    if (path === "/v1/files") {
      const id = `file-${this.#files.size}`;
      this.#files.set(id, body.slice(body.indexOf("jsonl\r\n\r\n") + 9, body.lastIndexOf("\r\n--sluice")));
      return { status: 200, json: { id } };
    }
    if (path === "/v1/batches") return this.#started(batch, JSON.parse(body).input_file_id);
    const job = this.jobs.get(batch);
    if (!job) return { status: 404, json: {} };
    if (path.endsWith("/cancel")) return this.#cancelled(job);
    if (method === "GET" && path === `/v1/batches/job-${batch}`) return { status: 200, json: this.#looks(job) };
    const text = this.#output(job, path.endsWith("/output"));
    return text === "" ? { status: 404, json: {} } : { status: 200, text };
  }

  #started(batch: string, file: string): Said {
    const { draws, time } = this.#fleet;
    const text = this.#files.get(file) ?? "";
    const rows = text
      .trimEnd()
      .split("\n")
      .map((line) => ({
        customId: `${JSON.parse(line).custom_id}`,
        isGood: draws.isBelow(0.7),
        tokens: draws.below(50),
      }));
    const ending = draws.of("completed", "completed", "completed", "expired", "failed", "cancelled");
    const done = ending === "completed" ? rows.length : ending === "failed" ? 0 : draws.below(rows.length + 1);
    const layout = draws.of("split", "split", "one", "unnamed");
    this.jobs.set(batch, { rows, ends: time.now + draws.below(200_000), ending, done, layout });
    return { status: 200, json: { id: `job-${batch}`, status: "validating" } };
  }

  #cancelled(job: Job): Said {
    const { draws, time } = this.#fleet;
    if (job.ends <= time.now) return { status: 409, json: {} };
    if (draws.isBelow(0.3)) return { status: 200, json: {} };
    job.ending = "cancelled";
    job.ends = Math.min(job.ends, time.now + 10_000);
    job.done = draws.below(job.rows.length + 1);
    return { status: 200, json: { status: "cancelling" } };
  }

  #looks(job: Job): object {
    const { rows, ends, ending, done, layout } = job;
    const isOver = ends <= this.#fleet.time.now;
    const counted = isOver ? rows.slice(0, done) : rows.slice(0, this.#fleet.draws.below(done + 1));
    const completed = counted.filter(({ isGood }) => isGood).length;
    const request_counts = { total: rows.length, completed, failed: counted.length - completed };
    const status = isOver ? ending : this.#fleet.draws.of("in_progress", "finalizing", "validating");
    const named = isOver && layout !== "unnamed";
    const isOne = layout === "one" && done > 0;
    return {
      ...{ id: "job", status, request_counts },
      ...(named && (isOne || completed > 0) && { output_file_id: "output" }),
      ...(named && layout === "split" && completed < done && { error_file_id: "errors" }),
      ...(named && isOne && this.#fleet.draws.isBelow(0.5) && { error_file_id: "output" }),
    };
  }

  /** Where there are two files, that with what was answered is the output; without one the other is. */
  #output({ rows, done, layout }: Job, isOutput: boolean): string {
    const all = rows.slice(0, done);
    const [good, bad] = [all.filter(({ isGood }) => isGood), all.filter(({ isGood }) => !isGood)];
    const chosen = layout !== "split" ? all : isOutput && good.length > 0 ? good : bad;
    return chosen.map((row) => `${JSON.stringify(lineOf(row))}\n`).join("");
  }

  /** Guardrails are of another mind each time. */
  async rehearsed({ answer, body }: RehearsedRequest): Promise<Rehearsed> {
    const { draws } = this.#fleet;
    if (draws.isBelow(0.15)) return { status: 446, refusal: { error: { type: "hooks_failed" } } };
    if (!draws.isBelow(0.1)) return { status: 200 };
    return { status: 200, changed: { ...(answer ?? JSON.parse(`${body}`)), changed: true } };
  }

  async account(process: Process, work: DoneWork): Promise<Accounted> {
    const batch = `${work.headers["x-gateway-trace-id"]}`;
    this.accounts.set(batch, [...(this.accounts.get(batch) ?? []), work]);
    return process.does("calls", () => ({
      provider: "acme",
      cost: { amount: "0.5", currency: "USD", source: "config" } as const,
    }));
  }
}

const lineOf = ({ customId, isGood, tokens }: Job["rows"][number]): object => ({
  ...{ id: "batch_req", custom_id: customId },
  response: {
    ...{ status_code: isGood ? 200 : 500, request_id: "r" },
    body: isGood ? { choices: [], usage: { prompt_tokens: tokens, completion_tokens: 1 } } : { error: {} },
  },
  error: null,
});

const bodyOf = ({ body }: RoadRequest): Iterable<unknown> | AsyncIterable<unknown> =>
  body === undefined ? [] : Buffer.isBuffer(body) ? [body] : body;

async function* inPieces(bytes: Buffer, isCut: boolean): AsyncGenerator<Buffer> {
  const half = Math.floor(bytes.length / 2);
  yield bytes.subarray(0, half);
  if (isCut) throw new Error("it broke off");
  yield bytes.subarray(half);
}
