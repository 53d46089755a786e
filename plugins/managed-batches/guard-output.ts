import { text as textOf } from "node:stream/consumers";
import { type Fields, isRecord, jsonOr, type Usage, usageSum, writeJson } from "../../core/index.ts";
import type { Parts } from "./document.ts";
import { Stopped } from "./guard-input.ts";
import { inputLines } from "./input-lines.ts";
import { inputKey, PartWriter } from "./output-files.ts";
import { readGiven, withAnswer } from "./output-lines.ts";
import type { Headers } from "./provider-calls.ts";
import type { Work } from "./working.ts";

/** What the lines of a provider's answer came to. */
export interface Results {
  readonly parts: Parts;
  readonly completed: number;
  /** By the model that was asked. */
  readonly usage: ReadonlyMap<string | undefined, Usage>;
}

type Places = ReadonlyMap<string, readonly [from: number, to: number]>;

/** Reads what a provider wrote, line by line, as guardrails leave it: what they deny becomes an error. */
export class ResultReader {
  readonly #work: Work;
  readonly #headers: Headers;
  readonly #writer: PartWriter;
  readonly #usage = new Map<string | undefined, Usage>();
  /** Where each request lies in the input, for guardrails that look at both. */
  readonly #places: Places;
  readonly #done = new Set<string>();
  #completed = 0;

  private constructor(work: Work, headers: Headers, places: Places) {
    this.#work = work;
    this.#headers = headers;
    this.#places = places;
    // The errors of rows that were never sent stay.
    const { error } = work.batch.document.progress.parts;
    this.#writer = new PartWriter(work.batch, { output: 0, error }, work.working.blobs);
  }

  static async open(work: Work, headers: Headers): Promise<ResultReader> {
    const places = new Map<string, readonly [number, number]>();
    const input = await work.working.blobs.get(inputKey(work.batch));
    if (input)
      for await (const { text, from, to } of inputLines(input.bytes)) {
        const wire = jsonOr(text);
        if (isRecord(wire) && typeof wire.custom_id === "string") places.set(wire.custom_id, [from, to]);
      }
    return new ResultReader(work, headers, places);
  }

  async read(bytes: AsyncIterable<Buffer>): Promise<void> {
    for await (const { text } of inputLines(bytes)) {
      if (this.#work.signal.aborted) throw new Stopped();
      await this.#line(text);
    }
  }

  async results(): Promise<Results> {
    return { parts: await this.#writer.flush(), completed: this.#completed, usage: this.#usage };
  }

  async #line(text: string): Promise<unknown> {
    const given = readGiven(text);
    // Where a provider has no file of errors beside its output, both are the same file.
    if (!given || (given.customId !== undefined && this.#done.has(given.customId))) return;
    if (given.customId !== undefined) this.#done.add(given.customId);
    if (!given.body) return this.#writer.add("error", `${text.trimEnd()}\n`);
    const request = await this.#requestOf(given.customId);
    this.#count(request, given.body);
    const { status, refusal, changed } = await this.#rehearsed(request, given.body);
    if (status >= 400) return this.#writer.add("error", withAnswer(given, status, refusal ?? {}));
    this.#completed++;
    const isSame = !changed && status === 200;
    return this.#writer.add(
      "output",
      isSame ? `${text.trimEnd()}\n` : withAnswer(given, status, changed ?? given.body),
    );
  }

  async #rehearsed(request: Readonly<Fields> | undefined, answer: Readonly<Fields>) {
    const { batch, working } = this.#work;
    const { asked, principal } = batch.document;
    if (!request) return { status: 200 };
    return working.own.rehearse({
      path: asked.endpoint,
      headers: { ...this.#headers, "content-type": "application/json" },
      principal,
      source: "batch",
      body: Buffer.from(writeJson(request)),
      answer,
    });
  }

  async #requestOf(customId: string | undefined): Promise<Readonly<Fields> | undefined> {
    const place = this.#places.get(customId ?? "");
    const { batch, working } = this.#work;
    const part = place && (await working.blobs.get(inputKey(batch), { from: place[0], to: place[1] }));
    if (!part) return undefined;
    const wire = jsonOr(await textOf(part.bytes));
    return isRecord(wire) && isRecord(wire.body) ? wire.body : undefined;
  }

  #count(request: Readonly<Fields> | undefined, answer: Readonly<Fields>): void {
    const { batch, working } = this.#work;
    const usage = usageIn(() => working.formatAt(batch.document.asked.endpoint)?.readUsage(answer));
    if (!usage) return;
    const model = typeof request?.model === "string" ? request.model : batch.document.asked.model;
    this.#usage.set(model, usageSum(this.#usage.get(model), usage));
  }
}

/** What cannot be read is not known. */
function usageIn(read: () => Usage | undefined): Usage | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
