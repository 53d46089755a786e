import type { ServerResponse } from "node:http";
import { errorMessage } from "../errors/error-message.ts";
import { streamAnswer } from "./answers.ts";
import { openStream } from "./cells.ts";
import type { Inspected } from "./inspect.ts";
import { bytesOf, errorBody, failingFrames, readStream } from "./speaking.ts";
import { ask, begin, excerpt, type Trial, within } from "./trial.ts";
import { answerJson } from "./vendor.ts";

const refusals = [
  { status: 429, message: "Stand-in trouble: too many requests." },
  { status: 500, message: "Stand-in trouble: the machine is on fire." },
];

/** How much of a stream is sent before something happens to it, in frames. */
const before = 4;

/** What is wrong with how refusals, and where the vendor streams failures in the middle of one, reach the client. */
export async function errorProblems(trial: Trial, stream: boolean): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const refusal of refusals) problems.push(...(await refused(trial, refusal)));
  if (!stream) return problems;
  return [...problems, ...(await failedStream(trial)), ...(await cutStream(trial))];
}

async function refused(trial: Trial, { status, message }: (typeof refusals)[number]): Promise<string[]> {
  const { answer, inspected, problems } = await ask(trial, "plain", false, (response) => {
    const { body, headers } = errorBody(trial.format, status, message);
    answerJson(response, status, body, headers);
  });
  if (!inspected) return [...problems];
  if (answer.status !== status) return [`a ${status} of the vendor reached the client as ${excerpt(answer)}`];
  return answer.bytes.includes(message)
    ? []
    : [`what the vendor said with its ${status} did not reach the client: ${excerpt(answer)}`];
}

/** A stream that reports an error after it has begun. */
function failedStream(trial: Trial): Promise<string[]> {
  const { format, spec, kase, model } = trial;
  return brokenStream(trial, "an error inside a stream", (response, inspected) => {
    const chunks = (kase.chunks?.("plain", model) ?? []).slice(0, before);
    const frames = failingFrames(format, chunks, { ...inspected, model }, { message: "Stand-in trouble." });
    for (const frame of frames) response.write(bytesOf(frame, format, spec));
    response.end();
  });
}

/** A stream whose connection breaks. */
function cutStream(trial: Trial): Promise<string[]> {
  return brokenStream(trial, "a stream that was cut", (response, inspected) => {
    const { pieces } = streamAnswer(trial, "plain", inspected);
    response.write(Buffer.concat(pieces.slice(0, before)), () => response.destroy());
  });
}

async function brokenStream(
  trial: Trial,
  what: string,
  send: (response: ServerResponse, inspected: Inspected) => void,
): Promise<string[]> {
  const { answer, inspected, problems } = await ask(trial, "plain", true, (response, seen) => {
    openStream(trial, response);
    attempt(response, () => send(response, seen));
  });
  if (!inspected) return [...problems];
  if (answer.status !== 200 || answer.broken) return [];
  return readStream(trial.client, answer.bytes).complete ? [`${what} is shown to the client as a whole answer`] : [];
}

/** What is wrong when the client leaves in the middle: the vendor has to see its connection end. */
export async function abortProblems(trial: Trial, stream: boolean): Promise<readonly string[]> {
  const { deadline, vendor } = trial;
  const { call, recorded } = begin(trial, "plain", stream, (response, inspected) => {
    if (!stream) return;
    openStream(trial, response);
    attempt(response, () =>
      response.write(Buffer.concat(streamAnswer(trial, "plain", inspected).pieces.slice(0, before))),
    );
  });
  try {
    const { left } = await within(
      Promise.race([vendor.called, refusedEarly(call.answer)]),
      deadline,
      "the vendor was not called",
    );
    if (stream) await within(call.begun, deadline, "the beginning of the stream did not reach the client");
    call.leave();
    await within(left, deadline, "the client left, and the call to the vendor was not ended");
    await within(recorded, deadline, "the client left, and the gateway recorded nothing");
    return [];
  } catch (error) {
    return [errorMessage(error)];
  } finally {
    call.leave();
  }
}

/** An answer where the vendor keeps silent is one without it. */
const refusedEarly = async (answer: ReturnType<typeof begin>["call"]["answer"]): Promise<never> => {
  throw new Error(`the vendor was not called; the client was answered ${excerpt(await answer)}`);
};

/** A part that cannot be played ends the connection: the request is then told apart by what the client sees. */
function attempt(response: ServerResponse, send: () => void): void {
  try {
    send();
  } catch {
    response.destroy();
  }
}
