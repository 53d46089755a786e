import { type Answer, answerTo, type PromptTokens, promptTokens, totalOf } from "./answer.ts";
import { type Dialect, type Frame, type Reply, sse } from "./dialect.ts";
import { type Question, readMessages, segmentsOf, toolSegment } from "./question.ts";
import { isRecord, numberIn, Refusal, recordsIn, textIn, textsIn, type Wire } from "./wire.ts";
import { piecesOf } from "./words.ts";

const stopReasons = { stop: "end_turn", length: "max_tokens", "tool-calls": "tool_use" } as const;

const errorTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const errorOf = (type: string, message: string): Wire => ({ type: "error", error: { type, message } });

export const anthropicMessages: Dialect = {
  format: "anthropic-messages",
  reply,
  errorBody: (status, message) =>
    errorOf(errorTypes[status] ?? (status < 500 ? "invalid_request_error" : "api_error"), message),
  errorFrame: () => sse(errorOf("overloaded_error", "Simulated failure inside the stream."), "error"),
  malformedFrame: sse('{"type":"content_block_delta","index":', "content_block_delta"),
};

export const anthropicCount: Dialect = {
  ...anthropicMessages,
  format: "anthropic-count-tokens",
  reply: (wire) => ({ whole: { input_tokens: totalOf(read({ max_tokens: 1, ...wire }).segments) } }),
};

function reply(wire: Wire, digest: string): Reply {
  const question = read(wire);
  const answer = answerTo(question);
  const prompt = promptTokens(question.segments);
  const head = { id: `msg_${digest.slice(0, 24)}`, type: "message", role: "assistant", model: question.model };
  const content = contentOf(answer, digest);
  if (wire.stream === true) return { frames: framesOf(head, answer, content, prompt) };
  return { whole: { ...head, content, ...stopOf(answer), usage: { ...promptUsage(prompt), ...outputUsage(answer) } } };
}

function read(wire: Wire): Question {
  const messages = recordsIn(wire.messages);
  if (messages.length === 0) throw new Refusal(400, "messages: at least one message is required");
  const maxTokens = numberIn(wire.max_tokens);
  if (maxTokens === undefined) throw new Refusal(400, "max_tokens: Field required");
  const tools = recordsIn(wire.tools).filter((tool) => isRecord(tool.input_schema));
  const { segments, ...asked } = readMessages(messages);
  const toolChoice = isRecord(wire.tool_choice) ? wire.tool_choice : {};
  const output = isRecord(wire.output_config) && isRecord(wire.output_config.format) ? wire.output_config.format : {};
  return {
    ...asked,
    model: textIn(wire.model),
    segments: [
      ...tools.map((tool) => toolSegment(tool, tool.cache_control)),
      ...segmentsOf(wire.system ?? []),
      ...segments,
    ],
    tools: tools.map(({ name, input_schema: schema }) => ({ name: textIn(name), schema })),
    toolChoice: toolChoiceOf(toolChoice),
    parallel: toolChoice.disable_parallel_tool_use !== true,
    thinks: isRecord(wire.thinking) && wire.thinking.type !== "disabled",
    schema: output.schema,
    stop: textsIn(wire.stop_sequences),
    maxTokens,
  };
}

function toolChoiceOf({ type, name }: Wire): Question["toolChoice"] {
  switch (type) {
    case "any":
      return "required";
    case "none":
      return "none";
    case "tool":
      return { name: textIn(name) };
    default:
      return "auto";
  }
}

const contentOf = (answer: Answer, digest: string): Wire[] => [
  ...(answer.thinking === "" ? [] : [{ type: "thinking", thinking: answer.thinking, signature: answer.signature }]),
  ...(answer.text === "" ? [] : [{ type: "text", text: answer.text }]),
  ...answer.calls.map(({ name, arguments: input }, at) => ({
    type: "tool_use",
    id: `toolu_${digest.slice(0, 22)}${at}`,
    name,
    input,
  })),
];

const stopOf = ({ finish, stopSequence }: Answer): Wire => ({
  stop_reason: stopSequence === undefined ? stopReasons[finish] : "stop_sequence",
  stop_sequence: stopSequence ?? null,
});

const promptUsage = ({ fresh, cacheRead, cacheWrite, hour }: PromptTokens): Wire => ({
  input_tokens: fresh,
  cache_creation_input_tokens: cacheWrite,
  cache_read_input_tokens: cacheRead,
  ...(cacheWrite > 0 && {
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite - hour, ephemeral_1h_input_tokens: hour },
  }),
});

const outputUsage = ({ outputTokens, thinkingTokens }: Answer): Wire => ({
  output_tokens: outputTokens + thinkingTokens,
  ...(thinkingTokens > 0 && { output_tokens_details: { thinking_tokens: thinkingTokens } }),
});

function framesOf(head: Wire, answer: Answer, content: readonly Wire[], prompt: PromptTokens): Frame[] {
  const event = (wire: Wire): Frame => ({ text: sse(wire, textIn(wire.type)) });
  const usage = { ...promptUsage(prompt), output_tokens: 0 };
  const message = { ...head, content: [], stop_reason: null, stop_sequence: null, usage };
  return [
    event({ type: "message_start", message }),
    ...content.flatMap((block, index) => [
      event({ type: "content_block_start", index, content_block: emptied(block) }),
      ...deltasOf(block).map((delta) => event({ type: "content_block_delta", index, delta })),
      event({ type: "content_block_stop", index }),
    ]),
    { ...event({ type: "message_delta", delta: stopOf(answer), usage: outputUsage(answer) }), part: "finish" },
    { ...event({ type: "message_stop" }), part: "terminator" },
  ];
}

/** A block as it starts: everything its deltas say is not there yet. */
function emptied(block: Wire): Wire {
  switch (block.type) {
    case "thinking":
      return { ...block, thinking: "", signature: "" };
    case "text":
      return { ...block, text: "" };
    default:
      return { ...block, input: {} };
  }
}

function deltasOf(block: Wire): Wire[] {
  switch (block.type) {
    case "thinking":
      return [
        ...piecesOf(textIn(block.thinking)).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block.signature },
      ];
    case "text":
      return piecesOf(textIn(block.text)).map((text) => ({ type: "text_delta", text }));
    default:
      return piecesOf(JSON.stringify(block.input)).map((json) => ({ type: "input_json_delta", partial_json: json }));
  }
}
