import { allowedIn } from "./allowed-tools.ts";
import { type Answer, answerTo, type PromptTokens, promptTokens } from "./answer.ts";
import { type Dialect, type Frame, type Reply, sse } from "./dialect.ts";
import { openAiErrors } from "./openai-errors.ts";
import { type Question, readMessages, toolSegment } from "./question.ts";
import { countIn, isRecord, numberIn, Refusal, recordsIn, textIn, textsIn, type Wire } from "./wire.ts";
import { created, piecesOf } from "./words.ts";

const finishReasons = { stop: "stop", length: "length", "tool-calls": "tool_calls" } as const;

export const openAiChat: Dialect = { format: "openai-chat", reply, ...openAiErrors };

function reply(wire: Wire, digest: string): Reply {
  const question = read(wire);
  const answers = Array.from({ length: countIn(wire.n) }, (_, index) => answerTo(question, index));
  const usage = usageOf(promptTokens(question.segments), answers);
  const head = { id: `chatcmpl-${digest.slice(0, 24)}`, created, model: question.model };
  if (wire.stream === true) return { frames: framesOf({ ...head, answers, usage, digest }, wire.stream_options) };
  const choices = answers.map((answer, index) => ({
    index,
    message: messageOf(answer, digest, index),
    logprobs: null,
    finish_reason: finishReasons[answer.finish],
  }));
  return { whole: { ...head, object: "chat.completion", choices, usage } };
}

function read(wire: Wire): Question {
  const messages = recordsIn(wire.messages);
  if (messages.length === 0) throw new Refusal(400, "messages: a list of at least one message is required.");
  const tools = recordsIn(wire.tools).filter(({ function: tool }) => isRecord(tool));
  const offered = tools.map((tool) => tool.function as Wire);
  const { segments, ...asked } = readMessages(messages);
  return {
    ...asked,
    model: textIn(wire.model),
    segments: [...tools.map((tool, at) => toolSegment(offered[at] ?? {}, tool.cache_control)), ...segments],
    tools: offered.map(({ name, parameters }) => ({ name: textIn(name), schema: parameters ?? { type: "object" } })),
    toolChoice: toolChoiceOf(wire.tool_choice),
    ...allowedIn(wire.tool_choice),
    parallel: wire.parallel_tool_calls !== false,
    thinks: thinks(wire),
    schema: schemaOf(wire.response_format),
    stop: textsIn(wire.stop),
    maxTokens: numberIn(wire.max_completion_tokens) ?? numberIn(wire.max_tokens),
  };
}

function toolChoiceOf(choice: unknown): Question["toolChoice"] {
  if (choice === "none" || choice === "required") return choice;
  const named = isRecord(choice) && isRecord(choice.function) ? textIn(choice.function.name) : "";
  return named === "" ? "auto" : { name: named };
}

function thinks({ reasoning_effort: effort, thinking }: Wire): boolean {
  if (isRecord(thinking)) return thinking.type !== "disabled";
  return typeof effort === "string" && effort !== "none";
}

function schemaOf(format: unknown): unknown {
  if (!isRecord(format)) return undefined;
  if (format.type === "json_object")
    return { type: "object", required: ["answer"], properties: { answer: { type: "string" } } };
  return format.type === "json_schema" && isRecord(format.json_schema) ? format.json_schema.schema : undefined;
}

const callId = (digest: string, choice: number, at: number) => `call_${digest.slice(0, 16)}_${choice}_${at}`;

function messageOf(answer: Answer, digest: string, choice: number): Wire {
  const toolCalls = answer.calls.map(({ name, arguments: input }, at) => ({
    id: callId(digest, choice, at),
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return {
    role: "assistant",
    content: answer.calls.length > 0 ? null : answer.text,
    refusal: null,
    ...(answer.thinking !== "" && { reasoning_content: answer.thinking }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  };
}

function usageOf({ fresh, cacheRead, cacheWrite }: PromptTokens, answers: readonly Answer[]): Wire {
  const reasoning = answers.reduce((sum, { thinkingTokens }) => sum + thinkingTokens, 0);
  const completion = reasoning + answers.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
  const prompt = fresh + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cacheRead, ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }) },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

interface Streamed {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly answers: readonly Answer[];
  readonly usage: Wire;
  readonly digest: string;
}

/** For each answer: its role, its pieces, its finish reason. Then the usage, when asked for, and the terminator. */
function framesOf({ id, created, model, answers, usage, digest }: Streamed, options: unknown): Frame[] {
  const counted = isRecord(options) && options.include_usage === true;
  const head = { id, object: "chat.completion.chunk", created, model };
  const frame = (index: number, delta: Wire, reason: string | null = null): string =>
    sse({
      ...head,
      choices: [{ index, delta, logprobs: null, finish_reason: reason }],
      ...(counted && { usage: null }),
    });
  const frames = answers.flatMap((answer, index): Frame[] => [
    { text: frame(index, { role: "assistant", content: "" }) },
    ...deltasOf(answer, digest, index).map((delta) => ({ text: frame(index, delta) })),
    { text: frame(index, {}, finishReasons[answer.finish]), part: "finish" },
  ]);
  if (counted) frames.push({ text: sse({ ...head, choices: [], usage }) });
  return [...frames, { text: sse("[DONE]"), part: "terminator" }];
}

const deltasOf = (answer: Answer, digest: string, choice: number): Wire[] => [
  ...piecesOf(answer.thinking).map((piece) => ({ reasoning_content: piece })),
  ...piecesOf(answer.text).map((piece) => ({ content: piece })),
  ...answer.calls.flatMap(({ name, arguments: input }, index) => [
    {
      tool_calls: [{ index, id: callId(digest, choice, index), type: "function", function: { name, arguments: "" } }],
    },
    ...piecesOf(JSON.stringify(input)).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]),
];
