import { GatewayError } from "../errors/gateway-error.ts";
import type { Endpoint, Principal } from "../model/exchange.ts";
import type { ExchangeState } from "./exchange-state.ts";
import { readBody } from "./read-body.ts";
import { ringFirst } from "./ring.ts";
import type { ClientBody, Road } from "./road.ts";
import { formRequest, type WireRequest, wireRequest } from "./wire-request.ts";

/** Who is asking, and what for. A body is read only for those who may ask. A promise only where something takes time. */
export function admit(road: Road, exchange: ExchangeState, body: ClientBody): Promise<void> | undefined {
  try {
    const known = ringFirst(road.hooks.auth, exchange);
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
  if (!principal) {
    const [prefix] = road.settings.headerPrefixes;
    throw new GatewayError("invalid_api_key", `No valid credential: send one in ${prefix}api-key or authorization.`);
  }
  exchange.principal = principal;
  checkScopes(exchange.endpoint, principal);
  const { contentType } = body;
  checkContentType(contentType);
  const { operation, format, rawBody, checked } = exchange.endpoint;
  const { jsonBodyBytes, uploadBodyBytes, bodyTimeout } = road.settings;
  const taken = (request: WireRequest) => {
    // Reading the body decodes it, and decoding checks it.
    if (checked) void request.body;
    exchange.request = request;
  };
  if (operation && !exchange.nitro) {
    const client = road.formats.get(format ?? "");
    // A form is held whole: its model says where it goes, and it may have to be sent more than once.
    if (client?.requests === "form")
      return readBody(body, uploadBodyBytes, bodyTimeout, exchange.cancellation, "uploadBodyBytes").then((bytes) =>
        taken(formRequest(bytes, contentType, client)),
      );
    return readBody(body, jsonBodyBytes, bodyTimeout, exchange.cancellation).then((bytes) =>
      taken(wireRequest(bytes, client, client?.readUrl?.(exchange.url))),
    );
  }
  if (rawBody && isJson(contentType) && hasBytes(body))
    return readBody(body, jsonBodyBytes, bodyTimeout, exchange.cancellation).then((bytes) => {
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
function checkScopes({ scopes, method, path }: Endpoint, principal: Principal): void {
  if (!scopes || !principal.scopes) return;
  const missing = scopes.find((scope) => !principal.scopes?.includes(scope));
  if (missing === undefined) return;
  throw new GatewayError("forbidden", `This credential may not ${method} ${path}: it lacks the scope "${missing}".`);
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
