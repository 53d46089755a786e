import { type ErrorCode, type ErrorRow, errorTable } from "./error-table.ts";

export interface ErrorDetails {
  /** The field at fault, as the client named it: `messages[2].content`. */
  readonly param?: string;
  /** The header a saved-only deployment refuses, in full: `x-gateway-config`. */
  readonly field?: string;
  /** Why, in a word of the feature's own, in the body of management errors: `prompt_not_found`. */
  readonly reason?: string;
  /** In the body of management errors, where answers have a status of their own. */
  readonly status?: "failure";
  /** One line per mistake, where several were found. */
  readonly errors?: readonly string[];
  /** The same for people, with more than programs are told of: in the message of the object `error`. */
  readonly told?: readonly string[];
  /** The limit that was reached, for the body (policies.md section 10.2). */
  readonly limit?: Readonly<Record<string, unknown>>;
  /** What clients act on without reading the message, in the words of their format: `details` of the error in the body. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds until asking again makes sense; sent as `retry-after` in whole ones, and as `retry-after-ms`. */
  readonly retryAfterSeconds?: number;
  readonly plugin?: string;
  readonly hook?: string;
  /** The provider involved, by its public name. */
  readonly provider?: string;
}

/** The one error class. Catchers look at `code`; nobody matches on the text of a message. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  get row(): ErrorRow {
    return errorTable[this.code];
  }
}

/** Throws where an expression is wanted: `map.get(key) ?? raise("internal", "…")`. */
export function raise(code: ErrorCode, message: string, details?: ErrorDetails): never {
  throw new GatewayError(code, message, details);
}

const unresolved = new WeakSet<GatewayError>();

/**
 * What who uses a secret hears where it is not to be had (operations.md section 10.5). Why names files, keys and hosts of the
 * deployment: the cause is for the log, and for those who manage it.
 */
export function unresolvedSecret(cause: unknown, details?: ErrorDetails): GatewayError {
  const error = new GatewayError("secret_unavailable", "Unable to resolve secret", details, { cause });
  unresolved.add(error);
  return error;
}

/** Whether an error was made by `unresolvedSecret`, so that its reason is told already, or is its cause. */
export const isUnresolvedSecret = (error: Error): boolean => unresolved.has(error as GatewayError);
