import { asReadIn, withMembers } from "../../codec-kit/exact-json.ts";
import { GatewayError, raise } from "../../errors/gateway-error.ts";
import { holdsAnyOf } from "../../holds-any-of.ts";
import { isHeaderValue, unsendable } from "../../http/header-shapes.ts";
import type { Format, StreamUsage, WireBody } from "../../model/format.ts";
import type { Headers } from "../../model/headers.ts";
import type { OperationSpec } from "../../model/operation-spec.ts";
import type { BoundProvider } from "../../model/provider.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { appended } from "../reply/asides.ts";
import { jsonBytes } from "../request/long-texts.ts";
import type { Prepared } from "../request/prepared.ts";
import { saysTrue } from "../request/says-true.ts";
import { asSent } from "../request/sent-body.ts";
import type { WireRequest } from "../request/wire-request.ts";
import type { Road } from "../road.ts";
import { askingFor } from "../stream/hidden-usage.ts";
import { isStrictAt } from "../strictness.ts";
import { type Choosing, chosenOperation } from "./chosen-operation.ts";
import { hasWordsOf } from "./own-words.ts";
import { drop, purposeFields, shape, shorten } from "./shape.ts";
import { hasUnknownTools } from "./unknown-tools.ts";
import { type Telling, written } from "./written.ts";

/** The way a provider offers an operation to a request. */
export function operationOf(
  { operations }: BoundProvider,
  request: WireRequest,
  more?: Pick<Choosing, "headers" | "preferred" | "dialectOf">,
): OperationSpec | undefined {
  const { operation, format = "", model = "" } = request;
  const specs = operation && operations[operation];
  return specs && chosenOperation(specs, { format, model, request, ...more });
}

/** The format that a client asks for where its own is not spoken (inference-api.md section 12). */
function preferredBy({ gatewayHeaders }: ExchangeState, { elsewhere }: Format): string | undefined {
  const words = elsewhere && gatewayHeaders.get("beta")?.split(",");
  return words?.some((word) => word.trim() === elsewhere?.beta) ? elsewhere?.format : undefined;
}

/** Who serves an operation for some models only says why this one is none of them. */
function unsupported(
  { endpoint }: ExchangeState,
  { name, operations, whyNot }: BoundProvider,
  { operation, model }: WireRequest,
): string {
  const known = operation !== undefined && operations[operation] !== undefined && model !== undefined;
  if (!known) return `${endpoint.type} is not supported by ${name}.`;
  const why = whyNot?.(operation, model);
  return `${endpoint.type} is not supported by ${name} for the model "${model}"${why === undefined ? "" : `: ${why}`}.`;
}

/** What nobody knows of a vendor, it may know: it is asked as the client asks. */
function asEverywhere({ everywhere, upstream, name }: Format, provider: BoundProvider): OperationSpec | undefined {
  const path = upstream?.path;
  if (!everywhere || typeof path !== "string") return undefined;
  if (everywhere !== true && !speaks(provider, everywhere.whoSpeaks)) return undefined;
  const { proxyPath } = provider;
  return { format: name, path: proxyPath ? proxyPath(path) : path };
}

/** How a provider is asked what a client of a format asks. Throws `endpoint_unsupported`. */
function specFor(exchange: ExchangeState, provider: BoundProvider, client: Format, asked: WireRequest): OperationSpec {
  const { dialectOf } = client;
  const choosing = { headers: exchange.headers, preferred: preferredBy(exchange, client), dialectOf };
  return (
    operationOf(provider, asked, choosing) ??
    asEverywhere(client, provider) ??
    raise("endpoint_unsupported", unsupported(exchange, provider, asked))
  );
}

/** Whether a provider speaks a format, whatever for. */
export const speaks = ({ operations }: BoundProvider, format: string): boolean =>
  Object.values(operations).some((specs) => specs.some((spec) => spec.format === format));

/** How a request goes to a provider, besides what it says. */
export interface Manner {
  /** Tools keep their names: the answer is read apart from the request, by who does not know what they were called instead. */
  readonly apart?: boolean;
  /** What a target says of that; a client that is not strict is not, whatever it says. */
  readonly strict?: boolean | undefined;
}

/** Writes the body for a provider: the client's own bytes where nothing has to change, a translation where it must. */
export function prepare(
  road: Road,
  exchange: ExchangeState,
  provider: BoundProvider,
  request: WireRequest,
  manner: Manner = {},
): Prepared {
  const client = formatNamed(road, request.format);
  const meant = meantBy(provider, request);
  const spec = specFor(exchange, provider, client, meant);
  const upstream = formatNamed(road, spec.format);
  const model =
    request.model ??
    spec.defaultModel ??
    client.defaultModel ??
    raise("invalid_request", "model is required.", { param: "model" });
  const named = spec.model ? request.withModel(spec.model(model)) : meant;
  const isOther = client !== upstream || hasUnknownTools(request, client, spec);
  const encoded =
    isOther || !request.bytes || holdsBorrowed(request, model, upstream) || holdsSigned(request, spec)
      ? written({ client, upstream, spec, translated: isOther }, named, toldTo(exchange, manner))
      : undefined;
  const translated = encoded?.translated ?? false;
  const shared = { spec, upstream, client, model, stream: request.stream, translated, asked: request.rewritten };
  const told = spec.metadata?.(exchange.metadata);
  const usage = askingFor(shared, spec);
  const passed = encoded || told ? undefined : passedThrough(named, spec, exchange, usage);
  if (passed) {
    const { formType, peeked } = request;
    const hidesUsage = usage !== undefined && peeked?.keys.has(usage.member) !== true;
    const body = { body: passed, path: pathOf(shared, () => peeked?.keys), hidesUsage, ...shared };
    return formType === undefined ? body : { ...body, headers: { "content-type": formType } };
  }

  const dropped = encoded?.dropped ?? new Set<string>();
  const wire = encoded?.wire ?? copyOf(named);
  if (spec.headerFields) giveHeaders(wire, spec.headerFields, exchange);
  for (const name in told) wire[name] = { ...told[name], ...recordIn(wire[name]) };
  const headerWords = spec.bodyHeaders && shared.translated ? takeWords(wire, spec.bodyHeaders) : undefined;
  const headers = spec.bodyHeaders && takeHeaders(wire, spec.bodyHeaders);
  if (spec.dropsOfOwn && hasWordsOf(client, upstream)) drop(wire, spec.dropsOfOwn, dropped, spec.format);
  if (spec.most && !hasWordsOf(client, upstream)) shorten(wire, spec.most, dropped);
  const asking = usage?.asking(wire[usage.member]);
  if (usage && asking !== undefined) wire[usage.member] = asking;
  const shaped = shape(wire, spec, dropped);
  if (dropped.size > 0) declareLoss(exchange, provider, dropped);
  const gathers = !request.stream && spec.streamsOnly?.(shaped) === true && upstream.decodeStream !== undefined;
  if (gathers) shaped.stream = true;
  const said = asSent(upstream, shaped);
  const path = pathOf(shared, () => new Set(Object.keys(said)), said);
  if (upstream.writeBody) return otherBody(upstream.writeBody(said), path, shared, headers);
  const hidesUsage = asking !== undefined;
  const body = jsonBytes(request.read ? asReadIn(request.read, said) : said, request.longTexts);
  return Object.assign(
    { body, path, hidesUsage, ...shared },
    headers && { headers },
    gathers && { gathers },
    headerWords && { headerWords },
    encoded?.names,
  );
}

/** The same request for the model behind the name it has, where the vendor was asked for that: the path keeps the name. */
function meantBy({ findModel, modelBehind }: BoundProvider, request: WireRequest): WireRequest {
  const { model } = request;
  return findModel && modelBehind && model !== undefined ? request.withModel(modelBehind(model)) : request;
}

/** A body that is not JSON, with what its vendor wants in the query. */
function otherBody(
  { bytes, contentType, headers, query }: WireBody,
  path: string,
  shared: Omit<Prepared, "body" | "path">,
  more: Headers | undefined,
): Prepared {
  return Object.assign(
    {
      body: bytes,
      path: query ? `${path}${path.includes("?") ? "&" : "?"}${query}` : path,
      headers: { ...more, ...headers, "content-type": contentType },
    },
    shared,
  );
}

/** Where a call goes. The fields of its body are only looked at where that is not always the same. */
function pathOf(
  { spec, model, stream }: Pick<Prepared, "spec" | "model" | "stream">,
  fields: () => ReadonlySet<string> | undefined,
  body?: Readonly<Record<string, unknown>>,
): string {
  if (typeof spec.path === "string") return spec.path;
  return spec.path({ model, stream: stream && !spec.whole, fields: fields() ?? noFields, ...(body && { body }) });
}

const noFields: ReadonlySet<string> = new Set();

/** The client's bytes, with at most the model exchanged inside them; undefined when a table of the provider applies. */
function passedThrough(
  request: WireRequest,
  spec: OperationSpec,
  exchange: ExchangeState,
  usage: StreamUsage | undefined,
): Buffer | undefined {
  const { bytes, peeked } = request;
  if (!bytes || !peeked) return undefined;
  if (spec.whole && peeked.keys.has("stream")) return undefined;
  if (spec.drops && hasAny(peeked.keys, spec.drops)) return undefined;
  if (spec.dropsOfOwn && hasAny(peeked.keys, spec.dropsOfOwn)) return undefined;
  if (spec.renames && hasAny(peeked.keys, Object.keys(spec.renames))) return undefined;
  if (spec.purposes && (hasAny(peeked.keys, purposeFields) || peeked.keys.has(spec.purposes.field))) return undefined;
  for (const header in spec.headerFields) if (saidInHeader(exchange, header) !== undefined) return undefined;
  if (spec.bodyHeaders && hasAny(peeked.keys, Object.keys(spec.bodyHeaders))) return undefined;
  if (spec.clamps && hasAny(peeked.keys, Object.keys(spec.clamps))) return undefined;
  if (spec.defaults && !Object.keys(spec.defaults).every((name) => peeked.keys.has(name))) return undefined;
  const sent = usage ? withUsage(request, usage) : request.ownBytes;
  return spec.rewrite && sent && holdsAnyOf(spec.rewrite.when, sent) ? undefined : sent;
}

/** The client's bytes where they ask for usage, or say nothing of it and can have it said behind the rest. */
function withUsage(request: WireRequest, { member, asking }: StreamUsage): Buffer | undefined {
  if (request.peeked?.keys.has(member))
    return asking((request.json as Record<string, unknown>)[member]) === undefined ? request.ownBytes : undefined;
  const { ownBytes } = request;
  return ownBytes && appended(ownBytes, { [member]: asking(undefined) });
}

function holdsBorrowed({ bytes, peeked }: WireRequest, model: string, { borrowed, borrows }: Format): boolean {
  if (!bytes) return false;
  if (borrowed && holdsAnyOf(borrowed, bytes)) return true;
  return borrows?.(bytes, { model, keys: peeked?.keys }) ?? false;
}

/** Whether there may be proofs of thinking that a vendor with proofs of its own cannot verify. */
const holdsSigned = ({ bytes }: WireRequest, { signer }: OperationSpec): boolean =>
  signer !== undefined && bytes !== undefined && holdsAnyOf(signed, bytes);

const signed = ['"signature"', '"redacted_thinking"'];

function hasAny(keys: ReadonlySet<string>, names: readonly string[]): boolean {
  for (const name of names) if (keys.has(name)) return true;
  return false;
}

const copyOf = ({ json, model }: WireRequest): Record<string, unknown> =>
  withMembers(json as Record<string, unknown>, { model });

const toldTo = (exchange: ExchangeState, manner: Manner): Telling => ({
  apart: manner.apart === true,
  strict: isStrictAt(exchange, manner),
});

/** Moves fields out of the body into headers. */
function takeHeaders(wire: Record<string, unknown>, table: Readonly<Record<string, string>>): Headers {
  const headers: Record<string, string> = {};
  for (const [field, header] of Object.entries(table)) {
    const value = wire[field];
    if (typeof value === "string" || Array.isArray(value)) headers[header] = sendable([value].flat().join(","), field);
    delete wire[field];
  }
  return headers;
}

/** Text for a header; what no header can hold would be told as a connection that failed. */
function sendable(text: string, param: string): string {
  if (isHeaderValue(text)) return text;
  throw new GatewayError("invalid_request", `${param} goes to the vendor as a header, and ${unsendable}.`, { param });
}

/** Moves lists out of a body that was written here: they are joined with what the headers say anyway. */
function takeWords(wire: Record<string, unknown>, table: Readonly<Record<string, string>>): Headers | undefined {
  let words: Record<string, string> | undefined;
  for (const [field, header] of Object.entries(table)) {
    const value = wire[field];
    if (!Array.isArray(value)) continue;
    words ??= {};
    words[header] = sendable(value.join(","), field);
    delete wire[field];
  }
  return words;
}

/** Moves headers of the client into the body. */
function giveHeaders(
  wire: Record<string, unknown>,
  table: Readonly<Record<string, string>>,
  exchange: ExchangeState,
): void {
  for (const [header, field] of Object.entries(table)) {
    const said = saidInHeader(exchange, header);
    if (said !== undefined) wire[field] ??= said;
  }
}

/** With the gateway's prefix or without it (inference-api.md section 3.5). */
const saidInHeader = ({ headers, gatewayHeaders }: ExchangeState, name: string): string | string[] | undefined =>
  headers[name] ?? gatewayHeaders.get(name);

const recordIn = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});

/** Loss is never silent: it is named in a response header, or refused when the client asked for that. */
export function declareLoss(exchange: ExchangeState, provider: BoundProvider, dropped: ReadonlySet<string>): void {
  const names = [...dropped].sort();
  if (saysTrue(exchange, "strict-params"))
    throw new GatewayError("params_dropped", `${provider.name} cannot take ${names.join(", ")}.`, {
      errors: names.map((name) => `path: ${name}, message: not supported by ${provider.name}`),
    });
  for (const name of names) exchange.droppedParams.add(name);
}

export const formatNamed = (road: Road, name: string | undefined): Format =>
  road.formats.get(name ?? "") ??
  raise("internal", `No plugin provides the format "${name}": add format-${name} to the plugins of the config file.`);
