import type { OperationName, ResponseOf } from "./format.ts";

/**
 * What the client is given. Taps on `afterRequest` see `response` (a stream: assembled, at its end) and may return
 * another answer; of a stream that has left already, only the record changes.
 */
export interface Answer<Operation extends OperationName = OperationName> {
  readonly kind: "answer";
  readonly status: number;
  /** Extra response headers, lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The canonical answer; absent when this is an error. */
  readonly response?: ResponseOf<Operation>;
  /** A finished JSON body to send instead, in no particular format: errors, denials. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Whether this answer had already left for the client when the tap saw it. */
  readonly sent?: boolean;
}
