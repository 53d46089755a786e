import { grantableScopes } from "../access/scopes.ts";
import { preparedBy } from "../endpoint-of.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { openBrace, skipSpace, unmarked } from "../json-bytes.ts";
import type { Endpoint } from "../model/endpoint.ts";
import type { Principal } from "../model/principal.ts";
import type { ExchangeState } from "./exchange-state.ts";
import { isJson } from "./request/content-type.ts";
import { type BodyLimit, bodyRead, bodyTerms } from "./request/read-body.ts";
import { formRequest, socketRequest, type WireRequest, wireRequest } from "./request/wire-request.ts";
import { ringFirst } from "./ring.ts";
import type { ClientBody, Road } from "./road.ts";

/** Where requests come to that no endpoint is for. They are answered 404 and recorded, whoever asks. */
export const nowhere: Endpoint = { type: "unknown", method: "*", path: "*", open: true };

/** Who is asking, and what for. A body is read only for those who may ask; an endpoint may make another
 * request of it. A promise only where something takes time. */
export function admit(road: Road, exchange: ExchangeState, body: ClientBody): Promise<void> | undefined {
  try {
    if (exchange.endpoint === nowhere) throw new GatewayError("not_found", "Not Found");
    // Whoever the gateway itself sends something for was let in before.
    const known = exchange.principal ?? ringFirst(road.hooks.auth, exchange);
    return known instanceof Promise
      ? known.then((principal) => admitAs(principal, road, exchange, body))
      : admitAs(known, road, exchange, body);
  } catch (error) {
    // Nobody is answered at once: what else the client has sent may turn out to be no HTTP.
    return Promise.reject(error);
  }
}

function admitAs(
  principal: Principal | undefined,
  road: Road,
  exchange: ExchangeState,
  body: ClientBody,
): Promise<void> | undefined {
  if (!principal && !exchange.endpoint.open) {
    const [prefix] = road.settings.headerPrefixes;
    throw new GatewayError("invalid_api_key", `No valid credential: send one in ${prefix}api-key or authorization.`);
  }
  if (principal) {
    exchange.principal = principal;
    checkScopes(exchange.endpoint, principal);
  }
  exchange.authenticatedAt = exchange.elapsed();
  if (exchange.endpoint.members && !maySayMembers(exchange, body)) goBeside(exchange);
  return takeBody(road, exchange, body);
}

/** Whether a body may turn out to have the members its endpoint is for. */
const maySayMembers = ({ endpoint }: ExchangeState, body: ClientBody): boolean =>
  hasBytes(body) && isJson(typeOf(body, endpoint));

/** Whatever is none has no members. */
function beginsObject(received: Buffer): boolean {
  const bytes = unmarked(received);
  return bytes[skipSpace(bytes, 0)] === openBrace;
}

function goBeside(exchange: ExchangeState): void {
  exchange.leadBeside();
  if (exchange.principal) checkScopes(exchange.endpoint, exchange.principal);
}

function takeBody(road: Road, exchange: ExchangeState, body: ClientBody): Promise<void> | undefined {
  const contentType = typeOf(body, exchange.endpoint);
  const { operation, format, jsonFormat, rawBody, unread, checked, members, prepare, errors } = exchange.endpoint;
  if (!unread) checkContentType(contentType);
  const reads = (operation && !exchange.nitro) || prepare || errors === "management";
  const looksInto = rawBody && !unread && isJson(contentType);
  if (reads || looksInto) refusePacked(exchange.headers);
  const { uploadBodyBytes } = road.settings;
  const reading = (setting: BodyLimit, use: (bytes: Buffer) => void | Promise<void>) =>
    bodyRead(body, bodyTerms(road, exchange, setting), (bytes) => {
      exchange.bodyReadAt = exchange.elapsed();
      return use(bytes);
    });
  const taken = (request: WireRequest) => {
    // Reading the body decodes it, and decoding checks it.
    if (checked) void request.body;
    exchange.request = request;
  };
  if (operation && !exchange.nitro) {
    const client = road.formats.get((isJson(contentType) ? jsonFormat : undefined) ?? format ?? "");
    // A form is held whole: its model says where it goes, and it may have to be sent more than once.
    if (client?.requests === "form")
      return reading("uploadBodyBytes", (bytes) => taken(formRequest(bytes, contentType, client, exchange.said)));
    const said = client?.readUrl ? client.readUrl(exchange.url) : exchange.said;
    return reading("jsonBodyBytes", (bytes) => {
      const request = members && !beginsObject(bytes) ? undefined : wireRequest(bytes, client, said);
      if (request && (!members || members.every((name) => request.keys?.has(name)))) return taken(request);
      goBeside(exchange);
      exchange.request = wireRequest(bytes, undefined);
    });
  }
  if (exchange.endpoint.socket) exchange.request = socketRequest(exchange.url);
  if (prepare)
    return reading("jsonBodyBytes", async (bytes) => {
      exchange.request = wireRequest(bytes, undefined);
      exchange.request = await preparedBy(prepare, exchange, road.settings);
    });
  if (looksInto && hasBytes(body))
    return reading("jsonBodyBytes", (bytes) => {
      exchange.request = wireRequest(bytes, undefined);
    });
  if ((body.contentLength ?? 0) > uploadBodyBytes)
    throw new GatewayError(
      "body_too_large",
      `The body is larger than ${uploadBodyBytes} bytes (server.limits.uploadBodyBytes).`,
    );
  return undefined;
}

/** A principal without scopes may do everything; one with scopes only what they say. */
export function checkScopes(endpoint: Endpoint, principal: Principal): void {
  const { scopes = none, anyScope, method, path } = endpoint;
  if (principal.workspace === undefined && principal.organisation !== undefined) refuseManager(endpoint);
  const held = principal.scopes;
  if (!held) return;
  const missing = scopes.find((scope) => !held.includes(scope));
  const lacks = missing ?? (anyScope?.some((scope) => held.includes(scope)) === false && anyScope.join('" or "'));
  if (lacks)
    throw new GatewayError("forbidden", `This credential may not ${method} ${path}: it lacks the scope "${lacks}".`);
}

const none: readonly string[] = [];

/**
 * A credential of a whole organisation manages: whatever needs a scope that it cannot hold is for those of workspaces
 * (control-plane.md section 2.3).
 */
function refuseManager({ scopes = none, anyScope = none, method, path }: Endpoint): void {
  const its = grantableScopes("organisation-service");
  if ([...scopes, ...anyScope].every((scope) => its.has(scope))) return;
  throw new GatewayError(
    "forbidden",
    `${method} ${path} needs a credential of a workspace; this one is of the organisation, and only manages.`,
  );
}

/** What is looked into has to be readable: packed, a raw call would get past those who limit what it may ask for. */
function refusePacked({ "content-encoding": encoding }: ExchangeState["headers"]): void {
  if (encoding === undefined || /^\s*(?:identity\s*)?$/i.test(encoding)) return;
  throw new GatewayError(
    "content_type_not_accepted",
    `The body is packed (content-encoding: ${encoding}), and bodies are not unpacked here: send it as it is, without that header.`,
    { param: "content-encoding" },
  );
}

/**
 * What a body is, as far as anybody knows. Whoever does not say has nothing but JSON to send to the management API, where a
 * body that is none has no type either, whatever a client says of every request.
 */
function typeOf(body: ClientBody, { jsonAsBytes, errors }: Endpoint): string | undefined {
  const { contentType } = body;
  const unsaid = contentType === undefined || (errors === "management" && !hasBytes(body));
  if (unsaid) return jsonAsBytes || errors === "management" ? json : undefined;
  return jsonAsBytes && contentType === octets ? json : contentType;
}

const json = "application/json";
const octets = "application/octet-stream";

const hasBytes = (body: ClientBody) => body.contentLength !== 0;

/** JSON, forms and sound are what upstreams take (inference-api.md section 1). */
function checkContentType(type: string | undefined): void {
  if (type === undefined || type === json || /^(?:application\/json|multipart\/form-data|audio\/)/i.test(type.trim()))
    return;
  throw new GatewayError(
    "content_type_not_accepted",
    `The content type "${type}" is not accepted: send application/json, multipart/form-data or audio/*.`,
    { param: "content-type" },
  );
}
