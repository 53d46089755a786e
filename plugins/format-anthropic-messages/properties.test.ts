import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AssistantPart,
  type ChatRequest,
  type ContentPart,
  chunksOf,
  clientId,
  compilable,
  type Message,
  type StreamChunk,
  type ToolResultPart,
  withAllowedTools,
} from "../../core/index.ts";
import { arbitraryChatRequest, arbitraryChatResponse, deepFreeze } from "../../test/arbitraries/chat.ts";
import { answersComeBack, reportsWhatIsDeclared } from "../../test/arbitraries/chat-properties.ts";
import { sayable } from "../../test/conformance/sayable.ts";
import { formatName } from "./fields.ts";
import { anthropicMessages } from "./index.ts";
import { encodeStream } from "./stream/encode-stream.ts";
import { assembled, chunksIn, context, eventsOf, withPlainArguments } from "./testing.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse } = anthropicMessages;

const streamed = (chunks: Iterable<StreamChunk>): string => {
  const encoder = encodeStream(context);
  let text = "";
  for (const chunk of chunks) text += encoder.push(chunk);
  return text + encoder.end();
};

describe("anthropic-messages answers", () => {
  it("assemble from a stream into what the whole answer says", () => {
    fc.assert(
      fc.property(arbitraryChatResponse.map(deepFreeze), (response) => {
        const fromStream = assembled(chunksIn(streamed(chunksOf(response))));
        expect(withPlainArguments(fromStream)).toEqual(decodeResponse(encodeResponse(response, context)));
      }),
    );
  });

  it("come back from the wire as they went, where the wire can say it", () =>
    answersComeBack(anthropicMessages, context));

  it("never overlap blocks, however the deltas of parallel calls interleave", () => {
    fc.assert(
      fc.property(arbitraryChatResponse, fc.infiniteStream(fc.nat()), (response, order) => {
        const chunks = shuffled([...chunksOf(response)], order);
        const text = streamed(chunks);
        checkBlocks(text);
        const parts = (chunks: Iterable<StreamChunk>) =>
          assembled(chunks).choices[0]?.content.filter(({ type }) => type === "tool-call");
        const calls = parts(chunks.filter((chunk) => !("choice" in chunk) || chunk.choice === 0));
        const known = calls?.map((part) => ("id" in part ? { ...part, id: clientId(part.id, context.id) } : part));
        expect(parts(chunksIn(text)) ?? []).toEqual(known ?? []);
      }),
    );
  });
});

/** Keeps the order within each part, and lets the tool calls of the first choice overtake each other. */
function shuffled(chunks: StreamChunk[], order: Iterable<number>): StreamChunk[] {
  const queues = new Map<number, StreamChunk[]>();
  const calls = chunks.filter((chunk) => chunk.type === "tool-call-start" || chunk.type === "tool-call-delta");
  for (const chunk of calls.filter(({ choice }) => choice === 0)) {
    const pieces =
      chunk.type === "tool-call-delta" ? [...chunk.arguments].map((text) => ({ ...chunk, arguments: text })) : [chunk];
    queues.set(chunk.part, [...(queues.get(chunk.part) ?? []), ...pieces]);
  }
  const mixed: StreamChunk[] = [];
  // Calls begin in order; what follows comes as it likes.
  for (const queue of queues.values()) mixed.push(...queue.splice(0, 1));
  for (const turn of order) {
    const waiting = [...queues.values()].filter(({ length }) => length > 0);
    if (waiting.length === 0) break;
    mixed.push(...(waiting[turn % waiting.length]?.splice(0, 1) ?? []));
  }
  const rest = chunks.filter((chunk) => !calls.some((call) => call === chunk && call.choice === 0));
  const finish = rest.findIndex(({ type }) => type === "finish");
  return rest.toSpliced(finish, 0, ...mixed);
}

function checkBlocks(text: string): void {
  let open: number | undefined;
  let next = 0;
  for (const { event, data } of eventsOf(text)) {
    const { type, index } = JSON.parse(data);
    expect(type).toBe(event);
    if (type === "content_block_start") {
      expect(open).toBeUndefined();
      expect(index).toBe(next++);
      open = index;
    } else if (type === "content_block_delta") expect(index).toBe(open);
    else if (type === "content_block_stop") {
      expect(index).toBe(open);
      open = undefined;
    }
  }
  expect(open).toBeUndefined();
}

/** Requests with something to answer: others are refused. */
const requests = arbitraryChatRequest.map((request) => deepFreeze(sayable(anthropicMessages, request)));

describe("anthropic-messages requests", () => {
  it("come back from the wire as they went, but for what was reported", () => {
    fc.assert(
      fc.property(requests, (request) => {
        const dropped: string[] = [];
        const wire = encodeRequest(request, (name) => dropped.push(name));
        expect(decodeRequest(deepFreeze(wire))).toEqual(expected(request, new Set(dropped), wire));
      }),
      { numRuns: 300 },
    );
  });

  it("report only what is declared, each name once, and write the same text every time", () =>
    reportsWhatIsDeclared(anthropicMessages, requests));
});

/** What the API leaves of a request, said without looking at how the codec does it. */
function expected(canonical: ChatRequest, dropped: ReadonlySet<string>, wire: Record<string, unknown>): unknown {
  const request = withAllowedTools(canonical, () => {});
  const { n, presencePenalty, frequencyPenalty, logitBias, logprobs, topLogprobs, seed, ...kept } = request;
  const { responseFormat, reasoning, serviceTier, toolChoice, parallelToolCalls, ...rest } = kept;
  const implied = reasoning !== undefined && reasoning.mode === undefined;
  const schema = responseFormat?.type === "json-schema" && compilable(responseFormat.schema).schema;
  const choice = request.tools && (toolChoice ?? (parallelToolCalls === false ? { type: "auto" } : undefined));
  const { temperature, topP, topK, stop, ...others } = rest;
  const messages = expectedMessages(request.messages);
  return {
    ...others,
    messages,
    ...(request.stream && { includeUsage: true }),
    maxTokens: wire.max_tokens,
    ...(temperature !== undefined && !dropped.has("temperature") && { temperature }),
    ...(topP !== undefined && !dropped.has("top_p") && { topP }),
    ...(stop?.some(isVisible) && { stop: stop.filter(isVisible) }),
    ...(topK !== undefined && !dropped.has("top_k") && { topK }),
    ...(schema && { responseFormat: { type: "json-schema", schema } }),
    ...((schema || messages.some(isThoughtful)) && { extra: { format: formatName, fields: {} } }),
    ...(reasoning && !implied && !dropped.has("thinking") && { reasoning }),
    ...(implied && !dropped.has("reasoning_effort") && { reasoning: { mode: "enabled", budgetTokens: budget(wire) } }),
    ...(serviceTier && { serviceTier: serviceTier === "default" ? "standard_only" : serviceTier }),
    ...(choice && { toolChoice: choice }),
    ...(choice && choice.type !== "none" && parallelToolCalls !== undefined && { parallelToolCalls }),
  };
}

const isThoughtful = ({ content }: Said) => content.some(({ type }) => /^(?:redacted-)?thinking$/.test(type));
const isVisible = (text: string) => text.trim() !== "";
const budget = (wire: Record<string, unknown>) => (wire.thinking as Record<string, unknown>).budget_tokens;

const isSaid = (part: AssistantPart | ContentPart | ToolResultPart) =>
  part.type !== "audio" &&
  !(part.type === "thinking" && part.signature === undefined) &&
  !(part.type === "text" && !isVisible(part.text));

function withoutSilence<Part extends AssistantPart | ContentPart | ToolResultPart>(part: Part): Part {
  if (part.type === "thinking") return { ...part, signer: formatName };
  return part.type === "tool-result" ? { ...part, content: part.content.filter(isSaid) } : part;
}

interface Said {
  readonly role?: string;
  readonly content: readonly { readonly type: string }[];
}

function expectedMessages(messages: readonly Message[]): Said[] {
  const instructions = messages.flatMap((message) =>
    message.role === "system" || message.role === "developer" ? message.content.filter(isSaid) : [],
  );
  const turns = messages
    .filter(({ role }) => role !== "system" && role !== "developer")
    .map((message) => ({ ...message, content: [...message.content].filter(isSaid).map(withoutSilence) }))
    .filter(({ content }) => content.length > 0);
  return [...(instructions.length > 0 ? [{ role: "system", content: instructions }] : []), ...turns];
}
