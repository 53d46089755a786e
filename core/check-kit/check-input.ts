import type { Exchange } from "../model/exchange.ts";
import type { OperationName, RequestOf, ResponseOf } from "../model/operations.ts";

/** Which side of an exchange a check looks at. */
export type CheckTarget = "request" | "response";

/** What a check is given to judge. */
export interface CheckInput {
  /** The texts that say something, one per line. */
  readonly text: string;
  /** The texts of the part looked at, in order: "" where there is none, as in an image. */
  readonly texts: readonly string[];
  readonly target: CheckTarget;
  /** What the texts belong to; absent where texts are tried on their own. */
  readonly subject?: CheckSubject;
}

/** The request, and the answer where there is one, that a text was taken from. Nothing in it may be changed. */
export interface CheckSubject {
  readonly exchange: Exchange;
  /** `chatComplete`, `messages`, `embed`, … (inference-api.md section 1). */
  readonly requestType: string;
  /** The slug of the provider that is asked, or was. */
  readonly provider: string;
  readonly model: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** Of the client, in lower case, with what earlier checks took out of tokens. Never to be sent on as they are. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly request: CheckedRequest;
  readonly response?: CheckedResponse;
}

export interface CheckedRequest {
  /** In the client's own format; undefined where the body is not read. */
  readonly json: unknown;
  /** Canonical; undefined where the body is not read. */
  readonly body: RequestOf<OperationName> | undefined;
  readonly text: string;
  readonly streams: boolean;
  /** An earlier check has changed it. */
  readonly transformed: boolean;
}

export interface CheckedResponse {
  /** In the client's own format. */
  readonly json: unknown;
  readonly body: ResponseOf<OperationName>;
  readonly text: string;
  readonly status: number;
  readonly transformed: boolean;
}

export interface CheckResult {
  /** True is a pass. */
  readonly verdict: boolean;
  /** What led to it, for the record: JSON. */
  readonly data?: unknown;
  /** Texts that stand in place of those given, in their order; null keeps one. */
  readonly texts?: readonly (string | null)[];
  /** A body in the client's own format that stands in place of the one looked at. */
  readonly json?: unknown;
  /** The same, in canonical form. */
  readonly body?: RequestOf<OperationName>;
  /** Headers that later checks see, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It changed something that none of these says: nothing was needed after all. */
  readonly transformed?: boolean;
}

/** Why a check has no verdict of its own; anything else that is thrown is told in general words only. */
export class CheckError extends Error {
  /** What is shown as the error's name: `TimeoutError`, `HttpError`. */
  readonly label: string;
  /** What there is to know besides, for the record. */
  readonly data: unknown;
  /** Where it differs from the check's usual one. */
  readonly verdict: boolean | undefined;

  constructor(message: string, more: { label?: string; data?: unknown; verdict?: boolean } = {}) {
    super(message);
    this.label = more.label ?? "Error";
    this.data = more.data ?? null;
    this.verdict = more.verdict;
  }
}
