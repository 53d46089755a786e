import type { Answer } from "../../model/answer.ts";
import type { Format } from "../../model/format.ts";
import type { Witness } from "../../model/witness.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { ringThrough } from "../ring.ts";
import type { Road } from "../road.ts";
import { safely } from "../safely.ts";
import type { Reply } from "./conversation.ts";

type Read = NonNullable<Format["readBytes"]>;

/**
 * Shows an answer of bytes to the taps that want it, once the client has all of it. Undefined where nobody does, and
 * where the bytes are packed for the client.
 */
export function onlooker(
  road: Road,
  exchange: ExchangeState,
  { readBytes }: Format,
  { status, headers }: Reply,
): Witness | undefined {
  if (!readBytes || !road.used.afterRequest || headers["content-encoding"] !== undefined) return undefined;
  if (!road.wants.afterRequest(exchange)) return undefined;
  const read = (bytes: Buffer) => readBytes(bytes, String(headers["content-type"] ?? ""));
  return safely(road, exchange, () => new Onlooker(road, exchange, status, read));
}

class Onlooker implements Witness {
  readonly #road: Road;
  readonly #exchange: ExchangeState;
  readonly #status: number;
  readonly #read: (bytes: Buffer) => ReturnType<Read>;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(road: Road, exchange: ExchangeState, status: number, read: (bytes: Buffer) => ReturnType<Read>) {
    this.#road = road;
    this.#exchange = exchange;
    this.#status = status;
    this.#read = read;
  }

  /** What is too long to be kept passes all the same. */
  see(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#isTooLong) this.#pieces = [];
    else this.#pieces.push(bytes);
  }

  async end(whole: boolean): Promise<void> {
    if (!whole || this.#isTooLong) return;
    const response = this.#read(Buffer.concat(this.#pieces, this.#length));
    const answer: Answer = { kind: "answer", status: this.#status, response, sent: true };
    await ringThrough(this.#road.hooks.afterRequest, answer, this.#exchange);
  }

  get #isTooLong(): boolean {
    return this.#length > this.#road.settings.upstreamBodyBytes;
  }
}
