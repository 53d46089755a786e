import type { Answer } from "../../model/answer.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { GatewayRequest } from "../../model/request.ts";
import type { Target } from "../../model/route.ts";
import { isAnswer } from "../../taps.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { givenAnswer } from "../reply/answers.ts";
import type { Result } from "../reply/result.ts";
import { unreadRequest, type WireRequest } from "../request/wire-request.ts";
import { ringThrough } from "../ring.ts";
import type { Road } from "../road.ts";

/**
 * Lets the taps refuse a call that goes on as it came, or answer in its place. A retry asks them again only where they did
 * not let the call before it through.
 */
export async function askTaps(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  record: Attempt,
  request = exchange.request as WireRequest | undefined,
): Promise<Result | undefined> {
  if (!road.used.beforeRequest || record.repeats) return undefined;
  const asked = request ?? unreadRequest();
  const seen = await ringThrough(road.hooks.beforeRequest, asked as GatewayRequest | Answer, exchange);
  if (isAnswer(seen)) return givenAnswer(road, exchange, target, seen);
  record.admitted = true;
  return undefined;
}
