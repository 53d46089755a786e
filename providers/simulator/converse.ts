import { eventFrame, exceptionFrame, percentDecoded } from "../../core/provider-kit/index.ts";
import { type Answer, answerTo, promptTokens, totalOf } from "./answer.ts";
import type { Called, Dialect, Frame, Reply } from "./dialect.ts";
import { type Question, readMessages, segmentsOf, toolSegment } from "./question.ts";
import { fieldsOf, isRecord, numberIn, Refusal, recordsIn, textIn, textsIn, type Wire } from "./wire.ts";
import { piecesOf } from "./words.ts";

const stopReasons = { stop: "end_turn", length: "max_tokens", "tool-calls": "tool_use" } as const;

/** The exceptions of Amazon Bedrock Runtime, by their statuses (API reference, "Converse", errors). */
const exceptions: Readonly<Record<number, string>> = {
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  408: "ModelTimeoutException",
  424: "ModelErrorException",
  429: "ThrottlingException",
  503: "ServiceUnavailableException",
};

const bytesOf = (frame: string): Buffer => Buffer.from(frame, "latin1");
const event = (name: string, wire: Wire): Frame => ({ text: bytesOf(eventFrame(name, JSON.stringify(wire))) });

export const bedrockConverse: Dialect = {
  format: "bedrock-converse",
  reply,
  streamType: "application/vnd.amazon.eventstream",
  errorBody: (_, message) => ({ message }),
  errorHeaders: (status) => ({
    "x-amzn-errortype": exceptions[status] ?? (status < 500 ? "ValidationException" : "InternalServerException"),
  }),
  errorFrame: () =>
    bytesOf(exceptionFrame("modelStreamErrorException", '{"message":"Simulated failure inside the stream."}')),
  malformedFrame: bytesOf(eventFrame("contentBlockDelta", '{"contentBlockIndex":')),
};

/** How many tokens a prompt has: a whole request stands in a field. */
export const bedrockCount: Dialect = {
  ...bedrockConverse,
  format: "bedrock-count-tokens",
  reply: ({ input }) => ({ whole: { inputTokens: totalOf(read(fieldsOf(fieldsOf(input).converse)).segments) } }),
};

/** The path names the model and what is asked of it: `/model/NAME/converse-stream`. */
export function bedrockAt(path: string): Called | undefined {
  const [, name, action] = /^\/model\/([^/]+)\/(converse|converse-stream|count-tokens)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const dialect = action === "count-tokens" ? bedrockCount : bedrockConverse;
  return { dialect, model: percentDecoded(name), stream: action === "converse-stream" };
}

function reply(wire: Wire, digest: string): Reply {
  const question = read(wire);
  const answer = answerTo(question);
  const content = contentOf(answer, digest);
  const beside = { usage: usageOf(question, answer), metrics: { latencyMs: 1 } };
  if (wire.stream === true) return { frames: framesOf(answer, content, beside) };
  return { whole: { output: { message: { role: "assistant", content } }, ...stopOf(answer), ...beside } };
}

function read(wire: Wire): Question {
  const messages = recordsIn(wire.messages);
  if (messages.length === 0) throw new Refusal(400, "The request must have at least one message.");
  const { tools: offered, toolChoice } = fieldsOf(wire.toolConfig);
  const tools = recordsIn(offered).filter(({ toolSpec }) => isRecord(toolSpec));
  const specs = tools.map(({ toolSpec }) => fieldsOf(toolSpec));
  const inference = fieldsOf(wire.inferenceConfig);
  const { segments, ...asked } = readMessages(
    messages.map(({ role, content }) => ({ role, content: blocksOf(content) })),
  );
  return {
    ...asked,
    model: textIn(wire.model),
    segments: [...toolSegments(recordsIn(offered)), ...segmentsOf(blocksOf(wire.system)), ...segments],
    tools: specs.map(({ name, inputSchema }) => ({ name: textIn(name), schema: fieldsOf(inputSchema).json })),
    toolChoice: toolChoiceOf(fieldsOf(toolChoice)),
    parallel: true,
    thinks: thinks(fieldsOf(wire.additionalModelRequestFields)),
    schema: schemaOf(fieldsOf(fieldsOf(wire.outputConfig).textFormat)),
    stop: textsIn(inference.stopSequences),
    maxTokens: numberIn(inference.maxTokens),
  };
}

const markerOf = (block: Wire): Wire | undefined =>
  isRecord(block.cachePoint) ? { cache_control: { type: "ephemeral", ttl: block.cachePoint.ttl } } : undefined;

/** Blocks as the formats with types have them. A cache marker is a block of its own here. */
const blocksOf = (content: unknown): Wire[] =>
  recordsIn(content).map((block): Wire => {
    if (isRecord(block.toolResult)) return { type: "tool_result", content: foundIn(block.toolResult) };
    if (isRecord(block.image)) return { type: "image" };
    return { type: "text", text: textIn(block.text), ...markerOf(block) };
  });

/** What a tool found, as text: it may be JSON. */
const foundIn = ({ content }: Wire): Wire[] =>
  recordsIn(content).map(({ text, json }) => ({ text: json === undefined ? textIn(text) : JSON.stringify(json) }));

const toolSegments = (offered: readonly Wire[]) =>
  offered.map((one) => toolSegment(fieldsOf(one.toolSpec), markerOf(one)?.cache_control));

function toolChoiceOf({ any, tool }: Wire): Question["toolChoice"] {
  if (isRecord(tool)) return { name: textIn(tool.name) };
  return isRecord(any) ? "required" : "auto";
}

/** Models that think are told so in fields of their own. */
const thinks = ({ thinking, reasoning_effort: effort, reasoningConfig }: Wire): boolean =>
  (isRecord(thinking) && thinking.type !== "disabled") ||
  textIn(effort) !== "" ||
  fieldsOf(reasoningConfig).type === "enabled";

/** The schema is a text. */
function schemaOf({ structure }: Wire): unknown {
  const { schema } = fieldsOf(fieldsOf(structure).jsonSchema);
  if (schema === undefined) return undefined;
  try {
    return JSON.parse(textIn(schema));
  } catch {
    throw new Refusal(400, "outputConfig.textFormat.structure.jsonSchema.schema must be JSON.");
  }
}

const contentOf = ({ thinking, signature, text, calls }: Answer, digest: string): Wire[] => [
  ...(thinking === "" ? [] : [{ reasoningContent: { reasoningText: { text: thinking, signature } } }]),
  ...(text === "" ? [] : [{ text }]),
  ...calls.map(({ name, arguments: input }, at) => ({
    toolUse: { toolUseId: `tooluse_${digest.slice(0, 20)}${at}`, name, input },
  })),
];

const stopOf = ({ finish, stopSequence }: Answer): Wire => ({
  stopReason: stopSequence === undefined ? stopReasons[finish] : "stop_sequence",
});

function usageOf({ segments }: Question, { outputTokens, thinkingTokens }: Answer): Wire {
  const { fresh, cacheRead, cacheWrite, hour } = promptTokens(segments);
  const output = outputTokens + thinkingTokens;
  return {
    inputTokens: fresh,
    outputTokens: output,
    totalTokens: fresh + cacheRead + cacheWrite + output,
    cacheReadInputTokens: cacheRead,
    cacheWriteInputTokens: cacheWrite,
    ...(hour > 0 && { cacheDetails: [{ ttl: "1h", inputTokens: hour }] }),
  };
}

function framesOf(answer: Answer, content: readonly Wire[], beside: Wire): Frame[] {
  return [
    event("messageStart", { role: "assistant" }),
    ...content.flatMap((block, contentBlockIndex) => [
      ...startOf(block).map((start) => event("contentBlockStart", { contentBlockIndex, start })),
      ...deltasOf(block).map((delta) => event("contentBlockDelta", { contentBlockIndex, delta })),
      event("contentBlockStop", { contentBlockIndex }),
    ]),
    { ...event("messageStop", stopOf(answer)), part: "finish" },
    { ...event("metadata", beside), part: "terminator" },
  ];
}

/** Calls alone say how they begin. */
function startOf({ toolUse }: Wire): Wire[] {
  if (!isRecord(toolUse)) return [];
  const { toolUseId, name } = toolUse;
  return [{ toolUse: { toolUseId, name } }];
}

function deltasOf({ reasoningContent, toolUse, text }: Wire): Wire[] {
  if (isRecord(toolUse)) return piecesOf(JSON.stringify(toolUse.input)).map((input) => ({ toolUse: { input } }));
  if (!isRecord(reasoningContent)) return piecesOf(textIn(text)).map((piece) => ({ text: piece }));
  const { text: thought, signature } = fieldsOf(reasoningContent.reasoningText);
  return [
    ...piecesOf(textIn(thought)).map((piece) => ({ reasoningContent: { text: piece } })),
    { reasoningContent: { signature } },
  ];
}
