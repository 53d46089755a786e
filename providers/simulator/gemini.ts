import { percentDecoded } from "../../core/provider-kit/index.ts";
import { type Answer, answerTo, promptTokens, totalOf } from "./answer.ts";
import { type Called, type Dialect, type Frame, type Reply, sse } from "./dialect.ts";
import { type Question, readMessages, segmentsOf, toolSegment } from "./question.ts";
import { countIn, fieldsOf, isRecord, numberIn, Refusal, recordsIn, textIn, textsIn, type Wire } from "./wire.ts";
import { piecesOf } from "./words.ts";

const finishReasons = { stop: "STOP", length: "MAX_TOKENS", "tool-calls": "STOP" } as const;

const statuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const errorOf = (code: number, message: string): Wire => ({
  error: { code, message, status: statuses[code] ?? (code < 500 ? "FAILED_PRECONDITION" : "INTERNAL") },
});

export const gemini: Dialect = {
  format: "gemini",
  reply,
  errorBody: errorOf,
  errorFrame: () => sse(errorOf(500, "Simulated failure inside the stream.")),
  malformedFrame: sse('{"candidates":[{"content":'),
};

/** How many tokens a prompt has: its contents alone, or a whole request. */
export const geminiCount: Dialect = {
  ...gemini,
  format: "gemini-count-tokens",
  reply({ generateContentRequest: whole, ...wire }) {
    const { segments } = read({ ...wire, ...fieldsOf(whole) });
    return { whole: { totalTokens: totalOf(segments) } };
  },
};

/** The path names the model and what is asked of it: `/v1beta/models/NAME:generateContent`. */
export function geminiAt(path: string): Called | undefined {
  const [, name, action] =
    /^\/v1(?:alpha|beta)?\/models\/(.+):(generateContent|streamGenerateContent|countTokens)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const dialect = action === "countTokens" ? geminiCount : gemini;
  return { dialect, model: percentDecoded(name), stream: action === "streamGenerateContent" };
}

function reply(wire: Wire, digest: string): Reply {
  const question = read(wire);
  const count = countIn(named(named(wire).generationConfig).candidateCount);
  const answers = Array.from({ length: count }, (_, index) => answerTo(question, index));
  const head = { modelVersion: question.model, responseId: digest.slice(0, 24) };
  const usageMetadata = usageOf(question, answers);
  if (wire.stream === true) return { frames: framesOf(answers, { usageMetadata, ...head }) };
  const candidates = answers.map((answer, index) => ({
    content: { parts: partsOf(answer), role: "model" },
    finishReason: finishReasons[answer.finish],
    index,
  }));
  return { whole: { candidates, usageMetadata, ...head } };
}

function read(asIs: Wire): Question {
  const wire = named(asIs);
  const contents = recordsIn(wire.contents);
  if (contents.length === 0) throw new Refusal(400, "contents is not specified");
  const config = named(wire.generationConfig);
  const calling = named(named(wire.toolConfig).functionCallingConfig);
  const tools = recordsIn(wire.tools).flatMap((tool) => recordsIn(named(tool).functionDeclarations).map(named));
  const { segments, ...asked } = readMessages(contents.map(messageOf));
  return {
    ...asked,
    model: textIn(wire.model),
    segments: [
      ...tools.map((tool) => toolSegment(tool, undefined)),
      ...segmentsOf(fieldsOf(wire.systemInstruction).parts ?? []),
      ...segments,
    ],
    tools: tools.map(({ name, parameters, parametersJsonSchema: schema }) => ({
      name: textIn(name),
      schema: schema ?? parameters ?? { type: "object" },
    })),
    toolChoice: toolChoiceOf(calling),
    ...(textsIn(calling.allowedFunctionNames).length > 1 && { allowed: textsIn(calling.allowedFunctionNames) }),
    parallel: true,
    thinks: thinks(named(config.thinkingConfig)),
    schema: schemaOf(config),
    stop: textsIn(config.stopSequences),
    maxTokens: numberIn(config.maxOutputTokens),
  };
}

/** The fields of a message of Google's by their names in JSON: it reads those of its protocol buffers, with underscores, too. */
const named = (message: unknown): Wire =>
  Object.fromEntries(
    Object.entries(fieldsOf(message)).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

/** A content as the formats with messages have it. */
function messageOf({ role, parts }: Wire): Wire {
  const content = recordsIn(parts)
    .map(named)
    .map((part): Wire => {
      if (isRecord(part.functionResponse))
        return { type: "tool_result", content: saidBy(part.functionResponse.response) };
      if (isRecord(part.inlineData) || isRecord(part.fileData)) return { type: "image" };
      return { type: "text", text: part.thought === true ? "" : textIn(part.text) };
    });
  return { role: role === "model" ? "assistant" : "user", content };
}

const saidBy = (response: unknown): string => textIn(fieldsOf(response).output) || JSON.stringify(response);

function toolChoiceOf({ mode, allowedFunctionNames: allowed }: Wire): Question["toolChoice"] {
  const [only, ...others] = textsIn(allowed);
  if (mode === "ANY") return only !== undefined && others.length === 0 ? { name: only } : "required";
  return mode === "NONE" ? "none" : "auto";
}

const thinks = ({ thinkingLevel: level, thinkingBudget: budget }: Wire): boolean =>
  textIn(level) !== "" || (numberIn(budget) ?? 0) !== 0;

const anyObject = { type: "object", required: ["answer"], properties: { answer: { type: "string" } } };

function schemaOf({ responseMimeType: type, responseJsonSchema: json, responseSchema: own }: Wire): unknown {
  return type === "application/json" ? (json ?? own ?? anyObject) : undefined;
}

const partsOf = (answer: Answer): Wire[] => [
  ...(answer.thinking === "" ? [] : [{ text: answer.thinking, thought: true, thoughtSignature: answer.signature }]),
  ...(answer.text === "" ? [] : [{ text: answer.text }]),
  ...answer.calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } })),
];

function usageOf(question: Question, answers: readonly Answer[]): Wire {
  const { fresh, cacheRead, cacheWrite } = promptTokens(question.segments);
  const sum = (name: "outputTokens" | "thinkingTokens") => answers.reduce((all, answer) => all + answer[name], 0);
  const prompt = fresh + cacheRead + cacheWrite;
  const [candidates, thoughts] = [sum("outputTokens"), sum("thinkingTokens")];
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: candidates,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: prompt + candidates + thoughts,
  };
}

/** There is no frame that ends the stream: the last one names the reason. */
function framesOf(answers: readonly Answer[], head: Wire): Frame[] {
  const { usageMetadata, ...plain } = head;
  const frame = (part: Wire, index: number): Frame => ({
    text: sse({ candidates: [{ content: { parts: [part], role: "model" }, index }], ...plain }),
  });
  const last = answers.map((answer, index) => ({
    content: { parts: [{ text: "" }], role: "model" },
    finishReason: finishReasons[answer.finish],
    index,
  }));
  return [
    ...answers.flatMap((answer, index) =>
      partsOf(answer)
        .flatMap(piecesIn)
        .map((part) => frame(part, index)),
    ),
    { text: sse({ candidates: last, usageMetadata, ...plain }), part: "finish" },
  ];
}

/** Texts come in pieces, with the signature behind the last; a call comes whole. */
function piecesIn({ text, thoughtSignature, ...part }: Wire): Wire[] {
  if (typeof text !== "string") return [part];
  const pieces: Wire[] = piecesOf(text).map((piece) => ({ text: piece, ...part }));
  return thoughtSignature === undefined ? pieces : [...pieces, { text: "", ...part, thoughtSignature }];
}
