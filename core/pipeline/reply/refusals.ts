import { jsonOr } from "../../codec-kit/records.ts";
import { gatewayErrorBody, upstreamErrorBody } from "../../errors/error-body.ts";
import { type ErrorDetail, unquoted } from "../../errors/error-detail.ts";
import { errorTable } from "../../errors/error-table.ts";
import { GatewayError, isUnresolvedSecret, unresolvedSecret } from "../../errors/gateway-error.ts";
import type { Answer } from "../../model/answer.ts";
import type { Target } from "../../model/route.ts";
import { retryAfterOf } from "../../routing-kit/retry-after.ts";
import { recordWithoutQuoted, withoutQuoted } from "../../secrets/quoted-secrets.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { sentSecrets } from "../request/added-headers.ts";
import { tooDeep, upstreamTooDeep } from "../request/nesting.ts";
import type { Prepared } from "../request/prepared.ts";
import { requestOf } from "../request/request-of.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { ringThrough } from "../ring.ts";
import type { Road } from "../road.ts";
import { encodeContext, usageIs, whole } from "./answers.ts";
import { refusalHeaders } from "./client-headers.ts";
import { collectError } from "./collect.ts";
import type { Reply } from "./conversation.ts";
import { statusOf } from "./error-status.ts";
import { outcomeOf } from "./outcome.ts";
import { type Rendered, render, renderError } from "./render.ts";
import type { Result } from "./result.ts";
import { said } from "./said.ts";
import { detailOf } from "./stream-delivery.ts";

/** An upstream's refusal, in the shape clients know (family B), less any credential it quotes. */
export async function upstreamError(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
  reply: Reply,
): Promise<Result> {
  const { provider } = target;
  const text = await collectError(reply, (said) => withoutQuoted(said, sentSecrets(provider, exchange.attempt)));
  const wire = jsonOr(text, { "html-message": text });
  const detail =
    provider.readError?.(reply.status, wire, reply.headers) ??
    prepared.upstream.decodeError(wire) ??
    redirection(reply);
  if (text.includes('"usage')) usageIs(exchange, () => prepared.upstream.readUsage(wire));
  return refusal(road, exchange, target, prepared, reply, {
    status: reply.status,
    body: upstreamErrorBody(provider.name, wire, detail),
    ...(detail && { detail }),
    received: Buffer.from(text),
  });
}

/** What a vendor means that sends callers elsewhere, as one does whose base URL is not quite right. */
function redirection({ status, headers: { location } }: Reply): ErrorDetail | undefined {
  if (status < 300 || status > 399 || typeof location !== "string" || !URL.canParse(location, here)) return undefined;
  const { origin, pathname } = new URL(location, here);
  const place = origin === here ? pathname : origin;
  return { message: `it redirects to ${place}, and redirections are not followed. Is its base URL right?` };
}

/** What a place without a host is below. */
const here = "http://here.invalid";

/** A failure the vendor reported with status 200: as all of an answer, or as the first thing in a stream. */
export function earlyError(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
  reply: Reply,
  detail: ErrorDetail,
): Promise<Result> {
  const { name } = target.provider;
  const status = statusOf(detail);
  const clean = unquoted(detail, sentSecrets(target.provider, exchange.attempt));
  return refusal(road, exchange, target, prepared, reply, {
    status,
    body: upstreamErrorBody(name, undefined, clean),
    detail: clean,
  });
}

/** Something else than an answer, with status 200: what it says is wrong, or all of it (providers.md section 1.3). */
export function noAnswer(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
  reply: Reply,
  wire: Readonly<Record<string, unknown>>,
): Promise<Result> {
  const { name, readError } = target.provider;
  const detail = readError?.(reply.status, wire, reply.headers) ?? prepared.upstream.decodeError(wire);
  if (detail) return earlyError(road, exchange, target, prepared, reply, detail);
  const said = recordWithoutQuoted(wire, sentSecrets(target.provider, exchange.attempt));
  return refusal(road, exchange, target, prepared, reply, {
    status: errorTable.upstream_invalid.status,
    body: upstreamErrorBody(name, said, undefined),
    received: Buffer.from(JSON.stringify(said)),
  });
}

interface Refusal {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly detail?: ErrorDetail;
  readonly received?: Buffer;
}

async function refusal(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
  reply: Reply,
  { status, body, detail, received }: Refusal,
): Promise<Result> {
  const answer: Answer = { kind: "answer", status, body };
  const seen = await ringThrough(road.hooks.afterRequest, answer, exchange);
  const told = withWait(reply.headers, detail);
  const headers = refusalHeaders(told, road.settings.headerPrefixes, sentSecrets(target.provider, exchange.attempt));
  // A tap may answer in its place.
  const stream = seen.response !== undefined && prepared.stream;
  const rendered = seen.body
    ? renderError(prepared.client, seen.body, seen.status, retryAfterOf(told, Date.now()))
    : render(prepared.client, seen, encodeContext(exchange, target, prepared), stream);
  const reason = detail?.code ?? detail?.type;
  const outcome = outcomeOf(seen.status, told, reason === undefined ? {} : { reason: String(reason) });
  const result = whole(target, seen, outcome, rendered, headers);
  return received ? Object.assign(result, { received }) : result;
}

/** What the vendor's headers say, and how long it asks to be left alone where only its body does. */
function withWait(headers: Reply["headers"], detail: ErrorDetail | undefined): Reply["headers"] {
  if (detail?.retryAfter === undefined || retryAfterOf(headers, Date.now()) !== undefined) return headers;
  return { ...headers, ...waitHeaders(detail.retryAfter) };
}

const waitHeaders = (milliseconds: number): Record<string, string> => ({
  "retry-after": String(Math.max(1, Math.ceil(milliseconds / 1000))),
  "retry-after-ms": String(Math.ceil(milliseconds)),
});

/** An attempt that brought no answer of the upstream at all. */
export function failedAttempt(road: Road, exchange: ExchangeState, target: Target, cause: unknown): Result {
  const error = failureIn(road, exchange, cause);
  const format = road.formats.get(exchange.endpoint.format ?? requestOf(exchange)?.format ?? "");
  const rendered = renderError(format, gatewayErrorBody(error), error.status, waitOf(error));
  return {
    kind: "whole",
    target,
    outcome: outcomeOf(
      error.status,
      {},
      {
        code: error.code,
        exception: error.row.exception === true,
        reason: detailOf(error).type ?? error.code,
      },
    ),
    headers: errorHeaders(error, rendered),
    bytes: rendered.bytes,
  };
}

/**
 * What a request has failed with. What looks like a failure of the gateway may be the fault of what the vendor said, or of
 * the body of the request.
 */
export function failureIn(road: Road, exchange: ExchangeState, cause: unknown): GatewayError {
  const { request, attempt } = exchange;
  const error = asGatewayError(cause);
  if (error.code === "secret_unavailable") return unresolved(road, exchange, error);
  if (!error.row.exception) return error;
  const ofVendor = attempt && upstreamTooDeep(said.get(attempt), cause);
  if (ofVendor) return ofVendor;
  const reason = tooDeep((request as WireRequest | undefined)?.rawBytes);
  return reason === undefined ? error : new GatewayError("invalid_request", reason, {}, { cause });
}

/** Those who manage secrets are told why one is not to be had; for all others that goes to the log. */
function unresolved(road: Road, { id, endpoint }: ExchangeState, error: GatewayError): GatewayError {
  if (endpoint.errors === "management" || isUnresolvedSecret(error)) return error;
  road.log.error("a secret could not be resolved", { request: id, error });
  return unresolvedSecret(error, error.details);
}

export const asGatewayError = (cause: unknown): GatewayError =>
  cause instanceof GatewayError ? cause : new GatewayError("internal", "Something went wrong", {}, { cause });

export const errorHeaders = (error: GatewayError, rendered: Rendered): Record<string, string> => ({
  "content-type": rendered.contentType,
  ...rendered.headers,
  ...(error.details.retryAfterSeconds !== undefined && waitHeaders(error.details.retryAfterSeconds * 1000)),
});

/** How long an error of the gateway asks to wait, in milliseconds. */
export const waitOf = ({ details: { retryAfterSeconds } }: GatewayError): number | undefined =>
  retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
