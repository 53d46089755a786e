import { STATUS_CODES } from "node:http";
import { readErrorBody } from "../../codec-kit/error-body.ts";
import { jsonOr } from "../../codec-kit/records.ts";
import { upstreamErrorBody } from "../../errors/error-body.ts";
import type { ErrorDetail } from "../../errors/error-detail.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { Headers } from "../../model/headers.ts";
import type { Vendor, VendorCall, VendorReply } from "../../model/procedure.ts";
import type { BoundProvider } from "../../model/provider.ts";
import type { Target } from "../../model/route.ts";
import type { UpstreamCall } from "../../model/transport.ts";
import { withoutQuoted } from "../../secrets/quoted-secrets.ts";
import { clocksOf } from "../clocks-of.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { collect, collectError } from "../reply/collect.ts";
import { Conversation, type Reply } from "../reply/conversation.ts";
import { bytesOf } from "../reply/reply-bytes.ts";
import { sentSecrets } from "../request/added-headers.ts";
import type { Road } from "../road.ts";
import { lineCodec } from "./line-codec.ts";
import { declareLoss } from "./prepare.ts";
import { sending } from "./sending.ts";
import { addressOf, signed } from "./upstream-call.ts";
import { askedHeaders, filterHeaders, unifiedHeaders } from "./upstream-headers.ts";

/** A vendor's refusal of one of the calls of a procedure: what the client gets. */
export class VendorRefusal extends Error {
  override readonly name = "VendorRefusal";
  readonly status: number;
  readonly headers: VendorReply["headers"];
  readonly body: Record<string, unknown>;
  readonly reason: string | undefined;

  constructor(status: number, headers: VendorReply["headers"], body: Record<string, unknown>, detail?: ErrorDetail) {
    super(`The vendor answered ${status}.`);
    this.status = status;
    this.headers = headers;
    this.body = body;
    const reason = detail?.code ?? detail?.type;
    this.reason = reason === undefined ? undefined : String(reason);
  }
}

/** The vendor of an attempt, for its procedures. */
export function vendorFor(road: Road, exchange: ExchangeState, target: Target, record: Attempt): Vendor {
  const { provider, model } = target;
  return {
    name: provider.name,
    model: model ?? exchange.request?.model,
    now: Math.floor(exchange.receivedAt / 1000),
    metadata: exchange.metadata,
    place: (path) => (provider.proxyPath ? provider.proxyPath(path) : path),
    report: (dropped) => declareLoss(exchange, provider, new Set([dropped])),
    call: (call) => answered(road, exchange, target, record, call),
    ...lineCodec(road, exchange, target),
  };
}

async function answered(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  record: Attempt,
  call: VendorCall,
): Promise<VendorReply> {
  if (!call.afterwards) exchange.cancellation.check();
  const { provider } = target;
  const ready = await callFor(road, exchange, target, call);
  sending(road, exchange, record);
  const conversation = new Conversation({
    clocks: clocksOf(road, exchange, target),
    stream: false,
    attempt: record,
    clock: exchange,
  });
  const forget = call.afterwards ? () => undefined : exchange.cancellation.add(() => conversation.cancel());
  const reply = await conversation.start(provider.transport ?? road.transport, ready).reply.catch((error: unknown) => {
    forget();
    throw error;
  });
  const read = replyFor(reply, provider, road.settings.upstreamBodyBytes, forget);
  if (reply.status >= 200 && reply.status <= 299) return read;
  const text = await collectError(reply, (said) => withoutQuoted(said, sentSecrets(provider, record))).finally(forget);
  throw refusalOf(reply, text, provider, call);
}

function refusalOf({ status, headers }: Reply, text: string, provider: BoundProvider, call: VendorCall): VendorRefusal {
  const wire = jsonOr(text, { "html-message": text });
  const detail =
    provider.readError?.(status, wire, headers) ??
    call.readError?.(text) ??
    readErrorBody(wire) ??
    // An answer without a body says it all with its status.
    (text.trim() === "" ? { message: STATUS_CODES[status] ?? `status ${status}` } : undefined);
  return new VendorRefusal(status, headers, upstreamErrorBody(provider.name, wire, detail), detail);
}

function replyFor(reply: Reply, { name }: BoundProvider, limit: number, forget: () => void): VendorReply {
  const text = async () => {
    const bytes = await collect(reply, limit).finally(forget);
    return bytes.toString();
  };
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    async json() {
      const wire = jsonOr(await text(), undefined);
      if (typeof wire === "object" && wire !== null && !Array.isArray(wire)) return wire as Record<string, unknown>;
      throw new GatewayError("upstream_invalid", `${name} answered with something that is not a JSON object.`);
    },
    async *bytes() {
      try {
        yield* bytesOf(reply);
      } finally {
        forget();
      }
    },
  };
}

async function callFor(road: Road, exchange: ExchangeState, target: Target, call: VendorCall): Promise<UpstreamCall> {
  const { provider } = target;
  const { method, body: given, json } = call;
  const body = json === undefined ? given : Buffer.from(JSON.stringify(json));
  const path = withQuery(call.path, call.query);
  const address = addressOf(provider, path);
  const headers = await headersFor(road, exchange, target, call, json !== undefined);
  if (call.as === "stranger") {
    if (!road.acceptsHost(address.origin))
      throw new GatewayError("address_blocked", `${provider.name} named an address that is not allowed.`);
    return { method, ...address, untrustedHost: true, headers, body };
  }
  if (call.as === "signed") return { method, ...address, headers, body };
  return signed(provider, { method, ...address, headers, body }, exchange);
}

async function headersFor(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  call: VendorCall,
  isJson: boolean,
): Promise<Headers> {
  if (call.as !== undefined) return headersOf(call.headers, {});
  const { provider } = target;
  const credentials = typeof provider.headers === "function" ? await provider.headers() : provider.headers;
  const forwarded = askedHeaders(exchange, target, road.settings.headerPrefixes);
  const { "content-type": type, ...own } = unifiedHeaders(exchange, provider, credentials, forwarded);
  if (provider.headerFilters) filterHeaders(own, provider.headerFilters);
  // Calls without a body have no type: some signatures would cover it.
  return headersOf(call.headers, isJson ? { ...own, "content-type": type ?? "application/json" } : own);
}

const headersOf = (said: VendorCall["headers"], own: Headers): Headers =>
  typeof said === "function" ? said(own) : { ...own, ...said };

function withQuery(path: string, query: VendorCall["query"]): string {
  const said = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (said.length === 0) return path;
  const text = said
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join("&");
  return `${path}${path.includes("?") ? "&" : "?"}${text}`;
}
