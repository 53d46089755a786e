import type { Exchange, OrganisationFacts } from "../../../core/index.ts";
import type { RequestLogOptions } from "../options.ts";

export type CaptureMode = RequestLogOptions["capture"];

/** What an organisation has decided about the content of requests. */
export type Decided = Pick<OrganisationFacts, "logging" | "loggingEnforced">;

/** Where nobody has decided anything. */
export const undecided: Decided = { logging: "full", loggingEnforced: false };

/**
 * What is kept of a request (observability.md section 5): the stricter one of what operator and organisation say, which
 * either of them may enforce; otherwise a client may ask for less, and never for more.
 */
export function captureRule({ capture, enforceCapture }: Pick<RequestLogOptions, "capture" | "enforceCapture">) {
  return ({ gatewayHeaders }: Exchange, { logging, loggingEnforced }: Decided): CaptureMode => {
    const setting = capture === "metrics_only" ? capture : logging;
    if (enforceCapture || loggingEnforced || setting === "metrics_only") return setting;
    return gatewayHeaders.get("debug")?.toLowerCase() === "false" ? "metrics_only" : setting;
  };
}
