import type { OperationName } from "../model/operations.ts";
import type { InternalAnswer, InternalCall } from "../pipeline/internal-call.ts";

/** What a check that asks somebody is given. */
export interface CheckTools {
  /** Of the check's family: of the hook, else of the deployment. Whether they are there is for the check to see. */
  readonly credentials: Readonly<Record<string, unknown>>;
  /** Whether the credentials are the operator's word: the machine's own identity is shown for no others. */
  readonly trusted: boolean;
  /**
   * Asks over HTTP and reads JSON. Throws CheckError: `HttpError` for a status that is no 2xx, with the answer as its
   * data; `TimeoutError`; `NetworkError`; `ClientGone` where nobody waits for the verdict any more.
   */
  ask(request: CheckRequest): Promise<CheckAnswer>;
  /** Asks one of the deployment's providers. */
  call<Operation extends OperationName>(call: InternalCall<Operation>): Promise<InternalAnswer<Operation>>;
  /** Headers of the client that the guardrail names (`forwardHeaders`); those a check sets itself win. */
  readonly forwarded: Readonly<Record<string, string>>;
  /**
   * Fires where nobody waits for the verdict any more: the check is given up at its deadline, or the client has left. What `ask` and
   * `call` have under way ends by itself; it is for what a check does otherwise. Absent where nobody gives it up, as in its table.
   */
  readonly signal?: AbortSignal | undefined;
  /** What was remembered, in this process only. */
  recall<Value>(key: string): Value | undefined;
  remember(key: string, value: unknown, seconds: number): void;
  /** Unix milliseconds. */
  now(): number;
}

export interface CheckRequest {
  /** POST unless said. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT";
  readonly url: string;
  /** The address stood in a text: whoever made the guardrail, it is held to the rules. */
  readonly found?: boolean;
  /** In lower case; JSON is sent and asked for unless they say otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Milliseconds, where the guardrail does not say: 5000 unless said. */
  readonly timeout?: number;
  readonly mostBytes?: number;
  /** Whether the answer is wanted as bytes. */
  readonly bytes?: boolean;
  /** Whether a 3xx with a `location` is an answer; otherwise it is a failure. Nothing is followed unasked. */
  readonly redirections?: boolean;
}

export interface CheckAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of what is no JSON, the text; undefined where bytes were asked for. */
  readonly json: unknown;
  readonly bytes?: Uint8Array;
}
