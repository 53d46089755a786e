import { GatewayError } from "../../errors/gateway-error.ts";
import { openBrace, skipSpace, unmarked } from "../../json-bytes.ts";
import type { Answer } from "../../model/answer.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { Headers } from "../../model/headers.ts";
import type { GatewayRequest } from "../../model/request.ts";
import type { Target } from "../../model/route.ts";
import type { UpstreamCall } from "../../model/transport.ts";
import { isAnswer } from "../../taps.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { givenAnswer } from "../reply/answers.ts";
import { byteReply } from "../reply/byte-answer.ts";
import type { Reply } from "../reply/conversation.ts";
import { gatheredStream } from "../reply/gathered-stream.ts";
import { upstreamError } from "../reply/refusals.ts";
import type { Result } from "../reply/result.ts";
import { streamAnswer } from "../reply/stream-answer.ts";
import { wholeReply } from "../reply/whole-reply.ts";
import type { Prepared } from "../request/prepared.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { ringThrough } from "../ring.ts";
import type { Road } from "../road.ts";
import { prepare } from "./prepare.ts";
import { rehearsed } from "./rehearsed.ts";
import { addressOf, send, signed } from "./upstream-call.ts";
import { addWords, askedHeaders, filterHeaders, unifiedHeaders } from "./upstream-headers.ts";
import { vendorFor } from "./vendor.ts";

/** A request in a format: shown to the taps, translated, sent, and its reply read. */
export async function unifiedAttempt(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  record: Attempt,
): Promise<Result> {
  // A retry says again what the taps and the translation made of the request the first time.
  let { prepared } = exchange;
  if (!prepared) {
    // What a target lost that failed, the one that answers may have been told.
    exchange.droppedParams.clear();
    const asked = requestFor(exchange, target);
    let request = asked;
    if (road.used.beforeRequest) {
      const rung = ringThrough(road.hooks.beforeRequest, request as WireRequest | Answer, exchange);
      const seen = rung instanceof Promise ? await rung : rung;
      if (isAnswer(seen)) return givenAnswer(road, exchange, target, seen, asked);
      request = seen as WireRequest;
    }
    if (exchange.rehearsal) return rehearsed(road, exchange, target, asked, request);
    record.asked = request as GatewayRequest;
    const { findModel } = target.provider;
    if (findModel && request.model !== undefined)
      await findModel(request.model, () => vendorFor(road, exchange, target, { target, startedAt: record.startedAt }));
    prepared = prepare(road, exchange, target.provider, request, { strict: target.strict });
    if (record.aside) prepared.aside = record.aside;
    exchange.prepared = prepared;
    record.admitted = true;
  }
  const call = callFor(road, exchange, target, prepared);
  const reply = await send(
    road,
    exchange,
    target,
    record,
    call instanceof Promise ? await call : call,
    prepared.stream ? "stream" : "whole",
  );
  try {
    return await answerFrom(road, exchange, target, prepared, reply);
  } catch (error) {
    reply.conversation.abort();
    throw error;
  }
}

/** The request as a target is asked: shaped by the config, for the target's model. */
export function requestFor(exchange: ExchangeState, { request: own, shape, model }: Target): WireRequest {
  const request = (own ?? exchange.request) as WireRequest;
  const shaped = shape ? request.shaped(shape) : request;
  return model === undefined ? shaped : shaped.withModel(model);
}

/** What a reply comes to. A vendor may answer a request for a stream in one piece: what it says it sends decides. */
function answerFrom(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
  reply: Reply,
): Promise<Result> {
  if (reply.status < 200 || reply.status > 299) return upstreamError(road, exchange, target, prepared, reply);
  const type = String(reply.headers["content-type"] ?? "").toLowerCase();
  // A login page or a proxy's greeting: nothing a client of an API could read, in one piece or as a stream.
  if (type.startsWith("text/html"))
    throw new GatewayError("upstream_invalid", `${target.provider.name} answered with a web page.`);
  const { upstream, spec } = prepared;
  const framing = spec.framing ?? upstream.framing;
  const stream = prepared.stream || prepared.gathers === true;
  const isNamed = type.startsWith("text/event-stream");
  const events = upstream.readBytes ? isNamed : stream && !type.startsWith("application/json");
  if (!events || framing === undefined)
    return upstream.readBytes && !type.startsWith("application/json")
      ? byteReply(road, exchange, target, prepared, reply)
      : wholeReply(road, exchange, target, prepared, reply);
  if (isNamed || framing !== "sse") return streamed(road, exchange, target, prepared, reply);
  return reply.conversation.first().then((bytes) => {
    const read = bytes && beginsObject(bytes) ? wholeReply : streamed;
    return read(road, exchange, target, prepared, reply);
  });
}

/** No event begins like that: an answer that does comes in one piece, though nothing says so. */
function beginsObject(received: Buffer): boolean {
  const bytes = unmarked(received);
  return bytes[skipSpace(bytes, 0)] === openBrace;
}

const streamed: typeof wholeReply = (road, exchange, target, prepared, reply) =>
  (prepared.gathers || exchange.attempt?.gathers) && prepared.upstream.decodeStream
    ? gatheredStream(road, exchange, target, prepared, reply)
    : streamAnswer(road, exchange, target, prepared, reply);

/** The call a prepared request becomes. Nothing is sent yet. A promise only where a credential takes time. */
export function callFor(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
): UpstreamCall | Promise<UpstreamCall> {
  const { headers } = target.provider;
  if (typeof headers === "function") return headers().then((own) => callWith(own, road, exchange, target, prepared));
  return callWith(headers, road, exchange, target, prepared);
}

function callWith(
  credentials: Headers,
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
): UpstreamCall | Promise<UpstreamCall> {
  const { provider } = target;
  const { path, body } = prepared;
  const own = prepared.headers ? Object.assign({}, credentials, prepared.headers) : credentials;
  const headers = unifiedHeaders(exchange, provider, own, askedHeaders(exchange, target, road.settings.headerPrefixes));
  if (prepared.headerWords) addWords(headers, prepared.headerWords);
  if (provider.headerFilters) filterHeaders(headers, provider.headerFilters);
  return signed(
    provider,
    Object.assign(addressOf(provider, path, prepared.spec.origin), { method: "POST", headers, body }),
    exchange,
  );
}
