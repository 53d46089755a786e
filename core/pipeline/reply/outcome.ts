import type { ErrorDetail } from "../../errors/error-detail.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Outcome } from "../../model/route.ts";
import { statusOf } from "./error-status.ts";

/** How an answer looks to a route. */
export const outcomeOf = (
  status: number,
  headers: Outcome["headers"] = {},
  more: Partial<Pick<Outcome, "code" | "reason" | "exception" | "given">> = {},
): Outcome => ({ status, ok: status >= 200 && status < 300, headers, exception: false, ...more });

/** What became of a stream that had begun well: what the gateway noticed, or the vendor said inside it. */
export const deathOf = (error: GatewayError | ErrorDetail, { headers }: Outcome): Outcome =>
  error instanceof GatewayError ? noticed(error, headers) : reported(error, headers);

const noticed = ({ status, code, row }: GatewayError, headers: Outcome["headers"]): Outcome =>
  outcomeOf(status, headers, { code, reason: code, exception: row.exception === true });

function reported(error: ErrorDetail, headers: Outcome["headers"]): Outcome {
  const reason = error.code ?? error.type;
  return outcomeOf(statusOf(error), headers, reason === undefined ? {} : { reason: String(reason) });
}
