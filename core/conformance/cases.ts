import { jsonOr } from "../codec-kit/records.ts";
import type { ChatRequest, ChatResponse, Message } from "../model/chat.ts";
import type { CompletionRequest, CompletionResponse } from "../model/completion.ts";
import type { CountResponse } from "../model/count.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../model/embedding.ts";
import type { OperationName, RequestOf, ResponseOf } from "../model/operations.ts";
import type { RerankRequest, RerankResponse } from "../model/rerank.ts";
import type { StreamChunk } from "../model/stream.ts";

/** What is asked about: something plain, with a tool, with an image. */
export type Subject = "plain" | "tools" | "images";

/** A text that has to arrive at the vendor, and where in the canonical request it belongs. */
export interface Marker<Request> {
  /** `the tool`: how it is called when it is missing. */
  readonly what: string;
  readonly text: string;
  readonly place: (request: Request) => unknown;
}

/** Questions and answers of one operation, in the canonical shapes. */
export interface Case<Request = RequestOf<OperationName>, Response = ResponseOf<OperationName>> {
  readonly subjects: readonly Subject[];
  request(subject: Subject, model: string, stream: boolean): Request;
  markers(subject: Subject): readonly Marker<Request>[];
  response(subject: Subject, model: string): Response;
  /** The same answer as a stream; absent where the operation has none. */
  chunks?(subject: Subject, model: string): readonly StreamChunk[];
  /** What has to be the same at the client: an answer without what formats may differ in. */
  essence(response: Response): unknown;
}

const instructions = "Stand-in instructions.";
const question = "A stand-in question, mit Umlaut: Grüße?";
const pieces = ["A stand-in ", "answer, ", "mit Gr", "üßen, ", "in six ", "pieces."];
const tool = {
  name: "stand_in_tool",
  description: "Stands in for a tool.",
  parameter: "stand_in_city",
  arguments: { stand_in_city: "Oslo" },
};
/** An earlier call of the tool and what came of it. */
const earlier: readonly Message[] = [
  {
    role: "assistant",
    content: [{ type: "tool-call", id: "call_earlier", name: tool.name, arguments: '{"stand_in_city":"Bergen"}' }],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "call_earlier", content: [{ type: "text", text: "A stand-in result." }] },
    ],
  },
];
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const id = "stand-in-1";
/** Unix seconds. */
export const created = 1_767_225_600;
const usage = { inputTokens: 11, outputTokens: 7 };

const chat: Case<ChatRequest, ChatResponse> = {
  subjects: ["plain", "tools", "images"],
  request: (subject, model, stream) => ({
    model,
    stream,
    ...(stream && { includeUsage: true }),
    maxTokens: 64,
    messages: [
      { role: "system", content: [{ type: "text", text: instructions }] },
      {
        role: "user",
        content: [
          { type: "text", text: question },
          ...(subject === "images"
            ? [{ type: "image", source: { kind: "data", data: pixel, mediaType: "image/png" } } as const]
            : []),
        ],
      },
      ...(subject === "tools" ? earlier : []),
    ],
    ...(subject === "tools" && {
      tools: [
        {
          type: "function",
          name: tool.name,
          description: tool.description,
          parameters: {
            type: "object",
            properties: { [tool.parameter]: { type: "string" } },
            required: [tool.parameter],
          },
        },
      ],
    }),
  }),
  markers: (subject) => [
    { what: "the system message", text: instructions, place: ({ messages }) => messages },
    { what: "the user's text", text: question, place: ({ messages }) => messages },
    ...(subject === "tools"
      ? [
          { what: "the tool", text: tool.description, place: ({ tools }: ChatRequest) => tools },
          { what: "the tool's parameter", text: tool.parameter, place: ({ tools }: ChatRequest) => tools },
          { what: "the earlier call", text: "Bergen", place: ({ messages }: ChatRequest) => messages },
          { what: "the tool's result", text: "A stand-in result.", place: ({ messages }: ChatRequest) => messages },
        ]
      : []),
    ...(subject === "images"
      ? [{ what: "the image", text: pixel, place: ({ messages }: ChatRequest) => messages }]
      : []),
  ],
  response: (subject, model) => ({
    id,
    model,
    created,
    choices: [
      {
        index: 0,
        content:
          subject === "tools"
            ? [{ type: "tool-call", id: "call_standin", name: tool.name, arguments: JSON.stringify(tool.arguments) }]
            : [{ type: "text", text: pieces.join("") }],
        finishReason: subject === "tools" ? "tool-calls" : "stop",
      },
    ],
    usage,
  }),
  chunks: (subject, model) =>
    subject === "tools"
      ? streamed(model, "tool-calls", [
          { type: "tool-call-start", choice: 0, part: 0, id: "call_standin", name: tool.name },
          { type: "tool-call-delta", choice: 0, part: 0, arguments: JSON.stringify(tool.arguments) },
        ])
      : textChunks(model),
  essence: ({ choices: [first] }) => ({
    text: first?.content.map((part) => (part.type === "text" ? part.text : "")).join(""),
    calls: first?.content.flatMap((part) =>
      part.type === "tool-call" ? [{ name: part.name, arguments: jsonOr(part.arguments, part.arguments) }] : [],
    ),
    finishReason: first?.finishReason,
  }),
};

const complete: Case<CompletionRequest, CompletionResponse> = {
  subjects: ["plain"],
  request: (_, model, stream) => ({
    model,
    stream,
    ...(stream && { includeUsage: true }),
    prompt: question,
    maxTokens: 64,
  }),
  markers: () => [{ what: "the prompt", text: question, place: ({ prompt }) => prompt }],
  response: (_, model) => ({
    id,
    model,
    created,
    choices: [{ index: 0, text: pieces.join(""), finishReason: "stop" }],
    usage,
  }),
  chunks: (_, model) => textChunks(model),
  essence: ({ choices: [first] }) => ({ text: first?.text, finishReason: first?.finishReason }),
};

const embed: Case<EmbeddingRequest, EmbeddingResponse> = {
  subjects: ["plain"],
  request: (_, model) => ({ model, input: [question], single: true }),
  markers: () => [{ what: "the text", text: question, place: ({ input }) => input }],
  response: (_, model) => ({ model, data: [{ index: 0, vector: [0.25, -0.5, 0.125] }], usage: { inputTokens: 5 } }),
  essence: ({ data }) => data.map(({ vector }) => vector),
};

const count: Case<ChatRequest, CountResponse> = {
  subjects: ["plain"],
  request: (subject, model) => chat.request(subject, model, false),
  markers: chat.markers,
  response: () => ({ inputTokens: 11 }),
  essence: ({ inputTokens }) => inputTokens,
};

const documents = ["A first stand-in document.", "A second stand-in document."];
const rerank: Case<RerankRequest, RerankResponse> = {
  subjects: ["plain"],
  request: (_, model) => ({ model, query: question, documents }),
  markers: () => [
    { what: "the query", text: question, place: ({ query }) => query },
    ...documents.map((text) => ({
      what: "a document",
      text,
      place: ({ documents: sent }: RerankRequest): unknown => sent,
    })),
  ],
  response: (_, model) => ({
    id,
    model,
    results: [
      { index: 1, score: 0.75 },
      { index: 0, score: 0.25 },
    ],
    usage: { inputTokens: 9, searchUnits: 1 },
  }),
  essence: ({ results }) => results.map(({ index, score }) => ({ index, score })),
};

/** An operation without a case here is told in a note of the report. */
export const cases: { readonly [Name in OperationName]?: Case<RequestOf<Name>, ResponseOf<Name>> } = {
  chat,
  complete,
  count,
  embed,
  rerank,
};

const textChunks = (model: string): StreamChunk[] =>
  streamed(
    model,
    "stop",
    pieces.map((text) => ({ type: "text-delta", choice: 0, part: 0, text })),
  );

const streamed = (model: string, reason: "stop" | "tool-calls", content: readonly StreamChunk[]): StreamChunk[] => [
  { type: "start", id, model, created },
  ...content,
  { type: "finish", choice: 0, reason },
  { type: "usage", usage },
];
