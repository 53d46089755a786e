import { isRecord, jsonOr } from "../../codec-kit/records.ts";
import type { ErrorDetail } from "../../errors/error-detail.ts";
import type { GatewayError } from "../../errors/gateway-error.ts";
import type { Format } from "../../model/format.ts";
import { carried, isOurs } from "../deliver.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { shuttingDown } from "../leaving.ts";
import { encodeContext } from "../reply/answers.ts";
import { deathOf } from "../reply/outcome.ts";
import { render } from "../reply/render.ts";
import { responseHeaders } from "../reply/response-headers.ts";
import { discard, type Result } from "../reply/result.ts";
import type { StreamDelivery } from "../reply/stream-delivery.ts";
import { requestOf } from "../request/request-of.ts";
import type { ClientConnection, Road } from "../road.ts";
import { type FramingRules, framingRules, written } from "../stream/framing.ts";

type StreamResult = Result & { readonly kind: "stream" };
type WholeResult = Result & { readonly kind: "whole" };

/** Whether the client's format has a way to say that an answer begins anew. */
export const canRestart = (road: Road, exchange: ExchangeState): boolean =>
  clientRules(road, exchange).restart !== undefined;

const clientFormat = ({ formats }: Road, exchange: ExchangeState): Format | undefined =>
  formats.get(exchange.endpoint.format ?? requestOf(exchange)?.format ?? "");

const clientRules = (road: Road, exchange: ExchangeState): FramingRules =>
  framingRules(clientFormat(road, exchange)?.framing);

/** An answer as it goes on in a stream. One that came in one piece, because a config says so, is cut into pieces. */
function streamOf(
  road: Road,
  exchange: ExchangeState,
  { target, headers, bytes, answer }: WholeResult,
): Buffer | undefined {
  const format = clientFormat(road, exchange);
  if (headers["content-type"] === framingRules(format?.framing).contentType) return bytes;
  if (!format?.encodeStream) return undefined;
  const wire = jsonOr(bytes.toString(), undefined);
  const response = answer?.response ?? (isRecord(wire) ? format.decodeResponse(wire) : undefined);
  const context = encodeContext(exchange, target, exchange.prepared);
  return response && render(format, { kind: "answer", status: 200, response }, context, true).bytes;
}

/** A stream to a client that can begin anew: when it dies, the answer of the next target takes its place. */
export class RestartableStream {
  readonly #road: Road;
  readonly #exchange: ExchangeState;
  readonly #client: ClientConnection;
  /** The stream that died last, and of what. */
  #dead: { readonly delivery: StreamDelivery; readonly error: GatewayError | ErrorDetail } | undefined;

  /** Ends the wait for an answer in its place to be given up when the gateway ends. */
  #stay: (() => void) | undefined;

  constructor(road: Road, exchange: ExchangeState, client: ClientConnection) {
    this.#road = road;
    this.#exchange = exchange;
    this.#client = client;
  }

  /** Gives the client a stream to its end. The outcome says whether it got there. */
  async carry(result: StreamResult): Promise<Result> {
    const { target, outcome, delivery, branch } = result;
    if (branch) this.#exchange.inform(branch);
    this.#begin(result, branch ?? this.#exchange);
    const answering = branch ?? this.#exchange;
    const ended = await carried(this.#road, this.#exchange, answering, result, this.#client, true);
    const { ending, error, given } = ended;
    if (branch) this.#exchange.join(branch);
    // The client has all of it. What a tap has decided about an answer is no failure of who gave it.
    if (given || ending !== "truncated" || !error) return { kind: "delivered", target, outcome, over: true };
    if (isOurs(error)) {
      this.#client.end(delivery.failure(error));
      return { kind: "delivered", target, outcome, over: true };
    }
    this.#dead = { delivery, error };
    for (const then of branch?.whenFailed ?? []) then();
    this.#stay = this.#road.leaving.atTheEnd(() => this.#exchange.cancellation.cancel(shuttingDown()));
    return { kind: "delivered", target, outcome: deathOf(error, outcome) };
  }

  /** Nobody waits for an answer in its place any more. */
  leave(): void {
    this.#stay?.();
  }

  /** Ends the client's answer, where it has not ended yet. */
  finish(last: Result): Result {
    const { ending } = this.#exchange;
    if (!this.#dead || (last.kind === "delivered" && (last.over || ending !== "truncated"))) return last;
    const { target, outcome, branch } = last;
    discard(last);
    if (branch) this.#exchange.join(branch);
    const whole = last.kind === "whole" && outcome.ok ? last : undefined;
    const stream = whole && streamOf(this.#road, branch ?? this.#exchange, whole);
    if (stream) {
      this.#restart();
      this.#client.end(stream);
      this.#exchange.ending = "complete";
      if (whole.answer) this.#exchange.answer = whole.answer;
    } else {
      this.#client.end(this.#dead.delivery.failure(this.#dead.error));
      this.#exchange.ending = "truncated";
    }
    return { kind: "delivered", target, outcome };
  }

  /** Tells the client that everything before is void. Clients have to know it: it is sent to those that asked for it. */
  #restart(): void {
    delete this.#exchange.answer;
    const rules = clientRules(this.#road, this.#exchange);
    this.#client.write(written(rules.restart ?? "", rules));
  }

  #begin(result: StreamResult, answering: ExchangeState): void {
    this.#stay?.();
    if (this.#dead) return this.#restart();
    const headers = responseHeaders(answering, this.#road.settings.headerPrefixes, result.headers, result);
    this.#exchange.status = result.outcome.status;
    this.#exchange.reply = { headers };
    this.#client.head(result.outcome.status, headers);
  }
}
