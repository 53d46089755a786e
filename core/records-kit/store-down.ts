import { GatewayError } from "../errors/gateway-error.ts";
import { LogError } from "../services/logs.ts";
import { RecordError } from "../services/records.ts";

/** Throws what a caller is told when a store failed: stores fail in words of their own. Any other error goes on. */
export function storeDown(error: unknown): never {
  if (error instanceof LogError) {
    if (error.reason === "down") throw unavailable("logs", error);
    // What is wrong with a call of it stands in what the caller asked: a cursor, a log that is too large.
    throw new GatewayError("record_invalid", error.message, {}, { cause: error });
  }
  if (!(error instanceof RecordError)) throw error;
  if (error.reason === "down") throw unavailable("records", error);
  throw new GatewayError("internal", error.message, {}, { cause: error });
}

const unavailable = (what: string, cause: unknown): GatewayError =>
  new GatewayError("store_unavailable", `The store of ${what} does not answer.`, { retryAfterSeconds: 5 }, { cause });
