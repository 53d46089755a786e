import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { dollarsText, type Exchange, picodollarsOf, type RoadAnswer, type RoadRequest } from "../../core/index.ts";
import type { Fleet } from "./fleet.ts";
import type { Process } from "./process.ts";

/** A line that was sent. */
export interface Sent {
  readonly token: string;
  readonly batch: string;
  readonly line: number;
  /** One for each group: whom it is for is asked before each. */
  readonly group: object;
  readonly process: Process;
  status: number;
  tokens: readonly [input: number, output: number] | undefined;
  cost: string | undefined;
  /** Its answer breaks off: what it used is not known. */
  isCut: boolean;
}

/** Milliseconds that a late answer takes at most: longer than a lease. */
const longest = 90_000;

/** Answers lines of batches that are sent from here, as it likes; and sees that none is sent that must not be. */
export class LineRoad {
  readonly sent: Sent[] = [];
  readonly #fleet: Fleet;
  readonly #flying = new Set<Sent>();
  /** Groups that began after a process knew that the batch is to be cancelled. */
  readonly #tooLate = new Map<Process, Set<object>>();

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  async answer(process: Process, request: RoadRequest): Promise<RoadAnswer> {
    const batch = `${request.headers["x-gateway-trace-id"]}`;
    const line = Number(JSON.parse(`${request.body}`).messages[0].content);
    const group = request.principal ?? {};
    const token = randomUUID();
    const one: Sent = {
      ...{ token, batch, line, group, process, status: 200, isCut: false },
      tokens: undefined,
      cost: undefined,
    };
    this.#check(one);
    this.sent.push(one);
    this.#flying.add(one);
    try {
      await process.does("calls", () => this.#decided(one, request.signal));
    } catch (error) {
      Object.assign(one, { tokens: undefined, cost: undefined });
      throw error;
    } finally {
      this.#flying.delete(one);
    }
    return this.#said(one);
  }

  #check({ batch, line, group, process }: Sent): void {
    const fleet = this.#fleet;
    if (fleet.batch(batch).written.has(line)) fleet.complain(`line ${line} was sent again`);
    const mine = [...this.#flying].filter((other) => other.process === process && other.batch === batch);
    const isAbandoned = mine.some((other) => other.group !== group);
    if (isAbandoned) fleet.complain("two groups were in flight");
    if (mine.length >= process.options.groupLines) fleet.complain("more than a group was in flight");
    if (!fleet.batch(batch).known.has(process)) return;
    const isGoingOn = this.sent.some((other) => other.group === group);
    const late = this.#tooLate.get(process) ?? new Set();
    this.#tooLate.set(process, isGoingOn ? late : late.add(group));
    if (late.size > 1) fleet.complain("a batch that is cancelled sent another group");
  }

  async #decided(one: Sent, signal: AbortSignal | undefined): Promise<void> {
    const { draws, time, trouble } = this.#fleet;
    if (draws.isBelow(0.4 * trouble)) await this.#late(draws.below(longest), signal);
    else if (draws.isBelow(0.3)) await this.#late(draws.below(2_000), signal);
    time.moves++;
    if (signal?.aborted) throw new Error("cut off");
    one.status = draws.isBelow(0.5 * trouble) ? draws.of(400, 429, 500, 503, 412) : 200;
    one.isCut = draws.isBelow(0.1 * trouble);
    if (one.status !== 200 || one.isCut) return;
    one.tokens = [draws.below(100), draws.below(100)];
    if (!draws.isBelow(0.02)) one.cost = dollarsText(BigInt(draws.below(1_000_000)) * 1_000n);
  }

  #late(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = this.#fleet.time.after(milliseconds, resolve);
      const cut = () => {
        end();
        resolve();
      };
      if (signal?.aborted) cut();
      else signal?.addEventListener("abort", cut, { once: true });
    });
  }

  #said({ token, status, tokens, cost, isCut, process }: Sent): RoadAnswer {
    const exchange = {
      ...{ id: token, attempts: [], ending: "complete" },
      ...(tokens && { usage: { inputTokens: tokens[0], outputTokens: tokens[1] } }),
      ...(cost !== undefined && { cost: { amount: cost, currency: "USD", source: "test" } }),
    } as unknown as Exchange;
    const text = Buffer.from(JSON.stringify({ token }));
    return {
      status,
      headers: {},
      exchange,
      body: Readable.from(isCut ? broken(text) : [text], { objectMode: false }),
      over: process.passes().then(() => exchange),
    };
  }

  /** What lines that are written down have used: with what was sent for each before it was answered in the end. */
  used(tokens: readonly string[]): { inputTokens: number; totalTokens: number; cost: string | undefined } {
    let [inputTokens, totalTokens] = [0, 0];
    let cost: bigint | undefined = 0n;
    for (const token of tokens) {
      const last = this.sent.findIndex((one) => one.token === token);
      const { group, line } = this.sent[last] as Sent;
      const all = this.sent.slice(0, last + 1).filter((one) => one.group === group && one.line === line);
      for (const one of all) {
        const [input, output] = one.tokens ?? [0, 0];
        inputTokens += input;
        totalTokens += input + output;
        cost = one.cost === undefined || cost === undefined ? undefined : cost + picodollarsOf(one.cost);
      }
    }
    return { inputTokens, totalTokens, cost: cost === undefined ? undefined : dollarsText(cost) };
  }
}

async function* broken(text: Buffer): AsyncGenerator<Buffer> {
  yield text.subarray(0, text.length / 2);
  throw new Error("it broke off");
}
