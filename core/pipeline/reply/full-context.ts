import { customToolsIn } from "../../codec-kit/tools/custom-tools.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { EncodeContext } from "../../model/format.ts";
import { withoutDashes } from "../../time-ordered-id.ts";
import { askedIn } from "../request/asked-in.ts";
import { requestOf } from "../request/request-of.ts";
import { isStrictAt } from "../strictness.ts";

/**
 * What an answer is written with for others than the client that waits for it, who keep, record or judge it: as the client
 * gets it, and with its usage. `model` is the one that was asked for last.
 */
export function fullContext(
  exchange: Exchange,
  model = exchange.attempt?.target.model ?? requestOf(exchange)?.model,
): EncodeContext {
  const target = exchange.attempt?.target;
  return {
    provider: target?.provider.name ?? "",
    model: model ?? "",
    strict: isStrictAt(exchange, target),
    now: Math.floor(exchange.receivedAt / 1000),
    id: withoutDashes(exchange.id),
    includeUsage: true,
    asked: askedIn(exchange),
    customTools: customToolsIn(requestOf(exchange)),
  };
}
