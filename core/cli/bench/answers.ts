import { eventFrame } from "../../http/aws-event-stream/events.ts";
import type { BenchFormat } from "./formats.ts";

/** What a vendor of each chat format answers, made once. Data only. */
export interface Answers {
  readonly whole: Buffer;
  readonly contentType: string;
  /** Frames before the text, one of the text, and those behind it. */
  readonly first: Buffer;
  readonly middle: Buffer;
  readonly last: Buffer;
}

const text = "All work and no play. ".repeat(30);
const word = " word";
const created = 1_767_225_600;
const model = "bench";

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const named = (value: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${value.type}\n${data(value)}`;
const joined = (...frames: readonly string[]): Buffer => Buffer.from(frames.join(""));
const binary = (...frames: readonly string[]): Buffer => Buffer.from(frames.join(""), "latin1");

const events = "text/event-stream";

function chat(): Answers {
  const head = { id: "chatcmpl-bench", created, model };
  const frame = (delta: object, finish: string | null) =>
    data({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] });
  return {
    whole: json({
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage: { prompt_tokens: 100, completion_tokens: 150, total_tokens: 250 },
    }),
    contentType: events,
    first: joined(frame({ role: "assistant", content: "" }, null)),
    middle: joined(frame({ content: word }, null)),
    last: joined(frame({}, "stop"), "data: [DONE]\n\n"),
  };
}

function responses(): Answers {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 150,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 250,
  };
  const head = { id: "resp_bench", object: "response", created_at: created, model, error: null };
  const part = (said: string) => ({ type: "output_text", text: said, annotations: [] });
  const item = (status: string, content: readonly object[]) => ({
    id: "msg_bench",
    type: "message",
    status,
    role: "assistant",
    content,
  });
  const answer = (status: string, output: readonly object[]) => ({ ...head, status, output, usage });
  const place = { item_id: "msg_bench", output_index: 0, content_index: 0 };
  return {
    whole: json(answer("completed", [item("completed", [part(text)])])),
    contentType: events,
    first: joined(
      named({ type: "response.created", sequence_number: 0, response: answer("in_progress", []) }),
      named({
        type: "response.output_item.added",
        sequence_number: 1,
        output_index: 0,
        item: item("in_progress", []),
      }),
      named({ type: "response.content_part.added", sequence_number: 2, ...place, part: part("") }),
    ),
    middle: joined(named({ type: "response.output_text.delta", sequence_number: 3, ...place, delta: word })),
    last: joined(
      named({
        type: "response.completed",
        sequence_number: 4,
        response: answer("completed", [item("completed", [part(text)])]),
      }),
    ),
  };
}

function messages(): Answers {
  const usage = { input_tokens: 100, output_tokens: 150 };
  const message = { id: "msg_bench", type: "message", role: "assistant", model, stop_sequence: null };
  const place = { index: 0 };
  return {
    whole: json({ ...message, content: [{ type: "text", text }], stop_reason: "end_turn", usage }),
    contentType: events,
    first: joined(
      named({ type: "message_start", message: { ...message, content: [], stop_reason: null, usage } }),
      named({ type: "content_block_start", ...place, content_block: { type: "text", text: "" } }),
    ),
    middle: joined(named({ type: "content_block_delta", ...place, delta: { type: "text_delta", text: word } })),
    last: joined(
      named({ type: "content_block_stop", ...place }),
      named({ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage }),
      named({ type: "message_stop" }),
    ),
  };
}

function gemini(): Answers {
  const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 150, totalTokenCount: 250 };
  const answer = (said: string, more: object) => ({
    candidates: [{ content: { parts: [{ text: said }], role: "model" }, index: 0, ...more }],
    usageMetadata,
    modelVersion: model,
    responseId: "bench",
  });
  return {
    whole: json(answer(text, { finishReason: "STOP" })),
    contentType: events,
    first: joined(data(answer(word, {}))),
    middle: joined(data(answer(word, {}))),
    last: joined(data(answer("", { finishReason: "STOP" }))),
  };
}

function cohere(): Answers {
  const tokens = { input_tokens: 100, output_tokens: 150 };
  const usage = { billed_units: tokens, tokens };
  const content = (said: string) => ({ type: "text", text: said });
  return {
    whole: json({
      id: "bench",
      finish_reason: "COMPLETE",
      message: { role: "assistant", content: [content(text)] },
      usage,
    }),
    contentType: events,
    first: joined(
      named({
        type: "message-start",
        id: "bench",
        delta: { message: { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] } },
      }),
      named({ type: "content-start", index: 0, delta: { message: { content: content("") } } }),
    ),
    middle: joined(named({ type: "content-delta", index: 0, delta: { message: { content: { text: word } } } })),
    last: joined(
      named({ type: "content-end", index: 0 }),
      named({ type: "message-end", delta: { finish_reason: "COMPLETE", usage } }),
    ),
  };
}

function converse(): Answers {
  const usage = { inputTokens: 100, outputTokens: 150, totalTokens: 250 };
  const metrics = { latencyMs: 100 };
  const frame = (event: string, value: object) => eventFrame(event, JSON.stringify(value));
  const place = { contentBlockIndex: 0 };
  return {
    whole: json({
      output: { message: { role: "assistant", content: [{ text }] } },
      stopReason: "end_turn",
      usage,
      metrics,
    }),
    contentType: "application/vnd.amazon.eventstream",
    first: binary(frame("messageStart", { role: "assistant" })),
    middle: binary(frame("contentBlockDelta", { ...place, delta: { text: word } })),
    last: binary(
      frame("contentBlockStop", place),
      frame("messageStop", { stopReason: "end_turn" }),
      frame("metadata", { usage, metrics }),
    ),
  };
}

export const answers: Readonly<Record<BenchFormat, Answers>> = {
  chat: chat(),
  responses: responses(),
  messages: messages(),
  gemini: gemini(),
  cohere: cohere(),
  converse: converse(),
};
