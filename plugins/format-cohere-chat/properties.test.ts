import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunksOf, type StreamChunk } from "../../core/index.ts";
import { arbitraryChatRequest, arbitraryChatResponse, deepFreeze } from "../../test/arbitraries/chat.ts";
import { answersComeBack, losesNothingMore, reportsWhatIsDeclared } from "../../test/arbitraries/chat-properties.ts";
import { cohereChat } from "./index.ts";
import { encodeStream } from "./stream/encode-stream.ts";
import { assembled, chunksIn, context, eventsOf } from "./testing.ts";

const { decodeResponse, encodeResponse } = cohereChat;

const streamed = (chunks: Iterable<StreamChunk>): string => {
  const encoder = encodeStream(context);
  let text = "";
  for (const chunk of chunks) text += encoder.push(chunk);
  return text + encoder.end();
};

describe("cohere-chat answers", () => {
  it("assemble from a stream into what the whole answer says", () => {
    fc.assert(
      fc.property(arbitraryChatResponse.map(deepFreeze), (response) => {
        const whole = decodeResponse(encodeResponse(response, context));
        expect(assembled(chunksIn(streamed(chunksOf(response))))).toEqual(whole);
      }),
    );
  });

  it("come back from the wire as they went, where the wire can say it", () => answersComeBack(cohereChat, context));

  it("never write two parts at once, however the deltas of parallel calls interleave", () => {
    fc.assert(
      fc.property(arbitraryChatResponse, fc.infiniteStream(fc.nat()), (response, order) => {
        const chunks = [...chunksOf(response)].filter((chunk) => !("choice" in chunk) || chunk.choice === 0);
        const text = streamed(interleaved(chunks, order));
        checkBounds(text);
        const calls = (of: Iterable<StreamChunk>) =>
          assembled(of).choices[0]?.content.filter(({ type }) => type === "tool-call");
        expect(calls(chunksIn(text))).toEqual(calls(chunks));
      }),
    );
  });
});

/** Calls begin in order; their arguments, letter by letter, overtake each other. */
function interleaved(chunks: readonly StreamChunk[], order: Iterable<number>): StreamChunk[] {
  const queues = new Map<number, StreamChunk[]>();
  for (const chunk of chunks)
    if (chunk.type === "tool-call-delta")
      queues.set(
        chunk.part,
        [...chunk.arguments].map((letter) => ({ ...chunk, arguments: letter })),
      );
  const starts = chunks.filter(({ type }) => type === "tool-call-start");
  const mixed: StreamChunk[] = [...starts];
  for (const turn of order) {
    const waiting = [...queues.values()].filter(({ length }) => length > 0);
    if (waiting.length === 0) break;
    mixed.push(...(waiting[turn % waiting.length]?.splice(0, 1) ?? []));
  }
  const rest = chunks.filter(({ type }) => type !== "tool-call-start" && type !== "tool-call-delta");
  return rest.toSpliced(
    rest.findIndex(({ type }) => type === "finish"),
    0,
    ...mixed,
  );
}

function checkBounds(text: string): void {
  let open: string | undefined;
  const next = { content: 0, "tool-call": 0 };
  for (const { event, data } of eventsOf(text)) {
    const { type, index } = JSON.parse(data);
    expect(type).toBe(event);
    const [, kind, step] = /^(content|tool-call)-(start|delta|end)$/.exec(type) ?? [];
    if (kind !== "content" && kind !== "tool-call") continue;
    if (step === "start") {
      expect(open).toBeUndefined();
      expect(index).toBe(next[kind]++);
      open = `${kind} ${index}`;
    } else expect(`${kind} ${index}`).toBe(open);
    if (step === "end") open = undefined;
  }
  expect(open).toBeUndefined();
}

describe("cohere-chat requests", () => {
  const request = arbitraryChatRequest.map(deepFreeze);

  it("lose nothing more when they are read and written again", () => losesNothingMore(cohereChat, request));

  it("report only what is declared, each name once, and write the same text every time", () =>
    reportsWhatIsDeclared(cohereChat, request));
});
