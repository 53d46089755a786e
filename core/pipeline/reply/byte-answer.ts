import type { Answer } from "../../model/answer.ts";
import type { Target } from "../../model/route.ts";
import type { ExchangeState } from "../exchange-state.ts";
import type { Prepared } from "../request/prepared.ts";
import { ringThrough } from "../ring.ts";
import type { Road } from "../road.ts";
import { encodeContext, usageIs, whole } from "./answers.ts";
import { clientHeaders } from "./client-headers.ts";
import { collect } from "./collect.ts";
import type { Reply } from "./conversation.ts";
import { withoutBytes } from "./first-bytes.ts";
import { onlooker } from "./onlooker.ts";
import { outcomeOf } from "./outcome.ts";
import { render } from "./render.ts";
import type { Result } from "./result.ts";

/**
 * An answer of bytes that are not JSON: sound, subtitles. To clients of the same format they go on as they arrive, with
 * the vendor's content type; for others they are read first.
 */
export async function byteReply(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
  reply: Reply,
): Promise<Result> {
  const { upstream, client, translated } = prepared;
  const headers = clientHeaders(reply.headers, road.settings.headerPrefixes);
  if (!translated || !upstream.readBytes) {
    const waiting = withoutBytes(road, exchange, target, reply);
    const broken = waiting && (await waiting);
    if (broken) return broken;
    const length = reply.headers["content-length"];
    if (typeof length === "string") headers["content-length"] = length;
    const witness = onlooker(road, exchange, upstream, reply);
    return { kind: "relay", target, outcome: outcomeOf(reply.status, reply.headers), headers, reply, witness };
  }
  const bytes = await collect(reply, road.settings.upstreamBodyBytes);
  const response = upstream.readBytes(bytes, String(reply.headers["content-type"] ?? ""));
  const answer: Answer = { kind: "answer", status: reply.status, response };
  usageIs(exchange, () => response.usage);
  const seen = await ringThrough(road.hooks.afterRequest, answer, exchange);
  const rendered = render(client, seen, encodeContext(exchange, target, prepared), false);
  const outcome = outcomeOf(seen.status, reply.headers);
  return whole(target, seen, outcome, rendered, headers);
}
