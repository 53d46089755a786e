import { servedBy, servedText } from "../endpoint-of.ts";
import { gatewayErrorBody } from "../errors/error-body.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Served } from "../model/endpoint.ts";
import type { Route } from "../model/route.ts";
import { admit } from "./admit.ts";
import { deliver, indented } from "./deliver.ts";
import type { ExchangeState } from "./exchange-state.ts";
import { errorHeaders, failureIn, waitOf } from "./reply/refusals.ts";
import { renderError } from "./reply/render.ts";
import { identified, responseHeaders, tellException } from "./reply/response-headers.ts";
import type { Result } from "./reply/result.ts";
import { bodyTerms, readBody } from "./request/read-body.ts";
import { ringFirst } from "./ring.ts";
import type { ClientBody, ClientConnection, Road } from "./road.ts";
import { settle } from "./settle.ts";
import { talked } from "./talked.ts";
import { walk } from "./walk/walk.ts";

/** The road of one request: auth → routeSelect → (beforeRequest → upstream → afterRequest)* → client → cost. */
export async function travel(
  road: Road,
  exchange: ExchangeState,
  body: ClientBody,
  client: ClientConnection,
): Promise<void> {
  try {
    const admitting = admit(road, exchange, body);
    if (admitting) await admitting;
    const { socket, talk } = exchange.endpoint;
    if ((socket || talk) && !client.takeOver) throw notAsked(exchange);
    const own = servedBy(exchange, road.settings);
    const served = own instanceof Promise ? await own : own;
    if (served) serve(road, exchange, served, client);
    else if (talk) await talked(road, exchange, talk, client);
    else {
      const route = selectRoute(road, exchange);
      exchange.route = route instanceof Promise ? await route : route;
      if (exchange.keepsBody && !exchange.request) await keepBody(road, exchange, body);
      const result = await walk({ road, body, client }, exchange, exchange.route);
      const { branch } = result;
      if (branch) exchange.inform(branch);
      const delivered = answerWith(road, branch ?? exchange, result, client);
      if (delivered) await delivered;
      if (branch) exchange.join(branch);
    }
  } catch (cause) {
    refuse(road, exchange, client, failureIn(road, exchange, cause), cause);
  }
  exchange.endedAt = exchange.elapsed();
  const settling = settle(road, exchange);
  if (settling) await settling;
  if (!exchange.background) return;
  for (const one of exchange.background) one.leftAlone();
  // One that goes on in the background may begin another.
  for (const one of exchange.background) {
    one.leftAlone();
    await one.done;
  }
}

const notAsked = ({ endpoint }: ExchangeState) =>
  new GatewayError("invalid_request", `${endpoint.path} is a websocket: ask for an upgrade to "websocket".`);

/** Reads a body that would be streamed on. One that is too large, or does not say how large it is, is not kept. */
async function keepBody(road: Road, exchange: ExchangeState, body: ClientBody): Promise<void> {
  const { contentLength = Number.POSITIVE_INFINITY } = body;
  // Uploads go to one provider, once (inference-api.md section 16.1).
  if (exchange.endpoint.procedure?.takes === "upload") return;
  if (contentLength === 0 || contentLength > road.settings.jsonBodyBytes) return;
  body.bytes = await readBody(body, bodyTerms(road, exchange, "jsonBodyBytes"));
  exchange.bodyReadAt = exchange.elapsed();
}

/** Gives the client what the walk came to, and keeps what became known of it. */
function answerWith(
  road: Road,
  exchange: ExchangeState,
  result: Result,
  client: ClientConnection,
): Promise<void> | undefined {
  if (result.kind === "whole" && result.answer) exchange.answer = result.answer;
  return deliver(road, exchange, result, client);
}

/** What the gateway answers itself. */
function serve(road: Road, exchange: ExchangeState, served: Served, client: ClientConnection): void {
  const { status, headers } = served;
  const text = Buffer.from(servedText(exchange, served));
  const bytes = served.text === undefined ? indented(exchange.url, text) : text;
  exchange.status = status;
  exchange.ending = status < 400 ? "complete" : "error";
  const own = { "content-type": "application/json", ...headers, "content-length": bytes.length };
  const all = responseHeaders(exchange, road.settings.headerPrefixes, own);
  client.head(status, status < 400 ? all : identified(exchange, road.formats, all));
  client.end(bytes);
}

export function selectRoute(road: Road, exchange: ExchangeState): Route | Promise<Route> {
  const selected = ringFirst(road.hooks.routeSelect, exchange);
  if (selected instanceof Promise) return selected.then((route) => route ?? noRoute(road, exchange));
  return selected ?? noRoute(road, exchange);
}

function noRoute({ settings }: Road, { headers }: ExchangeState): never {
  const [prefix] = settings.headerPrefixes;
  // The model of a form is the vendor's own name for it (inference-api.md section 13).
  const byModel = /^multipart\//i.test(headers["content-type"] ?? "") ? "" : ', or as model "provider/model"';
  throw new GatewayError(
    "provider_missing",
    `No provider: name one in ${prefix}provider or ${prefix}config${byModel}.`,
  );
}

/** A request that ends before any target answered. */
function refuse(
  road: Road,
  exchange: ExchangeState,
  client: ClientConnection,
  failure: GatewayError,
  cause: unknown,
): void {
  const { cancelled, reason } = exchange.cancellation;
  const error = cancelled ? reason : failure;
  if (error.code === "client_gone") {
    exchange.ending = "client-gone";
    exchange.status = 499;
    client.destroy();
    return;
  }
  exchange.ending = "error";
  exchange.status = error.status;
  if (error.row.exception) road.log.error("request failed", { request: exchange.id, error: cause });
  if (client.headSent) return client.destroy();
  const { endpoint } = exchange;
  const manages = endpoint.errors === "management";
  const body = gatewayErrorBody(error, manages ? "E" : undefined);
  const rendered = Object.assign(
    renderError(road.formats.get(endpoint.format ?? ""), body, error.status, waitOf(error)),
    // As all answers of that surface have it (control-plane.md section 1.1).
    manages && { contentType: "application/json; charset=utf-8" },
  );
  const headers = responseHeaders(exchange, road.settings.headerPrefixes, errorHeaders(error, rendered));
  identified(exchange, road.formats, headers);
  if (error.row.exception) tellException(exchange, road.settings.headerPrefixes, headers);
  if (error.code === "draining") headers.connection = "close";
  const bytes = indented(exchange.url, rendered.bytes);
  exchange.reply = { headers, bytes };
  client.head(error.status, { ...headers, "content-length": bytes.length });
  client.end(bytes);
}
