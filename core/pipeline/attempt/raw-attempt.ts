import { GatewayError } from "../../errors/gateway-error.ts";
import { leadsUpwards } from "../../http/upstream/place-of.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { BoundProvider, RawAsked } from "../../model/provider.ts";
import type { Target } from "../../model/route.ts";
import type { UpstreamCall } from "../../model/transport.ts";
import type { Witness } from "../../model/witness.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { clientHeaders } from "../reply/client-headers.ts";
import type { Reply } from "../reply/conversation.ts";
import { withoutBytes } from "../reply/first-bytes.ts";
import { outcomeOf } from "../reply/outcome.ts";
import { rawUsage, wholeWitness } from "../reply/raw-usage.ts";
import type { Result } from "../reply/result.ts";
import { unpacked } from "../reply/unpacked.ts";
import { isJson } from "../request/content-type.ts";
import { withoutParameters } from "../request/query-of.ts";
import { bodyTerms, readBody } from "../request/read-body.ts";
import { streamOf, uploadLimits } from "../request/upload.ts";
import type { WireRequest } from "../request/wire-request.ts";
import type { ClientBody, Road } from "../road.ts";
import { safely } from "../safely.ts";
import { askTaps } from "./ask-taps.ts";
import { addressOf, send, signed, upwards } from "./upstream-call.ts";
import { askedHeaders, rawHeaders } from "./upstream-headers.ts";

/** A raw call: method, path, query and bytes as they came; the provider's credentials on top. */
export async function rawAttempt(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  record: Attempt,
  body: ClientBody,
): Promise<Result> {
  const request = rawRequestFor(exchange, target);
  const given = await askTaps(road, exchange, target, record, request);
  if (given) return given;
  const call = await rawCallFor(road, exchange, target, body, request);
  const reply = await send(road, exchange, target, record, call, "raw");
  const waiting = withoutBytes(road, exchange, target, reply);
  const broken = waiting && (await waiting);
  if (broken) return broken;
  const answered = clientHeaders(reply.headers, road.settings.headerPrefixes);
  const length = reply.headers["content-length"];
  if (typeof length === "string") answered["content-length"] = length;
  const witness = witnessOf(road, exchange, record, reply);
  return { kind: "relay", target, outcome: outcomeOf(reply.status, reply.headers), headers: answered, reply, witness };
}

/** Who looks at what passes: whoever counts what was used, and whoever keeps it. */
function witnessOf(road: Road, exchange: ExchangeState, record: Attempt, reply: Reply): Witness | undefined {
  const type = String(reply.headers["content-type"] ?? "");
  const uses = road.used.cost ? safely(road, exchange, () => usageWitness(road, exchange, record, type)) : undefined;
  const keeps = exchange.keepsAnswer && reply.status < 300 && isJson(type) ? exchange.keepsAnswer : undefined;
  const { status } = reply;
  const keeper =
    keeps &&
    safely(road, exchange, () => wholeWitness(road.settings.upstreamBodyBytes, (bytes) => keeps({ status, bytes })));
  const witness = uses && keeper ? both(uses, keeper) : (uses ?? keeper);
  const encoding = String(reply.headers["content-encoding"] ?? "");
  return witness && unpacked(witness, encoding, road.settings.upstreamBodyBytes);
}

/** Of raw calls only those that put a model to work use anything. */
function usageWitness({ formats }: Road, exchange: ExchangeState, record: Attempt, type: string): Witness | undefined {
  const { endpoint, method } = exchange;
  if (endpoint.procedure) return endpoint.procedure.witness?.(exchange, record);
  if (endpoint.witness) return endpoint.witness(exchange, record, type);
  return method === "POST" ? rawUsage(record, type, formats, formats.get(endpoint.format ?? "")) : undefined;
}

const both = (one: Witness, other: Witness): Witness => ({
  see(bytes) {
    one.see(bytes);
    other.see(bytes);
  },
  async end(whole) {
    await Promise.all([one.end(whole), other.end(whole)]);
  },
});

/** The call a raw request becomes. Nothing is sent yet, but a body that is not held in memory counts as taken. */
export async function rawCallFor(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  body: ClientBody,
  request = rawRequestFor(exchange, target),
): Promise<UpstreamCall> {
  const { provider } = target;
  const { headerPrefixes, ignoredHeaders } = road.settings;
  const own = typeof provider.headers === "function" ? await provider.headers() : provider.headers;
  const asked = askedHeaders(exchange, target, headerPrefixes);
  const headers = rawHeaders(exchange, provider, own, asked, headerPrefixes, ignoredHeaders);
  const path = exchange.nitro ? nitroPath(exchange, provider) : rawPath(ownUrl(exchange), provider.proxyPath, exchange);
  const address = addressOf(provider, path);
  const known = request?.rawBytes ?? body.bytes;
  const bytes = known ?? (provider.sign && hasBody(body) ? await wholeBody(road, exchange, body) : undefined);
  const streamed = bytes === undefined && hasBody(body) ? body : undefined;
  if (streamed?.contentLength !== undefined) headers["content-length"] = String(streamed.contentLength);
  const call = { method: exchange.method, ...address, headers };
  return streamed
    ? { ...call, body: streamOf(streamed, uploadLimits(road)) }
    : signed(provider, { ...call, body: bytes && bytes.length > 0 ? bytes : undefined }, exchange);
}

/** The body that was read, as the target has it; undefined where it goes on unread. */
function rawRequestFor({ request }: ExchangeState, target: Target): WireRequest | undefined {
  return request && shapedFor(target, request as WireRequest);
}

/** A config shapes what it can look into: JSON objects. */
export function shapedFor({ shape, model }: Target, request: WireRequest): WireRequest {
  const shaped = shape && isObject(request) ? request.shaped(shape) : request;
  return model === undefined ? shaped : shaped.withModel(model);
}

function isObject(request: WireRequest): boolean {
  if (!request.bytes || request.bytes.length === 0) return false;
  const { json } = request;
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** What nitro mode is for (inference-api.md section 22.3). */
const nitroTypes: ReadonlySet<string> = new Set(["chatComplete", "embed", "messages", "createModelResponse"]);

/** Where a provider serves the client's own format: in nitro mode nothing can be translated. */
function nitroPath({ endpoint, said }: ExchangeState, provider: BoundProvider): string {
  if (said?.model !== undefined)
    throw new GatewayError(
      "invalid_request",
      "Nitro mode sends bodies unread, and the URL names the model: leave it out, or ask below /v1.",
      { param: "nitro-mode" },
    );
  if (!nitroTypes.has(endpoint.type))
    throw new GatewayError("invalid_request", `There is no nitro mode for ${endpoint.type}: leave it out.`, {
      param: "nitro-mode",
    });
  const specs = endpoint.operation && provider.operations[endpoint.operation];
  const path = specs?.find(({ format }) => format === endpoint.format)?.path;
  if (typeof path === "string") return path;
  throw new GatewayError(
    "invalid_request",
    `Nitro mode sends bodies unread, and ${provider.name} does not take the format ${endpoint.format}: leave it out.`,
    { param: "nitro-mode" },
  );
}

/** Without an announced length a body comes in chunks, whether or not the client says what it is. */
const hasBody = ({ contentLength }: ClientBody): boolean => contentLength === undefined || contentLength > 0;

/** A credential that covers the body is made from all of it. */
async function wholeBody(road: Road, exchange: ExchangeState, body: ClientBody): Promise<Buffer> {
  if (body.taken) throw new GatewayError("internal", "A streamed request body cannot be sent twice.");
  body.bytes = await readBody(body, bodyTerms(road, exchange, "uploadBodyBytes"));
  return body.bytes;
}

/** The URL as vendors know it, without what carried the credential for the gateway. */
export function ownUrl({ url: asked, principal, endpoint }: ExchangeState): string {
  const url = endpoint.rawUrl ? endpoint.rawUrl(asked) : asked;
  return principal?.credentialParameters ? withoutParameters(url, principal.credentialParameters) : url;
}

/** The path a vendor sees: without the gateway's `/v1/proxy` or `/v1`; a doubled `/v1` counts once. */
export function rawPath(url: string, own: BoundProvider["proxyPath"], asked?: RawAsked): string {
  const path = url.replace(/^(?:\/v1)+\/proxy(?=[/?]|$)/, "").replace(/^(?:\/v1)+(?=[/?]|$)/, "");
  const rooted = path.startsWith("/") ? path : `/${path}`;
  if (leadsUpwards(rooted)) throw upwards();
  return own ? own(rooted, asked) : rooted;
}
