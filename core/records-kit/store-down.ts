import { GatewayError } from "../errors/gateway-error.ts";
import { RecordError } from "../services/records.ts";

/** Throws what a caller is told when the store failed: stores fail in words of their own. Any other error goes on. */
export function storeDown(error: unknown): never {
  if (!(error instanceof RecordError)) throw error;
  if (error.reason === "down")
    throw new GatewayError(
      "store_unavailable",
      "The store of records does not answer.",
      { retryAfterSeconds: 5 },
      { cause: error },
    );
  throw new GatewayError("internal", error.message, {}, { cause: error });
}
