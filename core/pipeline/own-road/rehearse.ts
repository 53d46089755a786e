import { isRecord, jsonOr } from "../../codec-kit/records.ts";
import { gatewayErrorBody } from "../../errors/error-body.ts";
import { admit } from "../admit.ts";
import { asGatewayError } from "../reply/refusals.ts";
import { selectRoute } from "../travel.ts";
import { walk } from "../walk/walk.ts";
import { bodyOf, ownExchange, type Places } from "./own-exchange.ts";
import type { Rehearsed, RehearsedRequest } from "./own-road.ts";

/** Takes a request along the road to where somebody would be called, for what the taps on the way make of it. */
export async function rehearse(places: Places, request: RehearsedRequest): Promise<Rehearsed> {
  const { road } = places;
  const exchange = ownExchange(places, "POST", request);
  exchange.role = "imagined";
  exchange.rehearsal = request.answer ? { side: "output", answer: request.answer } : { side: "input" };
  try {
    const body = bodyOf(request.body, request.headers);
    await admit(road, exchange, body);
    const result = await walk({ road, body }, exchange, await selectRoute(road, exchange));
    const { status } = result.outcome;
    const { changed } = exchange.rehearsal;
    if (status < 400) return changed ? { status, changed } : { status };
    const refusal = result.kind === "whole" ? jsonOr(result.bytes.toString(), undefined) : undefined;
    return isRecord(refusal) ? { status, refusal } : { status };
  } catch (cause) {
    const error = asGatewayError(cause);
    if (error.row.exception) road.log.error("a line could not be checked", { request: exchange.id, error: cause });
    return { status: error.status, refusal: gatewayErrorBody(error) };
  }
}
