import { gatewayErrorBody } from "../../errors/error-body.ts";
import type { GatewayError } from "../../errors/gateway-error.ts";
import type { Target } from "../../model/route.ts";
import { timerFor } from "../../time/longest-timer.ts";
import type { ExchangeState } from "../exchange-state.ts";
import type { Road } from "../road.ts";
import { clientHeaders } from "./client-headers.ts";
import { tooLarge } from "./collect.ts";
import type { Reply } from "./conversation.ts";
import { outcomeOf } from "./outcome.ts";
import { framingOf } from "./raw-usage.ts";
import { renderError } from "./render.ts";
import type { Result } from "./result.ts";

/**
 * Waits for the first bytes of an answer that goes on as it comes, or for its end: until then nothing has been sent, and
 * the attempt may still fail. Gives what the client gets instead where the vendor broke off after the head of a refusal;
 * rejects where it was that of a success. Undefined where there is nothing to wait for.
 */
export function withoutBytes(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  reply: Reply,
): Promise<Result | undefined> | undefined {
  const { conversation } = reply;
  refuseTooLong(road, exchange, target, reply);
  if (conversation.begun === "begun") return undefined;
  const begun = conversation.begun ? Promise.resolve() : firstOrSilence(road, exchange, reply);
  return begun.then(() => {
    const { begun } = conversation;
    if (begun === undefined || begun === "begun") return undefined;
    if (reply.status < 300 || exchange.cancellation.cancelled) throw begun;
    return wordless(road, exchange, target, reply, begun);
  });
}

/** Throws where a host that a caller named says that it sends more than is taken of one (operations.md section 9.6). */
function refuseTooLong({ settings }: Road, { method }: ExchangeState, { provider }: Target, reply: Reply): void {
  const limit = settings.upstreamBodyBytes;
  // The length of what is not sent is no length of anything.
  if (!provider.untrustedHost || method === "HEAD" || reply.status === 304) return;
  if (!(Number(reply.headers["content-length"]) > limit)) return;
  reply.conversation.abort();
  throw tooLarge(limit);
}

/** Resolves with the first bytes, or where a stream of events has been silent for so long that it is opened (decision 0006). */
function firstOrSilence(
  { settings }: Road,
  { race }: ExchangeState,
  { conversation, headers }: Reply,
): Promise<unknown> {
  const first = conversation.first();
  const { keepAliveComments } = settings;
  if (keepAliveComments === 0 || !framingOf(String(headers["content-type"] ?? ""))) return first;
  return new Promise((resolve) => {
    const open = () => resolve(undefined);
    const opening = setTimeout(race ? () => race.whenAlone(open) : open, timerFor(keepAliveComments));
    void first.then((bytes) => {
      clearTimeout(opening);
      resolve(bytes);
    });
  });
}

/** A refusal without the words of the vendor: the status has said what matters. */
function wordless(road: Road, exchange: ExchangeState, target: Target, reply: Reply, error: GatewayError): Result {
  const rendered = renderError(road.formats.get(exchange.endpoint.format ?? ""), gatewayErrorBody(error), reply.status);
  const passed = clientHeaders(reply.headers, road.settings.headerPrefixes);
  for (const name in passed) if (name.startsWith("content-")) delete passed[name];
  return {
    kind: "whole",
    target,
    outcome: outcomeOf(reply.status, reply.headers),
    headers: Object.assign(passed, rendered.headers, { "content-type": rendered.contentType }),
    bytes: rendered.bytes,
  };
}
