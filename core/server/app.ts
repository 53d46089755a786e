import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { gatewayErrorBody } from "../errors/error-body.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Alias, Endpoint } from "../model/endpoint.ts";
import { nowhere } from "../pipeline/admit.ts";
import { endpointFor, rawAmong, rawBeside } from "../pipeline/endpoint-for.ts";
import { type Arrival, ExchangeState } from "../pipeline/exchange-state.ts";
import { shuttingDown } from "../pipeline/leaving.ts";
import { asGatewayError } from "../pipeline/reply/refusals.ts";
import type { Road } from "../pipeline/road.ts";
import { travel } from "../pipeline/travel.ts";
import { timerFor } from "../time/longest-timer.ts";
import type { ClientAddresses } from "./client-address.ts";
import { NodeClient } from "./client-connection.ts";
import { answerFault } from "./client-error.ts";
import { type CrossOrigin, isPreflight } from "./cross-origin.ts";
import { type Health, healthRoutes } from "./health.ts";
import { inOriginForm, meantUrl, urlSays } from "./meant-url.ts";
import { upgrades } from "./upgrade.ts";

export interface AppInput {
  readonly road: Road;
  readonly endpoints: readonly Endpoint[];
  readonly aliases: readonly Alias[];
  readonly health: Health;
  readonly clients: ClientAddresses;
  /** Undefined where no page of another origin may call. */
  readonly crossOrigin: CrossOrigin | undefined;
  /** Told when an exchange begins, and when it is over. */
  readonly began: () => void;
  readonly ended: () => void;
}

/** The client's side of one generation. */
export interface App {
  handle(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

/** The endpoints of one generation, each leading onto the same road. */
export async function createApp(input: AppInput): Promise<App> {
  const arrived: Arrived = (endpoint, request, reply, beside) => {
    reply.hijack();
    serve(input, endpoint, request.raw, reply.raw, { said: urlSays.get(request.raw), beside });
  };
  const app = router(input, arrived);
  app.setErrorHandler((error, _request, reply) => {
    const known = asGatewayError(error);
    void reply.code(known.status).send(gatewayErrorBody(known));
  });
  const lost = (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    if (!isPreflight(request.raw)) serve(input, nowhere, request.raw, reply.raw);
    else if (input.crossOrigin) input.crossOrigin.preflight(request.raw, reply.raw);
    else reply.raw.writeHead(204).end();
  };
  app.setNotFoundHandler(lost);
  // As a route, it is reached before the framework reads a body that nobody wants.
  app.all("*", { onRequest: (request, reply) => lost(request, reply) }, () => undefined);
  healthRoutes(app, input.health);
  await app.ready();
  const posts = plainPosts(input.endpoints);
  let closed = false;
  return {
    handle(request, response) {
      if (closed) return answerFault(shuttingDown(), response);
      const endpoint = request.method === "POST" ? posts.get(request.url ?? "") : undefined;
      if (endpoint) return serve(input, endpoint, request, response);
      const { url = "/" } = request;
      if (url.includes("#")) return serve(input, fragmented, request, response);
      if (url[0] !== "/") request.url = inOriginForm(url);
      app.routing(request, response);
    },
    close() {
      // What still comes, on a connection that was open or waiting to be accepted, is told so in our words.
      closed = true;
      return app.close();
    },
  };
}

/** What a client says that waits to be asked for its body. */
const isToBeAsked = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Where most requests go: endpoints whose URL is their path and nothing else. The framework would find the same ones, with
 * a request and a reply of its own that nobody looks at.
 */
function plainPosts(endpoints: readonly Endpoint[]): Map<string, Endpoint> {
  const alone = byPlace(endpoints).flatMap(([endpoint, ...others]) => (others.length > 0 ? [] : endpoint));
  const plain = alone.filter(({ method, path, url }) => method === "POST" && !url && /^[\w/.-]+$/.test(path));
  return new Map(plain.map((endpoint) => [endpoint.path, endpoint]));
}

/** `beside` is where the request goes if its body is not for the endpoint. */
type Arrived = (endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply, beside?: Endpoint) => void;

/** Which endpoint a method and a path lead to. */
export function router(
  { endpoints, aliases }: Pick<AppInput, "endpoints" | "aliases">,
  arrived: Arrived,
): FastifyInstance {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    // Ids of files may be whole addresses, escaped twice.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 8192 },
    frameworkErrors: (_error, request, reply) => arrived(illegible, request, reply),
    rewriteUrl: (request) => meantUrl(request, aliases),
  });
  for (const sharing of byPlace(endpoints)) {
    const raw = rawAmong(sharing);
    app.route({
      method: methodsOf(sharing[0]),
      url: sharing[0].path,
      // Taken over before the framework looks at the body: the pipeline reads it, once it knows who is asking.
      onRequest(request, reply) {
        const { url = "" } = request.raw;
        const found = endpointFor(sharing, url);
        if (found) arrived(found, request, reply, rawBeside(found, raw, url));
        else reply.callNotFound();
      },
      handler: () => undefined,
    });
  }
  return app;
}

/** Management answers HEAD as it does GET, without the body (control-plane.md section 1.1). */
const methodsOf = ({ method, errors }: Endpoint) =>
  (method === "GET" && errors === "management" ? ["GET", "HEAD"] : method) as "POST";

const refusing = (message: string): Endpoint => ({
  ...nowhere,
  serve() {
    throw new GatewayError("invalid_request", message);
  },
});

/** Where requests come to whose path is none: `/v1/files/%zz`. */
const illegible = refusing("The path of the URL cannot be read: a % in it is followed by no code.");

/** What is behind a `#` stays with clients (RFC 9110 section 7.1): servers differ in what they make of one that came. */
const fragmented = refusing("The URL of a request has no #: write it as %23.");

/** Endpoints share a place where all but one of them say more of their URL than its path. */
function byPlace(endpoints: readonly Endpoint[]): [Endpoint, ...Endpoint[]][] {
  const places = new Map<string, [Endpoint, ...Endpoint[]]>();
  for (const endpoint of endpoints) {
    const key = `${endpoint.method} ${endpoint.path}`;
    const known = places.get(key);
    if (known) known.push(endpoint);
    else places.set(key, [endpoint]);
  }
  return [...places.values()];
}

const nothingMore = {};

function serve(
  input: AppInput,
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
  found: Pick<Arrival, "said" | "beside"> = nothingMore,
): void {
  const { road } = input;
  const { headerPrefixes } = road.settings;
  const socket = endpoint.socket ?? endpoint.talk;
  const exchange = new ExchangeState({
    endpoint,
    method: request.method ?? endpoint.method,
    url: request.url ?? endpoint.path,
    headers: socket?.headers?.(request.headers, headerPrefixes[0]) ?? request.headers,
    remoteAddress: input.clients.addressOf(request),
    viaProxy: input.clients.viaProxy(request),
    said: found.said,
    beside: found.beside,
    headerPrefixes,
  });
  const client = new NodeClient(response, socket && upgrades.get(request));
  input.began();
  let isAnswered = false;
  response.on("close", () => {
    if (!response.writableFinished) exchange.cancellation.cancel();
    else boundRest(request, road.settings.bodyTimeout);
    if (isAnswered) input.ended();
  });
  response.on("error", ignore);
  const length = request.headers["content-length"];
  const body = {
    contentType: request.headers["content-type"],
    contentLength: length === undefined ? unannouncedLength(request) : Number(length),
    stream: request,
    invite: isToBeAsked.test(request.headers.expect ?? "") ? () => response.writeContinue() : undefined,
    taken: false,
  };
  // Who has heard nothing yet is told why; streams and sockets say so in their own words.
  const stay = road.leaving.atTheEnd(() => {
    if (!client.headSent) exchange.cancellation.cancel(shuttingDown());
  });
  // Over is an exchange when its last byte has left, too: a generation that closes before cuts an answer short.
  const answered = () => {
    stay();
    if (response.closed || response.destroyed || client.taken) input.ended();
    else isAnswered = true;
    // By HTTP/2, an answer is over when all of its request has come.
    if (request.httpVersionMajor > 1) boundRest(request, road.settings.bodyTimeout);
  };
  void travel(road, exchange, body, client).then(answered, (error: unknown) => {
    road.log.error("request failed", { request: exchange.id, error });
    client.destroy();
    answered();
  });
}

/** What a socket has to say about a client that is gone has been said by its "close". */
function ignore(): void {}

/**
 * The rest of a body whose request was answered early is read and thrown away by node: closing at once would take the
 * answer from a client that is still sending. A client that never stops is cut off.
 */
function boundRest(request: IncomingMessage, milliseconds: number): void {
  if (milliseconds <= 0 || request.destroyed || request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), timerFor(milliseconds));
  request.once("close", () => clearTimeout(timer));
}

/** Without a length there is a body only when it comes in chunks, or in frames of HTTP/2 behind its headers. */
function unannouncedLength(request: IncomingMessage): number | undefined {
  const comes = isHttp2(request) ? !request.stream.endAfterHeaders : request.headers["transfer-encoding"] !== undefined;
  return comes ? undefined : 0;
}

/** Those by HTTP/2 look like the others but for what those have no word for (`http2-messages.ts`). */
const isHttp2 = (request: IncomingMessage | Http2ServerRequest): request is Http2ServerRequest => "stream" in request;
