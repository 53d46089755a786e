import type { FormatName, Wire } from "./wire.ts";

/** What a client makes of an answer. */
export interface Heard {
  readonly id: string | undefined;
  readonly text: string;
  readonly calls: boolean;
  /** Tokens of the answer, where that is told. */
  readonly output: number | undefined;
  /** It has come to its end, and nothing in it says otherwise. */
  readonly isWhole: boolean;
}

/** What broke off in the middle is as it is. */
function calledWith(text: string): string {
  try {
    return JSON.parse(text).said;
  } catch {
    return text;
  }
}

/** Clients that are not strict are told the vendor's own word. */
const isEnd = (reason: string, calls: boolean): boolean =>
  (calls ? ["tool_calls", "tool_use", "STOP"] : ["stop", "end_turn", "STOP"]).includes(reason);

const wholes: Readonly<Record<FormatName, (body: Wire) => Heard>> = {
  chat: ({ id, choices: [{ message, finish_reason }], usage }) => {
    const call = message.tool_calls?.[0];
    return {
      id,
      text: call ? calledWith(call.function.arguments) : message.content,
      calls: call !== undefined,
      output: usage?.completion_tokens,
      isWhole: isEnd(finish_reason, call !== undefined),
    };
  },
  messages: ({ id, content: [block], stop_reason, usage }) => ({
    id,
    text: block.type === "tool_use" ? block.input.said : block.text,
    calls: block.type === "tool_use",
    output: usage.output_tokens,
    isWhole: stop_reason === (block.type === "tool_use" ? "tool_use" : "end_turn"),
  }),
  responses: ({ id, output: [item], status, usage }) => ({
    id: `${id} ${item.id}`,
    text: item.type === "function_call" ? calledWith(item.arguments) : item.content[0].text,
    calls: item.type === "function_call",
    output: usage?.output_tokens,
    isWhole: status === "completed",
  }),
  gemini: ({ responseId, candidates: [{ content, finishReason }], usageMetadata }) => {
    const call = content.parts.find((part: Wire) => part.functionCall)?.functionCall;
    return {
      id: responseId,
      text: call ? call.args.said : content.parts.map(({ text = "" }: Wire) => text).join(""),
      calls: call !== undefined,
      output: usageMetadata?.candidatesTokenCount,
      isWhole: finishReason === "STOP",
    };
  },
};

interface Frame {
  readonly event: string | undefined;
  readonly data: string;
}

const framesOf = (text: string): Frame[] =>
  text
    .split(/\r?\n\r?\n/)
    .map((frame) => ({
      event: /^event: ?(.*)$/m.exec(frame)?.[1],
      data: /^data: ?(.*)$/m.exec(frame)?.[1] ?? "",
    }))
    .filter(({ data, event }) => data !== "" && !data.startsWith('{"hook_results"') && event !== "hook_results");

const streams: Readonly<Record<FormatName, (frames: readonly Frame[]) => Heard>> = {
  chat: (frames) => {
    const chunks: Wire[] = frames.filter(({ data }) => data !== "[DONE]").map(({ data }) => JSON.parse(data));
    const deltas = chunks.flatMap(({ choices = [] }) => choices.map(({ delta }: Wire) => delta));
    const calls = deltas.flatMap(({ tool_calls = [] }) => tool_calls);
    const reason = chunks
      .flatMap(({ choices = [] }) => choices.map((choice: Wire) => choice.finish_reason))
      .findLast(Boolean);
    return {
      id: chunks[0]?.id,
      text: calls.length
        ? calledWith(calls.map((call: Wire) => call.function?.arguments ?? "").join(""))
        : deltas.map(({ content }) => content ?? "").join(""),
      calls: calls.length > 0,
      output: chunks.find(({ usage }) => usage)?.usage.completion_tokens,
      isWhole: frames.at(-1)?.data === "[DONE]" && isEnd(reason, calls.length > 0),
    };
  },
  messages: (frames) => {
    const events: Wire[] = frames.map(({ data }) => JSON.parse(data));
    const deltas = events.filter(({ type }) => type === "content_block_delta").map(({ delta }) => delta);
    const calls = events.some(({ content_block }) => content_block?.type === "tool_use");
    const end = events.findLast(({ type }) => type === "message_delta");
    return {
      id: events[0]?.message?.id,
      text: calls
        ? calledWith(deltas.map(({ partial_json = "" }) => partial_json).join(""))
        : deltas.map(({ text = "" }) => text).join(""),
      calls,
      output: end?.usage?.output_tokens,
      isWhole: events.at(-1)?.type === "message_stop" && end?.delta.stop_reason === (calls ? "tool_use" : "end_turn"),
    };
  },
  responses: (frames) => {
    const last: Wire = JSON.parse(frames.at(-1)?.data ?? "{}");
    if (last.type !== "response.completed")
      return { id: undefined, text: "", calls: false, output: undefined, isWhole: false };
    const deltas = frames
      .map(({ data }) => JSON.parse(data))
      .filter(({ type }) => /(?:text|arguments)\.delta$/.test(type));
    const said = deltas.map(({ delta }) => delta).join("");
    const heard = wholes.responses(last.response);
    return { ...heard, isWhole: heard.isWhole && (heard.calls ? calledWith(said) : said) === heard.text };
  },
  gemini: (frames) => {
    const pieces: Wire[] = frames.map(({ data }) => JSON.parse(data));
    const last = pieces.at(-1);
    const parts = pieces.flatMap(({ candidates = [] }) => candidates.flatMap((one: Wire) => one.content?.parts ?? []));
    const call = parts.find((part) => part.functionCall)?.functionCall;
    return {
      id: last?.responseId,
      text: call ? call.args.said : parts.map(({ text = "" }) => text).join(""),
      calls: call !== undefined,
      output: pieces.findLast(({ usageMetadata }) => usageMetadata?.candidatesTokenCount !== undefined)?.usageMetadata
        .candidatesTokenCount,
      isWhole: pieces.some(({ candidates = [] }) => candidates[0]?.finishReason === "STOP"),
    };
  },
};

const isError = ({ event, data }: Frame): boolean => event === "error" || /^\{"(?:type":"error","|)error"/.test(data);

/** Reads a success. A stream that says it is broken is not whole. */
export function hear(format: FormatName, stream: boolean, text: string): Heard {
  if (!stream) return wholes[format](JSON.parse(text));
  const frames = framesOf(text);
  const heard = streams[format](frames.filter((frame) => !isError(frame)));
  return frames.some(isError) ? { ...heard, isWhole: false } : heard;
}
