import { text } from "node:stream/consumers";
import {
  asReadIn,
  type Exchange,
  errorMessage,
  type Fields,
  isRecord,
  jsonOr,
  type Principal,
  type RoadAnswer,
  retryAfterOf,
  type Usage,
  writeJson,
} from "../../core/index.ts";
import { longestPause, pauseAfter } from "./clock.ts";
import { insist } from "./insist.ts";
import type { LineDone } from "./output-lines.ts";
import type { AskedLine } from "./read-line.ts";
import type { Work } from "./working.ts";

/** A line that was sent, and what that used. */
export interface LineSent {
  readonly line: AskedLine;
  readonly done: LineDone;
  readonly used: readonly CallUsed[];
}

export interface CallUsed {
  readonly usage?: Usage;
  /** Dollars; absent where nobody knows. */
  readonly cost?: string;
  readonly provider?: string;
}

/** Statuses that may be another one the next time: those of retries in a routing config. */
const passing = new Set([408, 429, 500, 502, 503, 504, 529]);

const firstPause = 1_000;

/**
 * Sends a line along the road as a request of its own, and again where it failed in passing and its routing config says
 * nothing of retries. Undefined where this process stops before there is an answer.
 */
export async function sendLine(
  work: Work,
  line: AskedLine,
  as: { readonly principal: Principal; readonly headers: Readonly<Record<string, string>> },
): Promise<LineSent | undefined> {
  const { working, batch, signal, leaving } = work;
  const { endpoint, model } = batch.document.asked;
  const body = asReadIn(line.body, { ...(model !== undefined && { model }), ...line.body });
  const bytes = Buffer.from(writeJson(body));
  const used: CallUsed[] = [];
  for (let again = 0; ; again++) {
    // Whoever was paused for long while it waited must not send what somebody else has done meanwhile.
    if (again > 0) await insist(work, () => batch.sure());
    const call = await called(working, {
      method: "POST",
      path: endpoint,
      headers: { ...as.headers, "content-type": "application/json" },
      body: bytes,
      principal: as.principal,
      source: "batch",
      signal,
    });
    if (signal.aborted && call.status === gone) return undefined;
    used.push(call.used);
    const { status, retryAfter, requestId, answer } = call;
    const isLast = again >= working.options.retries || !passing.has(status) || call.retriesItself;
    if (isLast) return { line, done: { customId: line.customId, status, requestId, body: answer }, used };
    await working.clock.wait(Math.min(retryAfter ?? pauseAfter(again, firstPause), longestPause), leaving);
    if (leaving.aborted) return undefined;
  }
}

const gone = 499;

interface Called {
  readonly status: number;
  readonly answer: Readonly<Fields>;
  readonly requestId: string;
  readonly retryAfter: number | undefined;
  /** Its config says what is tried again. */
  readonly retriesItself: boolean;
  readonly used: CallUsed;
}

async function called({ own, clock }: Work["working"], request: Parameters<typeof own.send>[0]): Promise<Called> {
  let answer: RoadAnswer;
  let answered: string;
  try {
    answer = await own.send(request);
    answered = await text(answer.body);
  } catch (error) {
    // Nobody is left to be answered, or the answer broke off.
    return brokenOff(request.signal?.aborted ? gone : 502, error);
  }
  const exchange = await answer.over;
  return {
    status: request.signal?.aborted && exchange.ending === "client-gone" ? gone : answer.status,
    answer: objectIn(answered),
    requestId: exchange.id,
    retryAfter: retryAfterOf(answer.headers, clock.now()),
    retriesItself: exchange.attempts.some(({ target }) => target.fields?.retry !== undefined),
    used: usedBy(exchange),
  };
}

function brokenOff(status: number, error: unknown): Called {
  const message = errorMessage(error);
  const body = { error: { message, type: "api_error", param: null, code: "upstream_truncated" } };
  return { status, answer: body, requestId: "", retryAfter: undefined, retriesItself: false, used: {} };
}

function usedBy({ usage, cost, attempt }: Exchange): CallUsed {
  return {
    ...(usage && { usage }),
    ...(cost?.amount !== undefined && { cost: cost.amount }),
    ...(attempt && { provider: attempt.target.provider.name }),
  };
}

function objectIn(answered: string): Readonly<Fields> {
  const value = jsonOr(answered);
  return isRecord(value) ? value : { text: answered };
}
