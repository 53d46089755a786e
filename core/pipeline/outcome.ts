import { GatewayError } from "../errors/gateway-error.ts";
import type { ErrorDetail } from "../model/error-detail.ts";
import type { Outcome } from "../model/route.ts";
import { statusOf } from "./error-status.ts";

/** How an answer looks to a route. */
export const outcomeOf = (
  status: number,
  headers: Outcome["headers"] = {},
  more: Partial<Pick<Outcome, "code" | "reason" | "exception" | "given">> = {},
): Outcome => ({ status, ok: status >= 200 && status < 300, headers, exception: false, ...more });

/** What became of a stream that had begun well: what the gateway noticed, or the vendor said inside it. */
export function deathOf(error: GatewayError | ErrorDetail, { headers }: Outcome): Outcome {
  if (error instanceof GatewayError) return outcomeOf(error.status, headers, { code: error.code, reason: error.code });
  const reason = error.code ?? error.type;
  return outcomeOf(statusOf(error), headers, reason === undefined ? {} : { reason: String(reason) });
}
