import {
  type CheckAnswer,
  CheckError,
  type CheckRequest,
  type CheckTools,
  recordedAddress,
} from "../../../core/index.ts";

/** What a check asked over HTTP, as records and clients see it: nothing that was sent, and nothing that was answered. */
export interface CallsEntry {
  readonly calls: readonly CallEntry[];
  /** Calls beyond those that are listed. */
  readonly more?: number;
}

export interface CallEntry {
  readonly method: string;
  /** Without user, query and fragment; credentials of the check, and keys in paths of known hosts, are hidden in what is left. */
  readonly url: string;
  /** Null where there was no answer. */
  readonly status: number | null;
  /** Milliseconds. */
  readonly duration: number;
  /** Why there was no good answer: `TimeoutError`, `HttpError`, … */
  readonly error?: string;
}

interface Call {
  readonly request: CheckRequest;
  readonly began: number;
  ended?: { readonly at: number; readonly status: number | null; readonly error?: string };
}

/** Calls of one run of a check that are listed at most. */
const mostCalls = 20;

/** Notes the calls of one run of a check. */
export class CallLog {
  readonly #tools: CheckTools;
  readonly #calls: Call[] = [];
  #more = 0;

  constructor(tools: CheckTools) {
    this.#tools = tools;
  }

  readonly ask: CheckTools["ask"] = (request) => {
    const asked = this.#tools.ask(request);
    if (this.#calls.length === mostCalls) this.#more++;
    else this.#note({ request, began: performance.now() }, asked);
    return asked;
  };

  #note(call: Call, asked: Promise<CheckAnswer>): void {
    this.#calls.push(call);
    const ended = (status: number | null, error?: string) => {
      call.ended = { at: performance.now(), status, ...(error !== undefined && { error }) };
    };
    asked.then(
      ({ status }) => ended(status),
      (error: unknown) => ended(statusIn(error), error instanceof CheckError ? error.label : "Error"),
    );
  }

  /** What there is to say so far; null where nobody was asked. */
  get entry(): CallsEntry | null {
    if (this.#calls.length === 0) return null;
    const now = performance.now();
    const hidden = valuesIn(this.#tools.credentials);
    const calls = this.#calls.map(
      ({ request: { method = "POST", url }, began, ended }): CallEntry => ({
        method,
        url: recordedAddress(url, hidden),
        status: ended?.status ?? null,
        duration: Math.round((ended?.at ?? now) - began),
        ...(ended?.error !== undefined && { error: ended.error }),
      }),
    );
    return this.#more > 0 ? { calls, more: this.#more } : { calls };
  }
}

/** Of an answer that is no success. */
function statusIn(error: unknown): number | null {
  if (!(error instanceof CheckError) || error.label !== "HttpError") return null;
  const { data } = error;
  const status = typeof data === "object" && data !== null && "status" in data ? data.status : undefined;
  return typeof status === "number" ? status : null;
}

const shortestHidden = 6;

/** The texts among credentials that could be one. */
function valuesIn(credentials: unknown): string[] {
  if (typeof credentials === "string") return credentials.length < shortestHidden ? [] : [credentials];
  if (typeof credentials !== "object" || credentials === null) return [];
  return Object.values(credentials).flatMap(valuesIn);
}
