import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { eventsIn, type Fields, isRecord, type OwnRoad } from "../../core/index.ts";
import type { CreateEvent } from "./client-event.ts";
import type { Memory } from "./memory.ts";
import { errorEvent, prepared } from "./server-event.ts";
import { turnEvents } from "./turn-events.ts";

export interface TurnsInput {
  readonly own: Pick<OwnRoad, "send">;
  /** Path and query, and headers, of the handshake: what holds for it holds for every turn. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly memory: Memory;
  readonly eventBytes: number;
}

/** The turns of one socket: each is a request, with the credential of the handshake. */
export class Turns {
  readonly #input: TurnsInput;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(input: TurnsInput) {
    this.#input = input;
    this.#headers = { ...ownHeaders(input.headers), "content-type": "application/json" };
  }

  /** The events that answer a turn. Throws a GatewayError where the answer breaks off. */
  async *answer(asked: CreateEvent, signal: AbortSignal): AsyncGenerator<string> {
    const before = this.#input.memory.find(asked.body.previous_response_id);
    const items = [...(before?.items ?? []), ...itemsOf(asked.body.input)];
    const previous = before ? before.previous : asked.body.previous_response_id;
    const size = (before?.size ?? 0) + asked.size;
    if (!asked.generates) {
      const id = `resp_${randomUUID().replaceAll("-", "")}`;
      this.#input.memory.keep(id, { previous, items, size });
      yield* prepared(id, asked.body, Math.floor(Date.now() / 1000));
      return;
    }
    const body = before ? { ...asked.body, previous_response_id: previous, input: items } : asked.body;
    yield* turnEvents(this.#sent(body, signal), {
      previous: before && asked.body.previous_response_id,
      ended: (response, bytes) => {
        if (asked.body.store !== false && response.store !== false) return;
        const output = { previous, items: [...items, ...sayable(response.output)], size: size + bytes };
        this.#input.memory.keep(String(response.id), output);
      },
    });
  }

  async *#sent(body: Readonly<Fields>, signal: AbortSignal): AsyncGenerator<string> {
    const { own, url, eventBytes } = this.#input;
    const answer = await own.send({
      method: "POST",
      path: url,
      headers: this.#headers,
      body: Buffer.from(JSON.stringify({ ...body, stream: true })),
      signal,
    });
    if (String(answer.headers["content-type"]).startsWith("text/event-stream")) {
      for await (const { data } of eventsIn(answer.body, eventBytes)) if (data !== "[DONE]") yield data;
      return;
    }
    const whole = JSON.parse(await textOf(answer.body)) as unknown;
    if (answer.status >= 400) yield errorEvent(answer.status, whole, answer.headers);
    else yield JSON.stringify({ type: "response.completed", sequence_number: 0, response: whole });
  }
}

/** What belongs to the handshake alone. */
const ofHandshake = /^(?:connection|upgrade|host|expect|transfer-encoding|content-|accept-encoding$|sec-websocket-)/;

const ownHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofHandshake.test(name) ? [] : [[name, [value].flat().join(", ")]],
    ),
  );

/** The items of an input, which may be a text. */
function itemsOf(input: unknown): readonly Readonly<Fields>[] {
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return Array.isArray(input) ? input.filter(isRecord) : [];
}

/** Thoughts that nobody stores mean something to their vendor only with what it has encrypted of them. */
const sayable = (output: unknown): readonly Readonly<Fields>[] =>
  itemsOf(output).filter(
    ({ type, encrypted_content }) => type !== "reasoning" || typeof encrypted_content === "string",
  );

async function textOf(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
