import { assembler } from "../../codec-kit/streams/assemble.ts";
import type { ErrorDetail } from "../../errors/error-detail.ts";
import type { Answer } from "../../model/answer.ts";
import type { Target } from "../../model/route.ts";
import type { ExchangeState } from "../exchange-state.ts";
import type { Prepared } from "../request/prepared.ts";
import { ringThrough } from "../ring.ts";
import type { Road } from "../road.ts";
import { framingRules } from "../stream/framing.ts";
import { frameFix } from "../stream/normalised-event.ts";
import { translation } from "../stream/stream-work.ts";
import { encodeContext, usageIs, whole } from "./answers.ts";
import { clientHeaders } from "./client-headers.ts";
import { collect, collectStream } from "./collect.ts";
import type { Reply } from "./conversation.ts";
import { outcomeOf } from "./outcome.ts";
import { earlyError } from "./refusals.ts";
import { render } from "./render.ts";
import type { Result } from "./result.ts";

/**
 * A stream that is put together before the client gets any of it, because a tap on `afterRequest` decides on the whole
 * answer, or because the vendor has it as a stream only. In the first case the client is given a stream all the same; what fails on the
 * way can still be tried elsewhere.
 */
export async function gatheredStream(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
  reply: Reply,
): Promise<Result> {
  const { upstream, client, spec } = prepared;
  const collected = assembler();
  const work = translation({
    upstream,
    client,
    context: encodeContext(exchange, target, prepared),
    maxFrameBytes: road.settings.upstreamBodyBytes,
    clientNames: prepared.clientNames,
    framing: spec.framing,
    fix: frameFix(road, exchange, target, spec),
    assembler: collected,
  });
  const put = () => (client.operation === "complete" ? collected.completion() : collected.chat());
  /** What had come of one that broke off has been paid for, whoever answers in its place. */
  const broken = () => {
    if (exchange.attempt) exchange.attempt.withheld = put();
  };
  usageIs(exchange, () => work.usage ?? collected.usage);
  const gathered = prepared.stream ? collectStream : collect;
  const bytes = await gathered(reply, road.settings.upstreamBodyBytes, (begun) => {
    work.push(begun);
    broken();
  });
  const failed = (error: ErrorDetail) => {
    broken();
    return earlyError(road, exchange, target, prepared, reply, error);
  };
  const sent = [work.push(bytes)];
  if (work.upstreamError) return failed(work.upstreamError);
  const { out, failure } = work.end();
  if (work.upstreamError) return failed(work.upstreamError);
  if (failure) {
    broken();
    throw failure;
  }
  sent.push(out);
  exchange.malformedFrames += work.malformed;
  const response = put();
  const answer: Answer = { kind: "answer", status: reply.status, response };
  const seen = await ringThrough(road.hooks.afterRequest, answer, exchange);
  const { contentType } = framingRules(client.framing);
  const rendered =
    seen.response === response && !seen.body && prepared.stream
      ? { bytes: Buffer.concat(sent.map((piece) => Buffer.from(piece))), contentType }
      : render(client, seen, encodeContext(exchange, target, prepared), prepared.stream);
  const headers = Object.assign(
    clientHeaders(reply.headers, road.settings.headerPrefixes),
    prepared.stream && { "cache-control": "no-cache" },
  );
  if ("content-encoding" in headers) delete headers["content-encoding"];
  return whole(target, seen, outcomeOf(seen.status, reply.headers), rendered, headers);
}
