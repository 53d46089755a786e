import { PassThrough } from "node:stream";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Clocks } from "../model/clocks.ts";
import type { Exchange } from "../model/exchange.ts";
import type { OperationName, RequestOf, ResponseOf } from "../model/operations.ts";
import type { Principal } from "../model/principal.ts";
import type { BoundProvider } from "../model/provider.ts";
import type { Usage } from "../model/usage.ts";
import { attempt } from "./attempt/attempt.ts";
import { ExchangeState } from "./exchange-state.ts";
import type { Result } from "./reply/result.ts";
import { WireRequest } from "./request/wire-request.ts";
import type { ClientBody, Road } from "./road.ts";
import { readUsage, settle } from "./settle.ts";

/** A question a plugin asks of a provider: an embedding, the verdict of a model. */
export interface InternalCall<Operation extends OperationName> {
  /** Slug of a provider of the config file. */
  readonly provider: string;
  readonly operation: Operation;
  /** Canonical; its answer comes whole. */
  readonly body: RequestOf<Operation>;
  /** On whose behalf. Without one it is the gateway's own. */
  readonly exchange?: Exchange;
  /** It goes on when the client of that exchange leaves: nobody has waited for it. */
  readonly outlives?: boolean;
  /** Gives it up, in place of the signal of that exchange. */
  readonly signal?: AbortSignal;
  readonly clocks?: Clocks;
}

export interface InternalAnswer<Operation extends OperationName> {
  readonly response: ResponseOf<Operation>;
  readonly usage?: Usage;
}

/**
 * Takes a plugin's question along the road as an exchange of its own (`role` internal): taps see it, it is priced and
 * recorded. Rejects with a GatewayError when there is no answer.
 */
export async function internalCall<Operation extends OperationName>(
  road: Road,
  provider: BoundProvider,
  call: InternalCall<Operation>,
): Promise<InternalAnswer<Operation>> {
  const format = road.formats.get(provider.operations[call.operation]?.[0]?.format ?? "");
  if (!format)
    throw new GatewayError("endpoint_unsupported", `The provider "${provider.slug}" does not offer ${call.operation}.`);
  const exchange = internalExchange(road, call, format.name);
  const { body } = call;
  exchange.request = new WireRequest({
    format,
    operation: call.operation,
    bytes: undefined,
    peeked: undefined,
    wireModel: body.model,
    model: body.model,
    stream: false,
    body,
  });
  const waiting = call.signal ?? (call.outlives ? undefined : call.exchange?.signal);
  const forget = waiting && onAbort(waiting, () => exchange.cancellation.cancel());
  const target = { path: "internal", provider, ...(call.clocks && { clocks: call.clocks }) };
  try {
    const result = await attempt(road, exchange, target, noBody());
    readUsage(exchange);
    exchange.status = result.outcome.status;
    exchange.ending = result.outcome.ok ? "complete" : "error";
    const response = responseOf(result, format.decodeResponse.bind(format)) as ResponseOf<Operation>;
    return { response, ...(exchange.usage && { usage: exchange.usage }) };
  } finally {
    forget?.();
    exchange.endedAt = exchange.elapsed();
    await settle(road, exchange);
  }
}

const gatewayItself: Principal = { id: "gateway", name: "the gateway itself" };

function internalExchange(road: Road, call: InternalCall<OperationName>, format: string): ExchangeState {
  const exchange = new ExchangeState({
    endpoint: { type: "internal", method: "POST", path: "/internal", operation: call.operation, format },
    method: "POST",
    url: "/internal",
    headers: call.exchange ? { [`${road.settings.headerPrefixes[0]}trace-id`]: call.exchange.traceId } : {},
    remoteAddress: undefined,
    headerPrefixes: road.settings.headerPrefixes,
  });
  exchange.role = "internal";
  exchange.principal = call.exchange?.principal ?? gatewayItself;
  return exchange;
}

function responseOf(result: Result, decode: (wire: unknown) => unknown): unknown {
  const { outcome } = result;
  if (result.kind === "whole" && outcome.ok) {
    const response = result.answer?.response;
    return response ?? decode(JSON.parse(result.bytes.toString()));
  }
  throw new GatewayError(
    outcome.code ?? "upstream_failed",
    `${result.target.provider.name} answered ${outcome.status} to a call of the gateway itself.`,
  );
}

const noBody = (): ClientBody => ({
  contentType: "application/json",
  contentLength: 0,
  stream: new PassThrough(),
  taken: false,
});

function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}
