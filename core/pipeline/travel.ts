import { gatewayErrorBody } from "../errors/error-body.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Outcome, Route, Target } from "../model/route.ts";
import { asGatewayError, errorHeaders } from "./answers.ts";
import { attempt } from "./attempt.ts";
import { deliver } from "./deliver.ts";
import type { ExchangeState } from "./exchange-state.ts";
import { readBody } from "./read-body.ts";
import { renderError } from "./render.ts";
import { responseHeaders } from "./response-headers.ts";
import { discard, type Result } from "./result.ts";
import { ringAll, ringFirst } from "./ring.ts";
import type { ClientBody, ClientConnection, Road } from "./road.ts";
import { wireRequest } from "./wire-request.ts";

/** The road of one request: auth → routeSelect → (beforeRequest → upstream → afterRequest)* → client → cost. */
export async function travel(
  road: Road,
  exchange: ExchangeState,
  body: ClientBody,
  client: ClientConnection,
): Promise<void> {
  try {
    await admit(road, exchange, body);
    const route = selectRoute(road, exchange);
    exchange.route = route instanceof Promise ? await route : route;
    const result = await walk(road, exchange, exchange.route, body);
    if (result.kind === "whole" && result.answer) exchange.answer = result.answer;
    const delivered = deliver(road, exchange, result, client);
    if (delivered) await delivered;
    if (result.kind === "whole" && road.used.cost) readUsage(exchange, result);
  } catch (cause) {
    refuse(road, exchange, client, asGatewayError(cause), cause);
  }
  exchange.endedAt = exchange.elapsed();
  if (road.used.cost) await settle(road, exchange);
}

/** Who is asking, and what for. A body is read only for those who may ask. */
export async function admit(road: Road, exchange: ExchangeState, body: ClientBody): Promise<void> {
  const known = ringFirst(road.hooks.auth, exchange);
  const principal = known instanceof Promise ? await known : known;
  if (!principal) {
    const [prefix] = road.settings.headerPrefixes;
    throw new GatewayError("invalid_api_key", `No valid credential: send one in ${prefix}api-key or authorization.`);
  }
  exchange.principal = principal;
  checkContentType(body.contentType);
  const { operation, format, rawBody, checked } = exchange.endpoint;
  const { jsonBodyBytes, uploadBodyBytes, bodyTimeout } = road.settings;
  if (operation && !exchange.nitro) {
    const bytes = await readBody(body, jsonBodyBytes, bodyTimeout, exchange.cancellation);
    const request = wireRequest(bytes, road.formats.get(format ?? ""));
    // Reading the body decodes it, and decoding checks it.
    if (checked) void request.body;
    exchange.request = request;
  } else if (rawBody && isJson(body.contentType) && hasBytes(body)) {
    exchange.request = wireRequest(await readBody(body, jsonBodyBytes, bodyTimeout, exchange.cancellation), undefined);
  } else if ((body.contentLength ?? 0) > uploadBodyBytes) {
    throw new GatewayError(
      "body_too_large",
      `The body is larger than ${uploadBodyBytes} bytes (server.limits.uploadBodyBytes).`,
    );
  }
}

const isJson = (type: string | undefined) => type !== undefined && /^application\/json\b/i.test(type);
const hasBytes = (body: ClientBody) => body.contentLength !== 0;

/** JSON, forms and sound are what upstreams take (inference-api.md section 1). */
function checkContentType(type: string | undefined): void {
  if (type === undefined || /^(?:application\/json|multipart\/form-data|audio\/)/i.test(type.trim())) return;
  throw new GatewayError(
    "content_type_not_accepted",
    `The content type "${type}" is not accepted: send application/json, multipart/form-data or audio/*.`,
    { param: "content-type" },
  );
}

export function selectRoute(road: Road, exchange: ExchangeState): Route | Promise<Route> {
  const selected = ringFirst(road.hooks.routeSelect, exchange);
  if (selected instanceof Promise) return selected.then((route) => route ?? noRoute(road));
  return selected ?? noRoute(road);
}

function noRoute({ settings }: Road): never {
  const [prefix] = settings.headerPrefixes;
  throw new GatewayError(
    "provider_missing",
    `No provider: name one in ${prefix}provider or ${prefix}config, or as model "provider/model".`,
  );
}

/** Drives the route: each target it yields is tried, each outcome handed back, until it returns one. */
async function walk(road: Road, exchange: ExchangeState, route: Route, body: ClientBody): Promise<Result> {
  let last: Result | undefined;
  let step = nextOf(route);
  while (!step.done) {
    const target = step.value;
    if (last) {
      // A body that was streamed on is gone: what its first target said is the answer.
      if (body.taken) return last;
      discard(last);
    }
    if (target.delayMs) await wait(target.delayMs, exchange);
    last = await attempt(road, exchange, target, body);
    if (exchange.cancellation.cancelled) {
      discard(last);
      throw new GatewayError("client_gone", "The client closed the connection.");
    }
    try {
      step = last.outcome.exception ? { done: true, value: last.outcome } : nextOf(route, last.outcome);
    } catch (error) {
      discard(last);
      throw error;
    }
  }
  if (!last) throw new GatewayError("provider_missing", "The route named no target.");
  // Whoever retried says how often; everything else about the outcome is the last attempt's own.
  const { retries } = step.value;
  return retries === undefined ? last : { ...last, outcome: { ...last.outcome, retries } };
}

/** What a route says next: first without an outcome, then with that of the target before. */
export const nextOf = (route: Route, outcome?: Outcome): IteratorResult<Target, Outcome> =>
  outcome ? route.next(outcome) : (route as Iterator<Target, Outcome, unknown>).next();

const wait = (milliseconds: number, exchange: ExchangeState): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, milliseconds);
    const forget = exchange.cancellation.add(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/** A request that ends before any target answered. */
function refuse(
  road: Road,
  exchange: ExchangeState,
  client: ClientConnection,
  error: GatewayError,
  cause: unknown,
): void {
  if (exchange.cancellation.cancelled || error.code === "client_gone") {
    exchange.ending = "client-gone";
    exchange.status = 499;
    client.destroy();
    return;
  }
  exchange.ending = "error";
  exchange.status = error.status;
  if (error.row.exception) road.log.error("request failed", { request: exchange.id, error: cause });
  if (client.headSent) return client.destroy();
  const rendered = renderError(road.formats.get(exchange.endpoint.format ?? ""), gatewayErrorBody(error));
  const headers = responseHeaders(exchange, road.settings.headerPrefixes, errorHeaders(error, rendered));
  if (error.row.exception) headers[`${road.settings.headerPrefixes[0]}gateway-exception`] = "true";
  client.head(error.status, { ...headers, "content-length": rendered.bytes.length });
  client.end(rendered.bytes);
}

function readUsage(exchange: ExchangeState, result: Result & { kind: "whole" }): void {
  try {
    const usage = result.usage?.();
    if (usage) exchange.usage = usage;
  } catch {
    // An answer that is not readable has no usage; it is not the client's problem.
  }
}

/** After the client has its answer: price, settle, record. A failure here is the log's business only. */
async function settle(road: Road, exchange: ExchangeState): Promise<void> {
  try {
    await ringAll(road.hooks.cost, exchange);
  } catch (error) {
    road.log.error("cost hook failed", { request: exchange.id, error });
  }
}
