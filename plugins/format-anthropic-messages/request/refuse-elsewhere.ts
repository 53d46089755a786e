import { type ChatRequest, GatewayError } from "../../../core/index.ts";
import { formatName } from "../fields.ts";

/**
 * A conversation that its vendor holds (`thread`) is told in its last messages only: without the rest it would be another
 * one. Clients are told so in the vendor's words, at which its own ones send the whole.
 */
export function refuseElsewhere({ extra }: ChatRequest): void {
  if (extra?.format !== formatName || (extra.fields.thread ?? undefined) === undefined) return;
  throw new GatewayError(
    "invalid_request",
    "thread works only with a provider that serves the Messages API itself, and this one does not: send the whole conversation in messages.",
    { param: "thread", details: { error_code: "thread_unsupported_request" } },
  );
}
