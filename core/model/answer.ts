import type { OperationName, ResponseOf } from "./operations.ts";

/**
 * What the client is given. Taps on `afterRequest` see `response` (a stream: assembled, at its end) and may return
 * another answer; of a stream that has left already, only the record changes.
 */
export interface Answer<Operation extends OperationName = OperationName> {
  readonly kind: "answer";
  readonly status: number;
  /** Extra response headers, lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The canonical answer; absent when this is an error, and where `wire` stands in its place. */
  readonly response?: ResponseOf<Operation>;
  /** The answer as it came, where nothing has to be changed in it and everybody who looks makes do with bytes. */
  readonly wire?: WireAnswer;
  /** A finished JSON body to send instead, in no particular format: errors, denials. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Whether this answer had already left for the client when the tap saw it. */
  readonly sent?: boolean;
}

/** Bytes of a whole answer, with the format they are in; `raw` is whichever a raw call is answered in. */
export interface WireAnswer {
  readonly format: string;
  readonly bytes: Buffer;
}

/** What a plugin adds to an answer. */
export interface Aside {
  /** Members of a JSON object: `hook_results`. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The same as JSON.stringify writes them, by somebody who has most of that at hand. */
  readonly written?: () => string;
  /** An event before a stream and one after it, for clients that are not strict, in formats that have a form for it. */
  readonly first?: Readonly<Record<string, unknown>>;
  readonly last?: Readonly<Record<string, unknown>>;
}
