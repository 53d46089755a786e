import {
  type ChatResponse,
  chunksOf,
  type EncodeContext,
  type Fields,
  type FinishReason,
} from "../../../core/index.ts";
import { readExtra } from "../extra.ts";
import { isBeyondFunctions } from "../request/beyond-functions.ts";
import { aboutTools, echoOf, responseObject, responseText, type State } from "./head.ts";
import { type ContentChunk, OutputWriter } from "./output-writer.ts";
import { incompleteReason } from "./status.ts";

/** An answer with its output in one piece. */
export const encodeResponse = (response: ChatResponse, context: EncodeContext): Fields =>
  responseObject({ head: response, context, echo: echoOf(context.asked) }, stateOf(response, context));

/** The same as it is sent. */
export const writeResponse = (response: ChatResponse, context: EncodeContext) => ({
  bytes: Buffer.from(responseText({ head: response, context }, stateOf(response, context))),
  contentType: "application/json",
});

/** The format has room for one choice: the first. */
function stateOf(response: ChatResponse, context: EncodeContext): State {
  const [choice] = response.choices;
  const reason = choice?.finishReason ?? "other";
  const writer = new OutputWriter(context, response.id);
  if (choice) write(choice, writer);
  writer.close(reason);
  return {
    output: writer.output,
    moderation: response.moderation,
    usage: response.usage,
    ...endState(reason),
    ...ownState(choice?.extra, context.asked),
  };
}

/** Most answers are one text, which is no piece of a stream. */
function write(choice: ChatResponse["choices"][number], writer: OutputWriter): void {
  const [only, ...more] = choice.content;
  const isOneText = more.length === 0 && only?.type === "text" && only.text !== "" && choice.logprobs === undefined;
  if (isOneText) writer.add({ type: "part", choice: 0, part: 0, value: only });
  else for (const chunk of chunksOf({ choices: [choice] })) if (isContent(chunk)) writer.add(chunk);
}

export const isContent = (chunk: { readonly type: string }): chunk is ContentChunk => "part" in chunk;

/** Status and reason of an answer that was given. */
export function endState(reason: FinishReason): { status: string; incomplete?: string } {
  const incomplete = incompleteReason(reason);
  return incomplete === undefined ? { status: "completed" } : { status: "incomplete", incomplete };
}

/** What came with an answer of this format. Of tools that its vendor may know as functions only, a client is told what it said itself. */
export function ownState(
  extra: Parameters<typeof readExtra>[0],
  asked: Readonly<Fields> | undefined,
): Pick<State, "own" | "moreUsage"> {
  const { kept, fields, usage } = readExtra(extra);
  const own: Fields = { ...kept, ...fields };
  if (isBeyondFunctions(asked)) for (const name of aboutTools) delete own[name];
  return { own, moreUsage: usage };
}
