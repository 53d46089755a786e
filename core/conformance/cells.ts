import type { ServerResponse } from "node:http";
import { errorMessage } from "../errors/error-message.ts";
import type { Format } from "../model/format.ts";
import type { OperationName, ResponseOf } from "../model/operations.ts";
import type { Usage } from "../model/usage.ts";
import { framingRules } from "../pipeline/stream/framing.ts";
import { isAskedForUsage, type StreamAnswer, streamAnswer, type WholeAnswer, wholeAnswer } from "./answers.ts";
import type { Subject } from "./cases.ts";
import type { Inspected } from "./inspect.ts";
import { same } from "./same.ts";
import { contextOf, framesOf, readStream } from "./speaking.ts";
import { type Answering, ask, canSay, excerpt, type Seen, type Trial } from "./trial.ts";
import { answerJson } from "./vendor.ts";

/** An exchange that went to its end, and what was meant to come of it. */
export interface Heard {
  readonly seen: Seen;
  /** What the vendor meant; absent when it was not asked. */
  readonly meant: Pick<StreamAnswer, "response" | "usage"> | undefined;
  /** What the client read. */
  readonly response: ResponseOf<OperationName> | undefined;
  readonly usage: Usage | undefined;
  /** Everything that is wrong, the first cause first. */
  readonly problems: readonly string[];
}

/** Asks for a whole answer and gets it. */
export async function whole(trial: Trial, subject: Subject): Promise<Heard> {
  let sent: WholeAnswer | undefined;
  const seen = await answered(trial, subject, false, (response, inspected) => {
    sent = wholeAnswer(trial, subject, inspected);
    answerJson(response, 200, sent.wire);
  });
  const { client, kase } = trial;
  const problems = [...seen.problems];
  let response: ResponseOf<OperationName> | undefined;
  if (seen.answer.status !== 200) problems.push(`the client was answered ${excerpt(seen.answer)}`);
  else {
    try {
      response = client.decodeResponse(JSON.parse(seen.answer.bytes.toString()));
      if (sent) problems.push(...differences(kase.essence(sent.response), kase.essence(response)));
    } catch (error) {
      problems.push(`a client of ${client.name} cannot read the answer: ${errorMessage(error)}`);
    }
  }
  const meant = sent && { response: sent.response, usage: sent.response.usage };
  return { seen, meant, response, usage: response?.usage, problems };
}

/** Asks for a stream and gets all of it. A vendor that was asked for a whole answer gives one, and the client reads it. */
export async function streamed(trial: Trial, subject: Subject): Promise<Heard> {
  let sent: Pick<StreamAnswer, "response" | "usage"> | undefined;
  const seen = await answered(trial, subject, true, (response, inspected) => {
    if (!inspected.asksStream) {
      const { wire, response: meant } = wholeAnswer(trial, subject, inspected);
      sent = { response: meant, usage: meant.usage };
      return answerJson(response, 200, wire);
    }
    const stream = streamAnswer(trial, subject, inspected);
    sent = stream;
    openStream(trial, response);
    for (const piece of stream.pieces) response.write(piece);
    response.end();
  });
  const { client, kase } = trial;
  const problems = [...seen.problems];
  if (seen.answer.status !== 200) problems.push(`the client was answered ${excerpt(seen.answer)}`);
  const read = readStream(client, seen.answer.bytes);
  if (seen.answer.status === 200 && !read.complete) problems.push(`the client's stream is not complete: ${read.error}`);
  if (sent) problems.push(...differences(kase.essence(sent.response), kase.essence(read.response)));
  return { seen, meant: sent, response: read.response, usage: read.usage, problems };
}

/** Opens an answer as the vendor's streams begin. */
export function openStream({ spec, format }: Trial, response: ServerResponse): void {
  response.writeHead(200, { "content-type": framingRules(spec.framing ?? format.framing).contentType });
}

/** Whether both sides stream the operation. */
export const streams = ({ kase, format, client }: Trial): boolean =>
  kase.chunks !== undefined && [format, client].every(({ encodeStream, decodeStream }) => encodeStream && decodeStream);

/**
 * What is wrong with tools or images; undefined where a format or the vendor has none. A provider that declares the loss
 * to the client says that its vendor has none.
 */
export async function subjectProblems(
  trial: Trial,
  subject: Subject,
  plain: Heard,
): Promise<readonly string[] | undefined> {
  if (![trial.format, trial.client].every((format) => canSay(trial, format, subject))) return undefined;
  const heard = [await whole(trial, subject)];
  if (streams(trial)) heard.push(await streamed(trial, subject));
  const lost = heard.every(({ seen }) => isDeclared(seen, plain.seen));
  return lost ? undefined : heard.flatMap(({ problems }) => problems);
}

const isDeclared = ({ inspected, dropped }: Seen, plain: Seen): boolean =>
  (inspected?.missing.length ?? 0) > 0 && dropped.some((name) => !plain.dropped.includes(name));

/** What is wrong with how usage was counted and told; undefined where the formats tell none. */
export function usageProblems(
  trial: Trial,
  heard: readonly (Heard & { readonly stream: boolean })[],
): readonly string[] | undefined {
  const told = heard.filter(({ meant, seen, stream }) => meant?.usage ?? (stream && seen.inspected));
  if (told.length === 0) return undefined;
  return told.flatMap(({ meant, seen, usage, stream }) => {
    const what = stream ? "of a stream" : "of a whole answer";
    if (!meant?.usage) return isAskedForUsage(trial) ? [`the vendor was not asked for the usage ${what}`] : [];
    const carried = stream
      ? carriedByStream(trial, meant.usage)
      : carriedWhole(trial.client, trial.model, meant.response);
    const own = stream ? "normaliseFrame" : "normalise";
    const remedy = trial.spec[own]
      ? `; where the vendor counts in words that ${own} reads, a fixture has to show them`
      : "";
    return [
      ...unequal(`the usage ${what} was recorded as`, meant.usage, seen.usage).map((wrong) => wrong + remedy),
      ...(carried ? unequal(`the client was told the usage ${what} as`, carried, usage) : []),
    ];
  });
}

function carriedWhole(client: Format, model: string, response: ResponseOf<OperationName>): Usage | undefined {
  const wire = client.encodeResponse(response, contextOf({ model, includeUsage: true, asked: undefined }));
  return client.decodeResponse(wire).usage;
}

function carriedByStream({ kase, client, model }: Trial, usage: Usage): Usage | undefined {
  const chunks = (kase.chunks?.("plain", model) ?? []).map((chunk) =>
    chunk.type === "usage" ? { ...chunk, usage } : chunk,
  );
  const frames = framesOf(client, chunks, { model, includeUsage: true });
  return readStream(client, Buffer.from(frames.join(""), framingRules(client.framing).encoding)).usage;
}

/** Buckets that should be there and are not, or are others. A bucket nobody reported may be anything. */
function unequal(what: string, expected: Usage, found: Usage | undefined): string[] {
  const wrong = Object.entries(expected).some(
    ([bucket, count]) => count !== undefined && (found as Record<string, unknown> | undefined)?.[bucket] !== count,
  );
  return wrong
    ? [`${what} ${found ? JSON.stringify(found) : "nothing"} and should be ${JSON.stringify(expected)}`]
    : [];
}

const differences = (expected: unknown, found: unknown): string[] =>
  same(expected, found)
    ? []
    : [`the client read ${JSON.stringify(found)} where the vendor said ${JSON.stringify(expected)}`];

/** The mock has no words of its own where the vendor's answer is not known: that is told instead of a broken answer. */
async function answered(trial: Trial, subject: Subject, stream: boolean, answering: Answering): Promise<Seen> {
  let trouble: string | undefined;
  const seen = await ask(trial, subject, stream, (response: ServerResponse, inspected: Inspected) => {
    try {
      answering(response, inspected);
    } catch (error) {
      trouble = errorMessage(error);
      answerJson(response, 501, { error: { message: trouble } });
    }
  });
  return trouble === undefined ? seen : { ...seen, problems: [...seen.problems, trouble] };
}
