import { Readable } from "node:stream";
import { GatewayError } from "../../errors/gateway-error.ts";
import { leadsUpwards, pathBelow, placeOf, withQueryOf } from "../../http/upstream/place-of.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { BoundProvider } from "../../model/provider.ts";
import type { Target } from "../../model/route.ts";
import type { UpstreamCall } from "../../model/transport.ts";
import { clocksOf } from "../clocks-of.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { Conversation, type Reply } from "../reply/conversation.ts";
import type { Road } from "../road.ts";
import { sending } from "./sending.ts";
import { withSignature } from "./upstream-headers.ts";

/** Lets a vendor whose credential covers the call sign it when it is finished: its body with it, unless that is still coming. */
export function signed(
  provider: BoundProvider,
  call: UpstreamCall,
  { metadata }: Pick<ExchangeState, "metadata">,
): UpstreamCall | Promise<UpstreamCall> {
  if (!provider.sign) return call;
  const { method, headers, body } = call;
  const known = body instanceof Readable ? { body: undefined, streamed: true as const } : { body };
  const signature = provider.sign({ method, url: call.origin + call.path, headers, metadata, ...known });
  if (signature instanceof Promise)
    return signature.then((more) => ({ ...call, headers: withSignature(headers, more) }));
  return { ...call, headers: withSignature(headers, signature) };
}

export const upwards = (): GatewayError =>
  new GatewayError("invalid_request", "The path leads upwards (..): name the place itself.", { param: "path" });

/**
 * Where below a base URL a path is. What a provider serves beside its base URL it names with the origin. Throws
 * `invalid_request` where a name in the path would lead out of it: escaping leaves the dots of `..` as they are.
 */
export function addressOf(
  provider: BoundProvider,
  path: string,
  elsewhere?: string,
): Pick<UpstreamCall, "origin" | "path" | "untrustedHost"> {
  const { origin, basePath, baseQuery, untrustedHost } = provider;
  if (elsewhere !== undefined) return { origin: elsewhere, path, untrustedHost };
  if (path.startsWith("http")) return besideBase(provider, path);
  if (path.includes("/..") && leadsUpwards(path)) throw upwards();
  return { origin, path: withQueryOf(pathBelow(basePath, path), baseQuery), untrustedHost };
}

/** Only the host of the base URL is the caller's, where that is, and gets its query. */
function besideBase({ origin, baseQuery, untrustedHost }: BoundProvider, url: string): ReturnType<typeof addressOf> {
  const named = placeOf(url);
  const path = (named.path || "/") + named.query;
  if (named.origin !== origin) return { origin: named.origin, path, untrustedHost: false };
  return { origin, path: withQueryOf(path, baseQuery), untrustedHost };
}

/** Sends a call and waits for its headers. The client going away ends it. */
export function send(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  record: Attempt,
  call: UpstreamCall,
  as: "stream" | "whole" | "raw",
): Promise<Reply> {
  exchange.cancellation.check();
  sending(road, exchange, record);
  record.call = call;
  const conversation = new Conversation({
    clocks: clocksOf(road, exchange, target),
    stream: as === "stream",
    raw: as === "raw",
    attempt: record,
    clock: exchange,
  });
  exchange.cancellation.listen(() => conversation.cancel());
  return conversation.start(target.provider.transport ?? road.transport, call).reply;
}
