import { type Answer, answerTo, promptTokens } from "./answer.ts";
import { type Dialect, type Frame, type Reply, sse } from "./dialect.ts";
import { type Question, readMessages, segmentsOf, toolSegment } from "./question.ts";
import { isRecord, numberIn, Refusal, recordsIn, textIn, textsIn, type Wire } from "./wire.ts";
import { piecesOf } from "./words.ts";

const finishReasons = { stop: "COMPLETE", length: "MAX_TOKENS", "tool-calls": "TOOL_CALL" } as const;

/** What every error of this vendor looks like. */
export const cohereError = (_status: number, message: string): Wire => ({ message });

export const cohereErrors = {
  errorBody: cohereError,
  errorFrame: () =>
    sse(
      { type: "message-end", delta: { error: "Simulated failure inside the stream.", finish_reason: "ERROR" } },
      "message-end",
    ),
  malformedFrame: sse('{"type":"content-delta","index":', "content-delta"),
};

export const cohereChat: Dialect = { format: "cohere-chat", reply, ...cohereErrors };

function reply(wire: Wire, digest: string): Reply {
  const question = read(wire);
  const answer = answerTo(question);
  const id = digest.slice(0, 24);
  const usage = usageOf(question, answer);
  if (wire.stream === true) return { frames: framesOf(id, answer, usage, digest) };
  const content = contentOf(answer);
  const calls = callsOf(answer, digest);
  const message = {
    role: "assistant",
    ...(content.length > 0 && { content }),
    ...(calls.length > 0 && { tool_plan: plan, tool_calls: calls }),
  };
  return { whole: { id, message, finish_reason: finishReasonOf(answer), usage } };
}

/** Said before tools are called. */
const plan = "I will use the tools.";

const finishReasonOf = ({ finish, stopSequence }: Answer): string =>
  stopSequence === undefined ? finishReasons[finish] : "STOP_SEQUENCE";

function read(wire: Wire): Question {
  const messages = recordsIn(wire.messages);
  if (messages.length === 0) throw new Refusal(400, "invalid request: messages must not be empty");
  const tools = recordsIn(wire.tools).map(({ function: inner }) => (isRecord(inner) ? inner : {}));
  const { segments, ...asked } = readMessages(messages.map(withShownDocuments));
  const format = isRecord(wire.response_format) ? wire.response_format : {};
  return {
    ...asked,
    model: textIn(wire.model),
    segments: [
      ...tools.map((tool) => toolSegment(tool, undefined)),
      ...segments,
      ...(Array.isArray(wire.documents) ? wire.documents : []).flatMap((one) => segmentsOf(JSON.stringify(one))),
    ],
    tools: tools.map(({ name, parameters }) => ({ name: textIn(name), schema: parameters ?? { type: "object" } })),
    toolChoice: wire.tool_choice === "REQUIRED" ? "required" : wire.tool_choice === "NONE" ? "none" : "auto",
    parallel: true,
    thinks: isRecord(wire.thinking) && wire.thinking.type === "enabled",
    schema: format.type === "json_object" ? (format.json_schema ?? anyObject) : undefined,
    stop: textsIn(wire.stop_sequences),
    maxTokens: numberIn(wire.max_tokens),
  };
}

const anyObject = { type: "object", required: ["answer"], properties: { answer: { type: "string" } } };

/** A document in a tool's result is read as text. */
function withShownDocuments(message: Wire): Wire {
  if (message.role !== "tool" || typeof message.content === "string") return message;
  const content = recordsIn(message.content).map((part) =>
    part.type === "document" ? { type: "text", text: JSON.stringify(part.document) } : part,
  );
  return { ...message, content };
}

const contentOf = ({ thinking, text }: Answer): Wire[] => [
  ...(thinking === "" ? [] : [{ type: "thinking", thinking }]),
  ...(text === "" ? [] : [{ type: "text", text }]),
];

const callsOf = ({ calls }: Answer, digest: string): Wire[] =>
  calls.map(({ name, arguments: args }, at) => ({
    id: `${name}_${digest.slice(0, 12)}${at}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));

function usageOf(question: Question, answer: Answer): Wire {
  const { fresh, cacheRead, cacheWrite } = promptTokens(question.segments);
  const tokens = {
    input_tokens: fresh + cacheRead + cacheWrite,
    output_tokens: answer.outputTokens + answer.thinkingTokens,
  };
  return { billed_units: tokens, tokens };
}

function framesOf(id: string, answer: Answer, usage: Wire, digest: string): Frame[] {
  const event = (wire: Wire): Frame => ({ text: sse(wire, textIn(wire.type)) });
  const said = (type: string, message: Wire, index?: number): Frame =>
    event({ type, ...(index !== undefined && { index }), delta: { message } });
  const message = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
  const calls = callsOf(answer, digest);
  return [
    event({ id, type: "message-start", delta: { message } }),
    ...(calls.length === 0 ? [] : piecesOf(plan).map((piece) => said("tool-plan-delta", { tool_plan: piece }))),
    ...contentOf(answer).flatMap(({ type, ...item }, index) => {
      const [[name, text] = ["text", ""]] = Object.entries(item);
      return [
        said("content-start", { content: { type, [name]: "" } }, index),
        ...piecesOf(textIn(text)).map((piece) => said("content-delta", { content: { [name]: piece } }, index)),
        event({ type: "content-end", index }),
      ];
    }),
    ...calls.flatMap((call, index) => {
      const inner = isRecord(call.function) ? call.function : {};
      const opened = { ...call, function: { ...inner, arguments: "" } };
      return [
        said("tool-call-start", { tool_calls: opened }, index),
        ...piecesOf(textIn(inner.arguments)).map((piece) =>
          said("tool-call-delta", { tool_calls: { function: { arguments: piece } } }, index),
        ),
        event({ type: "tool-call-end", index }),
      ];
    }),
    // One event ends the answer and the stream.
    { ...event({ type: "message-end", delta: { finish_reason: finishReasonOf(answer), usage } }), part: "finish" },
  ];
}
