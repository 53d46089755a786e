import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import {
  type Exchange,
  eventsIn,
  type Fields,
  type Format,
  GatewayError,
  type OwnRoad,
  type RequestOf,
  type RoadAnswer,
  readJson,
  withMembers,
  writeJson,
} from "../../core/index.ts";
import type { CreateEvent } from "./client-event.ts";
import { askedWith, type Conversation, itemsIn, joined, sayable, written } from "./conversation.ts";
import type { Memory } from "./memory.ts";
import { errorEvent, prepared, withHeaders } from "./server-event.ts";
import { turnEvents } from "./turn-events.ts";

export interface TurnsInput {
  readonly own: Pick<OwnRoad, "send" | "rehearse">;
  /** Path and query, and headers, of the handshake: what holds for it holds for every turn. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly formats: Pick<ReadonlyMap<string, Format>, "get">;
  readonly memory: Memory;
  readonly eventBytes: number;
}

const formatName = "openai-responses";

/** The turns of one socket: each is a request, with the credential of the handshake. */
export class Turns {
  readonly #input: TurnsInput;
  readonly #origin: { readonly path: string; readonly headers: Readonly<Record<string, string>> };

  constructor(input: TurnsInput) {
    this.#input = input;
    const [, query] = input.url.split("?", 2);
    this.#origin = {
      path: query === undefined ? "/v1/responses" : `/v1/responses?${query}`,
      headers: { ...ownHeaders(input.headers), "content-type": "application/json" },
    };
  }

  /** The events that answer a turn. Throws a GatewayError where the answer breaks off. */
  async *answer(asked: CreateEvent, signal: AbortSignal): AsyncGenerator<string> {
    const { body, generates } = asked;
    const known = this.#input.memory.find(body.previous_response_id);
    if (!generates) return yield* this.#prepared(body, goneOn(body, known));
    const whole = known && goneOn(body, known);
    const bytes = whole ? askedWith(body, whole) : Buffer.from(writeJson(withMembers(body, { stream: true })));
    const answer = await this.#input.own.send({ ...this.#origin, method: "POST", body: bytes, signal });
    yield* turnEvents(this.#eventsOf(answer), {
      previous: known && body.previous_response_id,
      ended: (response) => {
        if (body.store !== false && response.store !== false) return;
        const said = this.#wentOn(answer.exchange, body, whole);
        if (!said) return;
        const items = joined(said.items, written(sayable(response.output)));
        this.#input.memory.keep(String(response.id), { ...said, items });
      },
    });
  }

  /** What is to be gone on from, as far as guardrails and whoever else looks at requests let it pass. No model is asked. */
  async *#prepared(body: Readonly<Fields>, whole: Conversation): AsyncGenerator<string> {
    const { own, memory } = this.#input;
    const { status, refusal, changed } = await own.rehearse({ ...this.#origin, body: askedWith(body, whole) });
    if (status >= 400) return yield errorEvent(status, refusal);
    const id = `resp_${randomUUID().replaceAll("-", "")}`;
    memory.keep(id, changed ? saidIn(changed) : whole);
    yield* prepared(id, body, Math.floor(Date.now() / 1000));
  }

  /**
   * The conversation as the vendor was told it: what guardrails took out is not said again when somebody goes on from there. Undefined
   * of an answer that none was asked for, out of a cache or in place of a denial.
   */
  #wentOn(exchange: Exchange, body: Readonly<Fields>, whole: Conversation | undefined): Conversation | undefined {
    const asked = exchange.attempts.findLast((attempt) => attempt.asked)?.asked;
    if (!asked) return undefined;
    if (!asked.bytes) {
      const wire = this.#input.formats.get(formatName)?.encodeRequest(asked.body as RequestOf<"chat">, () => undefined);
      return wire && saidIn(wire);
    }
    if (whole) return whole;
    const items = itemsIn(body.input);
    return items && { previous: body.previous_response_id, items: written(items) };
  }

  async *#eventsOf({ status, headers, body }: RoadAnswer): AsyncGenerator<string> {
    if (!String(headers["content-type"]).startsWith("text/event-stream")) {
      const whole = readJson(await text(body));
      if (status >= 400) yield errorEvent(status, whole, headers);
      else yield writeJson({ type: "response.completed", sequence_number: 0, response: whole });
      return;
    }
    let isFirst = true;
    for await (const { data } of eventsIn(body, this.#input.eventBytes)) {
      if (data === "[DONE]") continue;
      yield isFirst ? withHeaders(data, headers) : data;
      isFirst = false;
    }
  }
}

/** A conversation with what a request says. Throws where that is no input. */
function goneOn({ input, previous_response_id }: Readonly<Fields>, known: Conversation | undefined): Conversation {
  const items = itemsIn(input);
  if (!items) throw new GatewayError("invalid_request", "input must be a text or a list of items.", { param: "input" });
  return {
    previous: known ? known.previous : previous_response_id,
    items: joined(known?.items ?? "", written(items)),
  };
}

const saidIn = ({ input, previous_response_id }: Readonly<Fields>): Conversation => ({
  previous: previous_response_id,
  items: written(itemsIn(input) ?? []),
});

/** What belongs to the handshake alone. */
const ofHandshake = /^(?:connection|upgrade|host|expect|transfer-encoding|content-|accept-encoding$|sec-websocket-)/;

const ownHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofHandshake.test(name) ? [] : [[name, [value].flat().join(", ")]],
    ),
  );
