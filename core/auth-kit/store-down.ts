import { GatewayError } from "../errors/gateway-error.ts";
import { RecordError } from "../services/records.ts";

/** Throws what went wrong; a store that does not answer cannot say that a credential is wrong, which is 503. */
export function refusedBy(error: unknown): never {
  if (!(error instanceof RecordError) || error.reason !== "down") throw error;
  throw new GatewayError(
    "store_unavailable",
    "Whether this credential is known cannot be said: the store of records does not answer.",
    { retryAfterSeconds: 5 },
    { cause: error },
  );
}
