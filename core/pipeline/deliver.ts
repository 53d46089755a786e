import { readJson, writeJson } from "../codec-kit/exact-json.ts";
import type { ErrorDetail } from "../errors/error-detail.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Outcome } from "../model/route.ts";
import type { Witness } from "../model/witness.ts";
import { Session } from "./attempt/socket-session.ts";
import { clientGone } from "./cancellation.ts";
import type { ExchangeState } from "./exchange-state.ts";
import { shuttingDown } from "./leaving.ts";
import { tooLarge } from "./reply/collect.ts";
import type { BodyReader, Reply } from "./reply/conversation.ts";
import { deathOf } from "./reply/outcome.ts";
import { framingOf } from "./reply/raw-usage.ts";
import { asGatewayError } from "./reply/refusals.ts";
import { identified, responseHeaders } from "./reply/response-headers.ts";
import type { Result } from "./reply/result.ts";
import type { StreamResult as StreamEnding } from "./reply/stream-delivery.ts";
import type { ClientConnection, Road } from "./road.ts";

/** Gives the client its answer. What is returned resolves when the last byte is written, or the client is gone. */
export function deliver(
  road: Road,
  exchange: ExchangeState,
  result: Result,
  client: ClientConnection,
): Promise<void> | undefined {
  if (result.kind === "delivered") return undefined;
  const headers = responseHeaders(exchange, road.settings.headerPrefixes, result.headers, result);
  const { status } = result.outcome;
  exchange.status = status;
  exchange.reply = { headers };
  switch (result.kind) {
    case "whole": {
      const bytes = indented(exchange.url, result.bytes);
      if (status >= 400) identified(exchange, road.formats, headers);
      headers["content-length"] = bytes.length;
      client.head(status, headers);
      client.end(bytes);
      exchange.ending = result.outcome.ok ? "complete" : "error";
      return result.witness && witnessed(result.witness, bytes);
    }
    case "stream":
      client.head(status, headers);
      return stream(road, exchange, result, client);
    case "relay":
      client.head(status, headers);
      return relayed(road, exchange, result, client);
    case "socket":
      return carriedSocket(road, exchange, result, client);
    case "piped":
      client.head(status, headers);
      return piped(road, exchange, result, client);
  }
}

/** `?pretty` indents JSON for people; any other query leaves the bytes alone. */
export function indented(url: string, bytes: Buffer): Buffer {
  if (!url.includes("pretty") || !/[?&]pretty(?:[=&]|$)/.test(url)) return bytes;
  try {
    return Buffer.from(`${writeJson(readJson(bytes.toString()), 2)}\n`);
  } catch {
    return bytes;
  }
}

async function stream(
  road: Road,
  exchange: ExchangeState,
  result: Result & { kind: "stream" },
  client: ClientConnection,
): Promise<void> {
  await carried(road, exchange, exchange, result, client);
}

/**
 * Gives the client a stream with what stands around it, and settles it. `answering` is the exchange the stream belongs to,
 * `exchange` the client's. Where `staysOpen`, a stream that failed leaves the client's answer to be ended.
 */
export async function carried(
  road: Road,
  exchange: ExchangeState,
  answering: ExchangeState,
  result: Result & { kind: "stream" },
  client: ClientConnection,
  staysOpen = false,
): Promise<StreamEnding> {
  const { delivery, before, after } = result;
  let settling: Promise<void> | undefined;
  const settle = (error?: StreamEnding["error"]) => {
    settling ??= settleStream(road, answering, result, error);
    return settling;
  };
  // Whoever keeps an answer asks, while it settles, whether it is whole.
  const last =
    after &&
    ((ended: StreamEnding) => {
      answering.ending = ended.ending;
      return settle(ended.error).then(after);
    });
  const attached = delivery.attach(client, { staysOpen, before, last });
  const forget = exchange.cancellation.add(() => delivery.abandon());
  const stay = untilTheEnd(road.leaving, exchange, () => delivery.giveUp(shuttingDown()));
  const ended = await attached;
  forget();
  stay();
  answering.ending = ended.ending;
  const { ending, error, given } = ended;
  // What a tap has decided, and the end of the gateway, are no failures of who answered.
  if (ending === "truncated" && error && !given && !isOurs(error)) died(answering, error, result.outcome);
  await settle(error);
  return ended;
}

export const isOurs = (error: GatewayError | ErrorDetail): boolean =>
  error instanceof GatewayError && error.code === "draining";

/** Records that an answer broke off. It had begun as a success, and nobody is to take it for one. */
function died({ attempt }: ExchangeState, error: GatewayError | ErrorDetail, begun: Outcome): void {
  if (attempt && begun.ok) attempt.outcome = deathOf(error, begun);
}

/** What is done about a stream once the client has all of it. */
async function settleStream(
  road: Road,
  exchange: ExchangeState,
  { settled }: Result & { kind: "stream" },
  failure: StreamEnding["error"],
): Promise<void> {
  if (failure instanceof GatewayError && failure.row.exception)
    road.log.error("stream failed", { request: exchange.id, error: failure });
  try {
    await settled();
  } catch (error) {
    // The client has its answer: what a tap makes of it now concerns the record only.
    road.log.error("stream could not be settled", { request: exchange.id, error });
  }
}

/** Lets the client have its socket, and records all that happens on it before the socket itself. */
async function carriedSocket(
  road: Road,
  exchange: ExchangeState,
  { headers, opened, target }: Result & { kind: "socket" },
  client: ClientConnection,
): Promise<void> {
  if (!client.takeOver) throw new GatewayError("internal", "A socket has no client that asked for one.");
  const session = new Session(road, exchange, target);
  try {
    exchange.ending = await opened.carry(client.takeOver(headers), session);
  } catch (error) {
    road.log.error("a socket broke off", { request: exchange.id, error });
    exchange.ending = "error";
    client.destroy();
  }
  if (exchange.attempt) exchange.attempt.endedAt = exchange.elapsed();
  await session.recorded();
}

/** Moves bytes as they are made, at the pace of the client. What breaks off is never ended in order. */
async function piped(
  { log, leaving }: Road,
  exchange: ExchangeState,
  { bytes, witness, outcome }: Result & { kind: "piped" },
  client: ClientConnection,
): Promise<void> {
  const { cancellation } = exchange;
  const stay = untilTheEnd(leaving, exchange, () => cancellation.cancel(shuttingDown()));
  let isWhole = false;
  try {
    for await (const piece of bytes) {
      if (cancellation.cancelled) break;
      const full = !client.write(piece);
      witness?.see(piece);
      if (full) await writable(client, cancellation);
    }
    isWhole = !cancellation.cancelled;
  } catch (error) {
    if (!cancellation.cancelled) {
      log.warn("an answer broke off", { request: exchange.id, error });
      died(exchange, asGatewayError(error), outcome);
    }
  }
  stay();
  const hasLeft = cancellation.cancelled && cancellation.reason.code === "client_gone";
  // A copy that has had its time, whose bytes may have ended without a word.
  if (cancellation.cancelled && !hasLeft && !isOurs(cancellation.reason)) died(exchange, cancellation.reason, outcome);
  exchange.ending = isWhole ? "complete" : hasLeft ? "client-gone" : "truncated";
  if (isWhole) client.end();
  else client.destroy();
  return witness?.end(isWhole);
}

/** Ends an answer of a client's when the gateway ends. What the gateway sends for itself is given up by whoever sent it. */
const untilTheEnd = (leaving: Road["leaving"], { source }: ExchangeState, end: () => void): (() => void) =>
  source === undefined ? leaving.atTheEnd(end) : () => undefined;

/** Resolves when the client can take more, or is gone. */
function writable(client: ClientConnection, cancellation: ExchangeState["cancellation"]): Promise<void> {
  return new Promise((resolve) => {
    const forget = cancellation.add(resolve);
    client.onDrain(() => {
      forget();
      resolve();
    });
  });
}

async function witnessed(witness: Witness, bytes: Buffer): Promise<void> {
  witness.see(bytes);
  await witness.end(true);
}

async function relayed(
  { leaving, settings }: Road,
  exchange: ExchangeState,
  { reply, witness, outcome, target }: Result & { kind: "relay" },
  client: ClientConnection,
): Promise<void> {
  // As much as is taken of any host that a caller names (operations.md section 9.6).
  const limit = target.provider.untrustedHost ? settings.upstreamBodyBytes : Number.POSITIVE_INFINITY;
  const stay = untilTheEnd(leaving, exchange, () => reply.conversation.cancel(shuttingDown()));
  const failure = await relay(exchange, reply, client, { witness, limit });
  stay();
  const gone = exchange.cancellation.cancelled;
  if (failure && !gone && !isOurs(failure)) died(exchange, failure, outcome);
  exchange.ending = gone ? "client-gone" : failure ? "truncated" : "complete";
  await witness?.end(!failure);
}

/** Moves bytes as they come. A body that is cut short ends in a cut connection, never in an orderly end: says of what. */
function relay(
  exchange: ExchangeState,
  reply: Reply,
  client: ClientConnection,
  { witness, limit }: { readonly witness: Witness | undefined; readonly limit: number },
): Promise<GatewayError | undefined> {
  return new Promise((resolve) => {
    let length = 0;
    let holding = false;
    // Of a stream only silence counts once it flows (routing-config.md section 9).
    let begins = framingOf(String(reply.headers["content-type"] ?? "")) !== undefined;
    const finish = (failure?: GatewayError) => {
      forget();
      resolve(failure);
    };
    // A client that is gone already is told of at once.
    let forget = () => {};
    forget = exchange.cancellation.add(() => finish(clientGone()));
    const reader: BodyReader = {
      data(bytes) {
        if (begins) reply.conversation.firstToken();
        begins = false;
        length += bytes.length;
        if (length > limit) {
          reply.conversation.abort();
          return reader.error(tooLarge(limit));
        }
        const takesMore = client.write(bytes);
        witness?.see(bytes);
        if (takesMore || holding) return;
        holding = true;
        reply.conversation.hold();
        client.onDrain(() => {
          holding = false;
          reply.conversation.release();
        });
      },
      end() {
        client.end();
        finish();
      },
      error(failure) {
        client.destroy();
        finish(failure);
      },
    };
    // A stream of which nothing came is opened all the same: the head leaves by itself.
    if (reply.conversation.begun === undefined) client.write("");
    reply.conversation.read(reader);
  });
}
