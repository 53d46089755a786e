import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { answerJson, type Call, startVendor } from "../conformance/vendor.ts";
import { errorMessage } from "../errors/error-message.ts";
import { Arrivals } from "./arrivals.ts";

/** What an upstream answers: one of `json`, `text` and `events`, or nothing but a status. */
export interface UpstreamAnswer {
  /** 200 when absent. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  /** Server-sent events, one after the other: texts as they are, everything else as JSON. */
  readonly events?: Iterable<unknown> | AsyncIterable<unknown>;
  /** The connection breaks after all that, instead of ending in order. */
  readonly cut?: boolean;
}

/** One answer to every call, one for each, or a function that is asked; `at` counts calls from 0. */
export type UpstreamAnswers =
  | UpstreamAnswer
  | readonly UpstreamAnswer[]
  | ((call: UpstreamCall, at: number) => UpstreamAnswer | Promise<UpstreamAnswer>);

/** What an upstream was asked. */
export interface UpstreamCall {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as JSON; throws where it is none. */
  readonly json: unknown;
  /** Resolves when the gateway has left before the answer was complete. */
  readonly left: Promise<void>;
}

/** A server on the loopback address that stands for whatever a gateway calls. */
export interface TestUpstream {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** What it was asked so far. */
  readonly calls: readonly UpstreamCall[];
  /** The first call, or the one at this place (from 0): now, or when it comes. */
  call(at?: number): Promise<UpstreamCall>;
  /** Takes other answers from now on, and forgets the calls there were. */
  answer(answers: UpstreamAnswers): void;
  close(): void;
}

export async function startUpstream(first: UpstreamAnswers): Promise<TestUpstream> {
  const vendor = await startVendor();
  const arrivals = new Arrivals<UpstreamCall>("call of an upstream");
  let answers = first;
  vendor.play((_, response) => {
    const at = arrivals.all.length;
    const call = callOf(vendor.calls.at(-1) as Call);
    arrivals.add(call);
    void give(response, () => chosen(answers, call, at));
  });
  return {
    url: vendor.url,
    get calls() {
      return arrivals.all;
    },
    call: (wanted = 0) => arrivals.first((_, at) => at === wanted),
    answer(next) {
      answers = next;
      arrivals.forget();
    },
    close() {
      arrivals.end();
      vendor.close();
    },
  };
}

const callOf = ({ request, left }: Call): UpstreamCall => ({
  ...request,
  left,
  get json() {
    return JSON.parse(request.body.toString()) as unknown;
  },
});

function chosen(answers: UpstreamAnswers, call: UpstreamCall, at: number): UpstreamAnswer | Promise<UpstreamAnswer> {
  if (typeof answers === "function") return answers(call, at);
  if (!isList(answers)) return answers;
  const answer = answers[at];
  if (answer) return answer;
  throw new Error(`this is call ${at + 1} (${call.method} ${call.url}), and the test has ${answers.length} answers`);
}

const isList = (answers: UpstreamAnswer | readonly UpstreamAnswer[]): answers is readonly UpstreamAnswer[] =>
  Array.isArray(answers);

/** A test whose answers fail is to see why: in what the gateway makes of it. */
async function give(response: ServerResponse, answering: () => UpstreamAnswer | Promise<UpstreamAnswer>) {
  try {
    await write(response, await answering());
  } catch (error) {
    if (response.headersSent) response.destroy();
    else answerJson(response, 500, { error: { message: `The upstream of the test: ${errorMessage(error)}` } });
  }
}

async function write(response: ServerResponse, { status = 200, headers, ...body }: UpstreamAnswer): Promise<void> {
  const { json, text, events, cut = false } = body;
  const type = events ? "text/event-stream" : json === undefined ? "text/plain" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  // So that those who wait for the head have it before the first event is there.
  if (events) response.flushHeaders();
  for await (const event of events ?? []) {
    if (response.closed) return;
    await sent(response, `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  }
  const whole = json === undefined ? text : JSON.stringify(json);
  if (!cut) response.end(whole);
  else if (await sent(response, whole ?? "")) response.destroy();
}

/** Whether it has left; it has not where nobody is there any more. */
const sent = (response: ServerResponse, text: string): Promise<boolean> =>
  text === ""
    ? Promise.resolve(true)
    : new Promise((resolve) => {
        response.write(text, (error) => resolve(!error));
      });
