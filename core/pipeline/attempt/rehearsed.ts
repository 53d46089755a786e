import { asReadIn, readJson, withMembers } from "../../codec-kit/exact-json.ts";
import { isRecord } from "../../codec-kit/records.ts";
import { callsAsFunction } from "../../codec-kit/tools/custom-tools.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Answer } from "../../model/answer.ts";
import type { ChatResponse } from "../../model/chat.ts";
import type { EncodeContext, Format } from "../../model/format.ts";
import type { RequestOf, ResponseOf } from "../../model/operations.ts";
import type { Target } from "../../model/route.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { encodeContext, givenAnswer } from "../reply/answers.ts";
import { render } from "../reply/render.ts";
import type { Result } from "../reply/result.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { ringThrough } from "../ring.ts";
import type { Road } from "../road.ts";

/** In place of the call of a target: what the taps said of the request, and what they say of the answer. */
export async function rehearsed(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  before: WireRequest,
  seen: WireRequest,
): Promise<Result> {
  const { rehearsal, attempt } = exchange;
  const format = road.formats.get(before.format ?? "");
  if (!rehearsal || !format) throw new GatewayError("internal", "Only requests in a format can be rehearsed.");
  if (rehearsal.side === "input") {
    if (seen !== before)
      rehearsal.changed = written(
        format.encodeRequest(seen.body as RequestOf<typeof format.operation>, ignore),
        before,
      );
    return givenAnswer(road, exchange, target, { kind: "answer", status: attempt?.successStatus ?? 200, body: {} });
  }
  const response = format.decodeResponse(rehearsal.answer) as ResponseOf<typeof format.operation>;
  const answer: Answer = { kind: "answer", status: 200, response };
  const left = await ringThrough(road.hooks.afterRequest, answer, exchange);
  const context = encodeContext(exchange, target);
  if (
    !left.body &&
    left.response !== undefined &&
    (left.response !== response || isMisread(format, response, context))
  ) {
    const { bytes } = render(format, left, context, false);
    rehearsal.changed = readJson(bytes.toString()) as Record<string, unknown>;
  }
  return givenAnswer(road, exchange, target, left);
}

/** Lines of batches are translated by those who have only their answers. */
const isMisread = ({ operation }: Format, response: unknown, context: EncodeContext): boolean =>
  operation === "chat" && callsAsFunction(response as ChatResponse, context);

/** The model stays what the request says: where it goes from here, others decide. */
const written = (wire: Record<string, unknown>, { json }: WireRequest): Record<string, unknown> => {
  if (!isRecord(json)) return wire;
  const made = asReadIn(json, wire);
  return json.model === undefined ? made : withMembers(made, { model: json.model });
};

function ignore(): void {}
