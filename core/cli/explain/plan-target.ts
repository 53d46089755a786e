import { Readable } from "node:stream";
import { jsonOr } from "../../codec-kit/records.ts";
import { type GatewayError, isUnresolvedSecret } from "../../errors/gateway-error.ts";
import type { Foresight } from "../../hooks.ts";
import type { ClientProcedure } from "../../model/client-procedure.ts";
import type { BoundProvider } from "../../model/provider.ts";
import type { GatewayRequest } from "../../model/request.ts";
import type { Outcome, Target } from "../../model/route.ts";
import type { UpstreamCall } from "../../model/transport.ts";
import { completed, isUnified } from "../../pipeline/attempt/attempt.ts";
import { prepare } from "../../pipeline/attempt/prepare.ts";
import { procedureOf } from "../../pipeline/attempt/procedure-attempt.ts";
import { rawCallFor } from "../../pipeline/attempt/raw-attempt.ts";
import { socketCallFor } from "../../pipeline/attempt/socket-attempt.ts";
import { callFor, requestFor } from "../../pipeline/attempt/unified-attempt.ts";
import { clocksOf } from "../../pipeline/clocks-of.ts";
import type { ExchangeState } from "../../pipeline/exchange-state.ts";
import { asGatewayError, failedAttempt } from "../../pipeline/reply/refusals.ts";
import type { Prepared } from "../../pipeline/request/prepared.ts";
import { unreadRequest, type WireRequest } from "../../pipeline/request/wire-request.ts";
import type { ClientBody, Road } from "../../pipeline/road.ts";
import { veiled } from "../secrets.ts";
import { assumedOutcome } from "./assumed-outcome.ts";
import type { BodyOrigin, CallFact, TargetFact } from "./explanation.ts";
import { maskedHeaders, maskedUrl } from "./masking.ts";

export interface PlanInput {
  readonly road: Road;
  readonly exchange: ExchangeState;
  readonly body: ClientBody;
  /** Names of headers the config file sets for a provider, by its slug. */
  readonly configuredHeaders: (slug: string) => ReadonlySet<string>;
  /** Grows by what each provider knows. */
  readonly secrets: Set<string>;
}

/** What the target would be sent, and what the route is told: that it answered so that it goes on, or why it could not be called. */
export async function planTarget(input: PlanInput, given: Target): Promise<{ fact: TargetFact; outcome: Outcome }> {
  const { road, exchange, secrets } = input;
  const target = given.provider.pending ? await completed(given, given.provider.pending) : given;
  for (const secret of target.provider.secrets) secrets.add(secret);
  exchange.droppedParams.clear();
  const shared = {
    path: target.path,
    provider: providerFact(target.provider, [...secrets]),
    clocks: clocksOf(road, exchange, target),
    ...(target.delayMs !== undefined && { delayMs: target.delayMs }),
    ...(target.resume && { resume: target.resume }),
    retry: target.retry === true,
    raw: target.provider.raw === true || !(exchange.endpoint.operation || exchange.endpoint.prepare),
    ownTransport: target.provider.transport !== undefined,
  };
  try {
    if (target.refusal) throw target.refusal;
    // A retry is not looked at again by what let its target through.
    if (!target.retry) await foretold(input, target);
    const planned = await planCall(input, target);
    const outcome = assumedOutcome(target);
    const dropped = [...exchange.droppedParams];
    return { fact: { ...shared, ...planned, dropped, assumedStatus: outcome.status }, outcome };
  } catch (error) {
    const { outcome, ...result } = failedAttempt(road, exchange, target, error);
    const body: unknown = result.kind === "whole" ? JSON.parse(result.bytes.toString()) : undefined;
    const refused = { status: outcome.status, body, ...untoldReason(asGatewayError(error), error) };
    return { fact: { ...shared, dropped: [], refused }, outcome };
  }
}

/** What those taps say of the target that say something of requests nobody sends. */
async function foretold({ road, exchange }: PlanInput, target: Target): Promise<void> {
  exchange.attempt = { target, startedAt: 0 };
  const request = isUnified(exchange, target) ? requestFor(exchange, target) : (exchange.request ?? unreadRequest());
  for (const { foresee } of road.hooks.beforeRequest.taps as readonly Foresight[])
    await foresee?.(exchange, request as GatewayRequest);
}

/** Of a failure of the gateway itself, and of why a secret is not to be had, a client is told nothing; whoever runs it wants to know. */
export function untoldReason({ row, code, message }: GatewayError, cause: unknown): { reason?: string } {
  if (row.exception) return { reason: cause instanceof Error ? cause.message : message };
  if (code !== "secret_unavailable") return {};
  let why = cause;
  while (why instanceof Error && isUnresolvedSecret(why)) why = why.cause;
  return why instanceof Error ? { reason: why.message } : {};
}

const providerFact = ({ slug, name, origin, basePath, baseQuery }: BoundProvider, secrets: readonly string[]) => ({
  slug,
  name,
  baseUrl: maskedUrl(origin + basePath + baseQuery, secrets),
});

type Planned = Pick<TargetFact, "model" | "formats" | "call" | "procedure"> & { readonly raw?: false };

async function planCall(input: PlanInput, target: Target): Promise<Planned> {
  const { road, exchange, body } = input;
  const { provider, later } = withoutErrands(target.provider);
  const asked = target.request ?? exchange.request;
  const model = target.model ?? asked?.model;
  const named = model === undefined ? {} : { model };
  const refusal = target.refusal ?? asked?.origin?.refusal;
  if (refusal) throw refusal;
  const { procedure, socket } = exchange.endpoint;
  if (socket) {
    const call = await socketCallFor(road, exchange, { ...target, provider });
    return { ...named, call: callFact(input, provider, call, later) };
  }
  if (procedure && typeof procedureOf(procedure as ClientProcedure, provider, exchange) === "function")
    return { ...named, raw: false, procedure: procedure.name };
  if (!isUnified(exchange, { ...target, provider })) {
    const call = await rawCallFor(road, exchange, { ...target, provider }, body);
    return { ...named, call: callFact(input, provider, call, later) };
  }
  const request = requestFor(exchange, target);
  const prepared = prepare(road, exchange, provider, request, { strict: target.strict });
  const call = await callFor(road, exchange, { ...target, provider }, prepared);
  const formats = {
    client: prepared.client.name,
    upstream: prepared.upstream.name,
    body: originOf(prepared, request),
  };
  return { ...named, formats, call: callFact(input, provider, call, later) };
}

/** The provider without what would ask somebody: fetching a token, signing with fetched credentials. */
function withoutErrands(provider: BoundProvider): { provider: BoundProvider; later: string[] } {
  const { sign, headers, ...rest } = provider;
  const fetched = typeof headers === "function";
  return {
    provider: { ...rest, headers: fetched ? {} : headers },
    later: [...(fetched ? ["credential headers"] : []), ...(sign ? ["signature headers"] : [])],
  };
}

function originOf({ translated, body }: Prepared, request: WireRequest): BodyOrigin {
  if (translated) return "translated";
  if (request.bytes?.equals(body)) return "as received";
  return request.ownBytes?.equals(body) ? "as received, model exchanged" : "adjusted for the provider";
}

function callFact(
  { configuredHeaders, secrets }: PlanInput,
  provider: BoundProvider,
  { method, origin, path, headers, body }: UpstreamCall,
  later: readonly string[],
): CallFact {
  const known = [...secrets];
  const own = typeof provider.headers === "function" ? {} : provider.headers;
  return {
    method,
    url: maskedUrl(origin + path, known),
    headers: maskedHeaders(headers, { own, configured: configuredHeaders(provider.slug), secrets: known }),
    later,
    ...bodyFact(body, headers, known),
  };
}

/** Longer bodies are cut here when they are shown. */
const shownCharacters = 4_096;

function bodyFact(
  body: UpstreamCall["body"],
  headers: UpstreamCall["headers"],
  secrets: readonly string[],
): Pick<CallFact, "body" | "bodyBytes"> {
  if (body === undefined) return { bodyBytes: 0 };
  if (body instanceof Readable) {
    body.destroy();
    const bodyBytes = Number(headers["content-length"] ?? 0);
    return { body: `(${headers["content-type"] ?? "bytes"}, as received)`, bodyBytes };
  }
  return { body: shownBody(body.toString(), secrets), bodyBytes: body.length };
}

/** Secrets go before anything is cut: half of one must not stay at the end. */
function shownBody(text: string, secrets: readonly string[]): unknown {
  const json = jsonOr(text);
  const pretty = veiled(json === undefined ? text : JSON.stringify(json, null, 2), secrets);
  return pretty.length > shownCharacters ? `${pretty.slice(0, shownCharacters)}…` : (jsonOr(pretty) ?? pretty);
}
