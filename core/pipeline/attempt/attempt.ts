import { compact } from "../../codec-kit/records.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import { remedyOf } from "../../http/upstream/connection-failure.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { BoundProvider } from "../../model/provider.ts";
import type { Outcome, Target } from "../../model/route.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { withAside } from "../reply/asides.ts";
import { corrected } from "../reply/corrected.ts";
import { asGatewayError, failedAttempt } from "../reply/refusals.ts";
import type { Result } from "../reply/result.ts";
import { requestOf } from "../request/request-of.ts";
import type { ClientBody, Road } from "../road.ts";
import { modelsAttempt } from "./models-attempt.ts";
import { procedureAttempt } from "./procedure-attempt.ts";
import { rawAttempt } from "./raw-attempt.ts";
import { asNamedInUrl } from "./raw-model.ts";
import { socketAttempt } from "./socket-attempt.ts";
import { unifiedAttempt } from "./unified-attempt.ts";

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
  if (!before) {
    exchange.prepared = undefined;
    if (exchange.cacheStatus !== undefined) exchange.cacheStatus = undefined;
  }
  if (before?.told) record.told = { ...before.told };
  const aside = before && exchange.prepared?.aside;
  if (aside) record.aside = aside;
  if (before?.hookResults) record.hookResults = before.hookResults;
  if (before?.successStatus !== undefined) record.successStatus = before.successStatus;
  if (before?.admitted || before?.repeats) record.repeats = true;
  if (before?.added) record.added = before.added;
  if (before?.gathers) record.gathers = true;
  if (before?.stirs !== undefined) record.stirs = before.stirs;
  exchange.attempts.push(record);
  exchange.attempt = record;
  const origin = requestOf(exchange)?.origin;
  if (origin?.told) record.told = { ...origin.told, ...record.told };
  const concluded = (result: Result): Result => {
    if (target.retry && record.sentAt === undefined) Object.assign(result.outcome, { unsent: true });
    if (result.outcome.status === 401 && isOfVendor(result.outcome)) target.provider.refused?.();
    if (result.kind === "whole") {
      record.answered = result.bytes;
      if (result.received) record.received = result.received;
    }
    if (record.aside || record.successStatus !== undefined) withAside(road, exchange, record, result);
    // With the status the client would get: that of a guardrail that failed, too.
    record.outcome = result.outcome;
    // Added to the one object: a literal that begins with a spread has a hidden class of its own at every evaluation.
    return record.told ? Object.assign(result, { told: record.told }) : result;
  };
  const refusal = target.refusal ?? origin?.refusal;
  const answered = refusal ? Promise.reject(refusal) : calling(road, exchange, target, record, body);
  return answered.then(concluded, (error: unknown) => {
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

/** A promise, whatever is wrong. An async function would let its own wait for two turns after that of the call. */
function calling(...how: Parameters<typeof call>): Promise<Result> {
  try {
    return call(...how);
  } catch (error) {
    return Promise.reject(error);
  }
}

function call(road: Road, exchange: ExchangeState, target: Target, record: Attempt, body: ClientBody): Promise<Result> {
  if (exchange.endpoint.socket) return socketAttempt(road, exchange, target, record, exchange.endpoint.socket);
  if (exchange.rehearsal && !isUnified(exchange, target))
    throw new GatewayError("endpoint_unsupported", `What ${target.provider.name} is sent unread cannot be checked.`);
  if (exchange.endpoint.procedure) return procedureAttempt(road, exchange, target, record, body);
  if (isUnified(exchange, target)) return unifiedAttempt(road, exchange, target, record);
  const { corrects, type } = exchange.endpoint;
  const { name, raw, listModels } = target.provider;
  if (listModels && type === "listModels" && !raw) return modelsAttempt(road, exchange, target, record, listModels);
  const answered = rawAttempt(road, exchange, target, record, body);
  return corrects && !raw
    ? answered.then((result) => corrected(road, result, (wire) => corrects(wire, name, exchange)))
    : answered;
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
    road.log.warn("no connection to the upstream", compact({ remedy: remedyOf(error), ...fields }));
}

const noConnection: ReadonlySet<string> = new Set(["upstream_failed", "upstream_unreachable", "socket_refused"]);
