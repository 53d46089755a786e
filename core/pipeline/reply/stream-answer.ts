import { assembler } from "../../codec-kit/streams/assemble.ts";
import { unquoted } from "../../errors/error-detail.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Answer } from "../../model/answer.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { Target } from "../../model/route.ts";
import { clocksOf } from "../clocks-of.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { sentSecrets } from "../request/added-headers.ts";
import type { Prepared } from "../request/prepared.ts";
import { ringThrough } from "../ring.ts";
import type { Road } from "../road.ts";
import { bounded } from "../stream/bounded.ts";
import { withExactNumbers } from "../stream/exact-numbers.ts";
import { framingRules } from "../stream/framing.ts";
import { hidingUsage } from "../stream/hidden-usage.ts";
import { frameFix } from "../stream/normalised-event.ts";
import { streamListener } from "../stream/stream-listener.ts";
import { passThrough, type StreamWork, translation } from "../stream/stream-work.ts";
import { encodeContext, usageIs } from "./answers.ts";
import { clientHeaders } from "./client-headers.ts";
import type { Reply } from "./conversation.ts";
import { outcomeOf } from "./outcome.ts";
import { earlyError } from "./refusals.ts";
import type { Result } from "./result.ts";
import { StreamDelivery } from "./stream-delivery.ts";

/** A stream, brought to its first frame: from there on it is the client's. A failure before that is an ordinary one. */
export async function streamAnswer(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
  reply: Reply,
): Promise<Result> {
  const { afterRequest } = road.hooks;
  const looks = road.used.afterRequest && road.wants.afterRequest(exchange);
  const collected = looks && prepared.upstream.decodeStream ? assembler() : undefined;
  const all = workFor(road, exchange, target, prepared, collected);
  const work = target.provider.untrustedHost ? bounded(all, road.settings.upstreamBodyBytes) : all;
  // With a deadline for the first token the route may still want to go elsewhere, so nothing is sent before it.
  const hasDeadline = (clocksOf(road, exchange, target).firstToken ?? 0) > 0;
  const whenEmpty = hasDeadline || target.resume === "restart" ? undefined : beginning(exchange);
  const rules = framingRules(prepared.client.framing);
  const silence = prepared.client.silence ?? rules.silence;
  const delivery = new StreamDelivery(work, reply, road.settings.keepAliveComments, whenEmpty, silence);
  const { stirs } = exchange.attempt ?? {};
  usageIs(exchange, () => work.usage ?? collected?.usage);
  if (stirs !== undefined) delivery.stir(stirs);
  const begun = await delivery.beginning;
  if (begun.kind === "failed") {
    delivery.abandon();
    brokeOff(exchange.attempt);
    if (begun.error instanceof GatewayError) throw begun.error;
    return earlyError(road, exchange, target, prepared, reply, begun.error);
  }
  return {
    kind: "stream",
    target,
    outcome: outcomeOf(reply.status, reply.headers),
    headers: Object.assign(clientHeaders(reply.headers, road.settings.headerPrefixes), {
      "content-type": rules.contentType,
      "cache-control": "no-cache",
    }),
    delivery,
    settled: async () => {
      // The client has its answer: now whoever listened reads it.
      exchange.malformedFrames += work.malformed;
      if (!collected) return;
      const response = prepared.client.operation === "complete" ? collected.completion() : collected.chat();
      // Another target may answer in its place yet.
      if (exchange.ending === "truncated") brokeOff(exchange.attempt, response);
      const answer: Answer = { kind: "answer", status: reply.status, response, sent: true };
      exchange.answer = await ringThrough(afterRequest, answer, exchange);
    },
  };
}

/** Of a stream that broke off what had come is paid for, also where a tap holds it back. `left` is what the client has of it. */
function brokeOff(attempt: ExchangeState["attempt"], left?: Attempt["withheld"]): void {
  const came = attempt?.heldBack?.() ?? left;
  if (attempt && came) attempt.withheld ??= came;
}

/** When a stream may begin of which nothing came: at once, and beside others when nobody else can win any more. */
const beginning =
  ({ race }: ExchangeState) =>
  (begin: () => void) =>
    race ? race.whenAlone(begin) : begin();

function workFor(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
  collected: ReturnType<typeof assembler> | undefined,
): StreamWork {
  const { streamChunk } = road.hooks;
  const { upstream, client, spec } = prepared;
  const maxFrameBytes = road.settings.upstreamBodyBytes;
  const seen = road.used.streamChunk && road.wants.streamChunk(exchange);
  const resumes = target.resume === "restart";
  const secrets = sentSecrets(target.provider, exchange.attempt);
  // A stream that has no chunks is nothing that taps could look at.
  if (!upstream.decodeStream) return passThrough(upstream, maxFrameBytes, undefined, secrets);
  // What passes has to be known to be whole at its end.
  const passes = upstream.readStreamEnd !== undefined || !client.encodeStream;
  if (passes && !prepared.translated && !spec.framing && !spec.normaliseFrame && !spec.lastFrame && !seen && !resumes) {
    const work = passThrough(upstream, maxFrameBytes, collected && streamListener(upstream, collected), secrets);
    return prepared.hidesUsage && upstream.streamUsage ? hidingUsage(work, upstream.streamUsage) : work;
  }
  const work = translation({
    upstream,
    client,
    context: encodeContext(exchange, target, prepared),
    maxFrameBytes,
    clientNames: prepared.clientNames,
    framing: spec.framing,
    fix: frameFix(road, exchange, target, spec),
    clean: (error) => unquoted(error, secrets),
    assembler: collected,
    beginsWithContent: resumes,
    tap: seen ? (chunks) => streamChunk.call(chunks, exchange) : undefined,
  });
  return upstream === client ? withExactNumbers(work) : work;
}
