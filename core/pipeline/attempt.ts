import { GatewayError } from "../errors/gateway-error.ts";
import { placeOf } from "../http/upstream/place-of.ts";
import type { Answer } from "../model/answer.ts";
import type { Attempt } from "../model/attempt.ts";
import type { BoundProvider, Headers, UpstreamCall } from "../model/provider.ts";
import type { GatewayRequest } from "../model/request.ts";
import type { Outcome, Target } from "../model/route.ts";
import { isAnswer } from "../taps.ts";
import { givenAnswer } from "./answers.ts";
import { withAside } from "./asides.ts";
import { byteReply } from "./byte-answer.ts";
import { clocksOf } from "./clocks-of.ts";
import { Conversation, type Reply } from "./conversation.ts";
import { corrected } from "./corrected.ts";
import type { ExchangeState } from "./exchange-state.ts";
import { gatheredStream } from "./gathered-stream.ts";
import { rehearsed } from "./own-road/rehearsed.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { procedureAttempt } from "./procedure-attempt.ts";
import { rawAttempt } from "./raw-attempt.ts";
import { asNamedInUrl } from "./raw-model.ts";
import { asGatewayError, failedAttempt, upstreamError } from "./refusals.ts";
import { requestOf } from "./request-of.ts";
import type { Result } from "./result.ts";
import { ringThrough } from "./ring.ts";
import type { ClientBody, Road } from "./road.ts";
import { sending } from "./sending.ts";
import { socketAttempt } from "./socket-attempt.ts";
import { streamAnswer } from "./stream-answer.ts";
import { filterHeaders, forwardedNames, unifiedHeaders, withSignature } from "./upstream-headers.ts";
import { vendorFor } from "./vendor.ts";
import { wholeReply } from "./whole-reply.ts";
import type { WireRequest } from "./wire-request.ts";

/** One call to one target: asked of the taps, sent, and brought to the point where a client could be given it. */
export function attempt(road: Road, exchange: ExchangeState, target: Target, body: ClientBody): Promise<Result> {
  const { pending } = target.provider;
  return pending
    ? completed(target, pending).then((whole) => {
        exchange.cancellation.check();
        return attemptAt(road, exchange, whole, body);
      })
    : attemptAt(road, exchange, target, body);
}

function attemptAt(road: Road, exchange: ExchangeState, target: Target, body: ClientBody): Promise<Result> {
  const record: Attempt = { target: asNamedInUrl(exchange, target), startedAt: exchange.elapsed() };
  if (exchange.lane) record.lane = exchange.lane;
  // The taps that told something are not asked again for a retry. What another target was asked is nothing to repeat.
  const before = target.retry && exchange.attempt?.target.path === target.path ? exchange.attempt : undefined;
  if (!before) exchange.prepared = undefined;
  if (before?.told) record.told = { ...before.told };
  const aside = before && exchange.prepared?.aside;
  if (aside) record.aside = aside;
  if (before?.successStatus !== undefined) record.successStatus = before.successStatus;
  if (before?.admitted || before?.repeats) record.repeats = true;
  if (before?.gathers) record.gathers = true;
  if (before?.stirs !== undefined) record.stirs = before.stirs;
  exchange.attempts.push(record);
  exchange.attempt = record;
  const origin = requestOf(exchange)?.origin;
  if (origin?.told) record.told = { ...origin.told, ...record.told };
  const concluded = (result: Result): Result => {
    record.outcome = result.outcome;
    if (target.retry && record.sentAt === undefined) Object.assign(result.outcome, { unsent: true });
    if (result.outcome.status === 401 && isOfVendor(result.outcome)) target.provider.refused?.();
    if (result.kind === "whole") {
      record.answered = result.bytes;
      if (result.received) record.received = result.received;
    }
    if (record.aside || record.successStatus !== undefined) withAside(road, exchange, record, result);
    // Added to the one object: a literal that begins with a spread has a hidden class of its own at every evaluation.
    return record.told ? Object.assign(result, { told: record.told }) : result;
  };
  const refusal = target.refusal ?? origin?.refusal;
  const calling = refusal ? Promise.reject(refusal) : call(road, exchange, target, record, body);
  return calling.then(concluded, (error: unknown) => {
    if (before && record.sentAt === undefined && hasLeft(exchange)) withdraw(exchange, record, before);
    const result = failedAttempt(road, exchange, target, error);
    logFailure(road, exchange, target, result, error);
    return concluded(result);
  });
}

/** Whether it is the client that has left: who loses a race is given up, too, and others go on. */
const hasLeft = ({ cancellation, trunk }: ExchangeState): boolean => cancellation.cancelled && trunk === undefined;

/** A retry that was never sent is none: the record ends with the call before. */
function withdraw(exchange: ExchangeState, record: Attempt, before: Attempt): void {
  exchange.attempts.splice(exchange.attempts.indexOf(record), 1);
  exchange.attempt = before;
}

async function call(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  record: Attempt,
  body: ClientBody,
): Promise<Result> {
  if (exchange.endpoint.socket) return socketAttempt(road, exchange, target, record, exchange.endpoint.socket);
  if (exchange.rehearsal && !isUnified(exchange, target))
    throw new GatewayError("endpoint_unsupported", `What ${target.provider.name} is sent unread cannot be checked.`);
  if (exchange.endpoint.procedure) return procedureAttempt(road, exchange, target, record, body);
  if (isUnified(exchange, target)) return unifiedAttempt(road, exchange, target, record);
  const result = await rawAttempt(road, exchange, target, record, body);
  const { corrects } = exchange.endpoint;
  const { name, raw } = target.provider;
  return corrects && !raw ? corrected(road, result, (wire) => corrects(wire, name)) : result;
}

/** Whether a target is asked in a format, and not sent what came as it came. A made request came from nobody. */
export function isUnified({ endpoint, nitro }: ExchangeState, { provider }: Target): boolean {
  if (endpoint.prepare && provider.raw)
    throw new GatewayError(
      "endpoint_unsupported",
      `${endpoint.type} is not supported by ${provider.name}: it sends requests on as they come.`,
    );
  return (endpoint.operation !== undefined || endpoint.prepare !== undefined) && !nitro && !provider.raw;
}

/** A target with its provider as it is called: what keeps a secret from being had keeps the target from being called. */
export async function completed(target: Target, pending: Promise<BoundProvider>): Promise<Target> {
  try {
    return { ...target, provider: await pending };
  } catch (error) {
    return { ...target, refusal: asGatewayError(error) };
  }
}

const isOfVendor = ({ code, given }: Outcome): boolean => code === undefined && given === undefined;

/** What a caller is not told, an operator is: a failure of the gateway, and why a connection was not to be had. */
function logFailure(road: Road, exchange: ExchangeState, target: Target, { outcome }: Result, error: unknown): void {
  const fields = { request: exchange.id, provider: target.provider.slug, error };
  if (outcome.exception) road.log.error("attempt failed", fields);
  else if (outcome.code !== undefined && noConnection.has(outcome.code))
    road.log.warn("no connection to the upstream", fields);
}

const noConnection: ReadonlySet<string> = new Set(["upstream_failed", "upstream_unreachable", "socket_refused"]);

async function unifiedAttempt(road: Road, exchange: ExchangeState, target: Target, record: Attempt): Promise<Result> {
  // A retry says again what the taps and the translation made of the request the first time.
  let { prepared } = exchange;
  if (!prepared) {
    const asked = requestFor(exchange, target);
    let request = asked;
    if (road.used.beforeRequest) {
      const rung = ringThrough(road.hooks.beforeRequest, request as WireRequest | Answer, exchange);
      const seen = rung instanceof Promise ? await rung : rung;
      if (isAnswer(seen)) return givenAnswer(road, exchange, target, seen);
      request = seen as WireRequest;
    }
    if (exchange.rehearsal) return rehearsed(road, exchange, target, asked, request);
    record.asked = request as GatewayRequest;
    const { findModel } = target.provider;
    if (findModel && request.model !== undefined)
      await findModel(request.model, () => vendorFor(road, exchange, target, { target, startedAt: record.startedAt }));
    prepared = prepare(road, exchange, target.provider, request);
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
  const type = String(reply.headers["content-type"] ?? "");
  // A login page or a proxy's greeting: nothing a client of an API could read, in one piece or as a stream.
  if (type.startsWith("text/html"))
    throw new GatewayError("upstream_invalid", `${target.provider.name} answered with a web page.`);
  const { upstream, stream } = prepared;
  const events = upstream.readBytes
    ? type.startsWith("text/event-stream")
    : stream && !type.startsWith("application/json");
  if (events && upstream.framing !== undefined)
    return exchange.attempt?.gathers && upstream.decodeStream
      ? gatheredStream(road, exchange, target, prepared, reply)
      : streamAnswer(road, exchange, target, prepared, reply);
  return upstream.readBytes && !type.startsWith("application/json")
    ? byteReply(road, exchange, target, prepared, reply)
    : wholeReply(road, exchange, target, prepared, reply);
}

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
  { provider, forwardHeaders = [] }: Target,
  prepared: Prepared,
): UpstreamCall | Promise<UpstreamCall> {
  const { path, body } = prepared;
  const asked = exchange.gatewayHeaders.get("forward-headers");
  const forwarded = asked === undefined ? forwardHeaders : forwardedNames(asked, road.settings.headerPrefixes);
  const own = prepared.headers ? Object.assign({}, credentials, prepared.headers) : credentials;
  const headers = unifiedHeaders(exchange, provider, own, forwarded);
  if (provider.headerFilters) filterHeaders(headers, provider.headerFilters);
  return signed(provider, { method: "POST", ...addressOf(provider, path, prepared.spec.origin), headers, body });
}

type Unsigned = Omit<UpstreamCall, "body"> & { readonly body: Buffer | undefined };

/** Lets a vendor whose credential covers the body sign the finished call. */
export function signed(provider: BoundProvider, call: Unsigned): UpstreamCall | Promise<UpstreamCall> {
  if (!provider.sign) return call;
  const { method, headers, body } = call;
  const signature = provider.sign({ method, url: call.origin + call.path, headers, body });
  if (signature instanceof Promise)
    return signature.then((more) => ({ ...call, headers: withSignature(headers, more) }));
  return { ...call, headers: withSignature(headers, signature) };
}

/** Where below a base URL a path is. What a provider serves beside its base URL it names with the origin. */
export function addressOf(
  provider: BoundProvider,
  path: string,
  elsewhere?: string,
): Pick<UpstreamCall, "origin" | "path" | "untrustedHost"> {
  const { origin, basePath, untrustedHost } = provider;
  if (elsewhere !== undefined) return { origin: elsewhere, path, untrustedHost };
  if (path.startsWith("http")) return besideBase(provider, path);
  return { origin, path: basePath + path, untrustedHost };
}

/** Only a host that is the caller's is one that is checked as such. */
function besideBase({ origin, untrustedHost }: BoundProvider, url: string): ReturnType<typeof addressOf> {
  const named = placeOf(url);
  return { origin: named.origin, path: named.path || "/", untrustedHost: untrustedHost && named.origin === origin };
}

/** Sends a call and waits for its headers. The client going away ends it. */
export function send(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  record: Attempt,
  call: UpstreamCall,
  as: "stream" | "whole" | "raw",
): Promise<Reply> {
  exchange.cancellation.check();
  sending(road, exchange, record);
  record.call = call;
  const conversation = new Conversation({
    clocks: clocksOf(road, exchange, target),
    stream: as === "stream",
    raw: as === "raw",
    attempt: record,
    clock: exchange,
  });
  exchange.cancellation.add(() => conversation.cancel());
  return conversation.start(target.provider.transport ?? road.transport, call).reply;
}
