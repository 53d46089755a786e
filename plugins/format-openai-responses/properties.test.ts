import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunksOf, type StreamChunk } from "../../core/index.ts";
import { arbitraryChatRequest, arbitraryChatResponse, deepFreeze } from "../../test/arbitraries/chat.ts";
import { reportsWhatIsDeclared } from "../../test/arbitraries/chat-properties.ts";
import { inPieces } from "../../test/conformance/pieces.ts";
import { openAiResponses } from "./index.ts";
import { assembled, chunksIn, context, eventsOf, framesOf, streamed } from "./testing.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, writeBytes } = openAiResponses;

describe("openai-responses answers", () => {
  it("end a stream with the very answer that is given whole", () => {
    const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(arbitraryChatResponse.map(deepFreeze), sizes, (response, sizes) => {
        const text = streamed(inPieces(chunksOf(response), sizes));
        // Log probabilities of a piece stand with the piece.
        expect(framesOf(text).at(-1)?.response).toEqual(encodeResponse(response, context));
        expect(assembled(chunksIn(text))).toEqual(decodeResponse(encodeResponse(response, context)));
      }),
    );
  });

  it("come back from the wire as they went, where the wire can say it", () => {
    fc.assert(
      fc.property(arbitraryChatResponse, (response) => {
        const wire = encodeResponse(response, context);
        // What is read in this format is its vendor's own.
        const own = JSON.stringify(wire).replaceAll(',"encrypted_content":"signed-by:nobody:"', "");
        expect(encodeResponse(deepFreeze(decodeResponse(wire)), context)).toEqual(JSON.parse(own));
      }),
    );
  });

  it("are sent as the JSON text of what they are, whatever they repeat of the request", () => {
    const asked = fc.option(
      fc.record(
        {
          temperature: fc.double(),
          tools: fc.jsonValue(),
          text: fc.constantFrom({ verbosity: "low" }, { format: { type: "json_object" } }, null),
          metadata: fc.dictionary(fc.string(), fc.string()),
          store: fc.boolean(),
          user: fc.string(),
          input: fc.string(),
        },
        { requiredKeys: [] },
      ),
      { nil: undefined },
    );
    fc.assert(
      fc.property(arbitraryChatResponse, asked, (response, asked) => {
        const all = { ...context, ...(asked && { asked }) };
        expect(`${writeBytes?.(response, all)?.bytes}`).toBe(JSON.stringify(encodeResponse(response, all)));
        const read = decodeResponse(encodeResponse(response, all));
        expect(`${writeBytes?.(read, all)?.bytes}`).toBe(JSON.stringify(encodeResponse(read, all)));
      }),
    );
  });

  it("are told in events that add up, however the deltas of parallel calls interleave", () => {
    fc.assert(
      fc.property(arbitraryChatResponse, fc.infiniteStream(fc.nat()), (response, order) => {
        const text = streamed(shuffled([...chunksOf(response)], order));
        const output = told(text);
        const [first] = response.choices;
        const calls = first?.content.filter(({ type }) => type === "tool-call") ?? [];
        expect(output.filter(({ type }) => type === "function_call")).toMatchObject(
          calls.map((call) => (call.type === "tool-call" ? { call_id: call.id, arguments: call.arguments } : {})),
        );
        expect(framesOf(text).at(-1)).toMatchObject({ response: { output } });
      }),
      // Each run parses every event of a stream of single pieces.
      { numRuns: 40 },
    );
  });
});

/** Lets the arguments of the calls of the first choice overtake each other; calls begin in order. */
function shuffled(chunks: StreamChunk[], order: Iterable<number>): StreamChunk[] {
  const isCall = (chunk: StreamChunk) =>
    (chunk.type === "tool-call-start" || chunk.type === "tool-call-delta") && chunk.choice === 0;
  const starts = chunks.filter((chunk) => isCall(chunk) && chunk.type === "tool-call-start");
  const queues = chunks
    .filter((chunk) => chunk.type === "tool-call-delta" && chunk.choice === 0)
    .map((chunk) =>
      chunk.type === "tool-call-delta"
        ? (chunk.arguments.match(/.{1,4}/gsu) ?? []).map((text) => ({ ...chunk, arguments: text }))
        : [],
    );
  const mixed: StreamChunk[] = [...starts];
  for (const turn of order) {
    const waiting = queues.filter(({ length }) => length > 0);
    if (waiting.length === 0) break;
    mixed.push(...(waiting[turn % waiting.length]?.splice(0, 1) ?? []));
  }
  const rest = chunks.filter((chunk) => !isCall(chunk));
  const finish = rest.findIndex(({ type }) => type === "finish");
  return rest.toSpliced(finish, 0, ...mixed);
}

type Frame = Record<string, unknown>;

/** The output as a client puts it together, which checks on its way that every event is in its place. */
function told(text: string): Frame[] {
  const begun: Frame[] = [];
  const done: Frame[] = [];
  const grown = new Map<string, string>();
  for (const [at, frame] of framesOf(text).entries()) {
    expect(frame.sequence_number).toBe(at);
    expect(eventsOf(text)[at]?.event).toBe(frame.type);
    const index = frame.output_index as number;
    const type = String(frame.type);
    const key = JSON.stringify([
      type.replace(/\.(?:delta|done)$/, ""),
      index,
      frame.content_index,
      frame.summary_index,
    ]);
    if (type === "response.output_item.added") {
      expect(index).toBe(begun.length);
      begun.push(frame.item as Frame);
    } else if (type === "response.output_item.done") {
      expect(done[index]).toBeUndefined();
      expect((frame.item as Frame).id).toBe(begun[index]?.id);
      done[index] = frame.item as Frame;
    } else if ("item_id" in frame) {
      expect(frame.item_id).toBe(begun[index]?.id);
      expect(done[index]).toBeUndefined();
      if (type.endsWith(".delta")) grown.set(key, (grown.get(key) ?? "") + String(frame.delta));
      const whole = frame.text ?? frame.refusal ?? frame.arguments;
      if (type.endsWith(".done") && whole !== undefined) expect(grown.get(key) ?? "").toBe(whole);
    }
  }
  expect(done).toHaveLength(begun.length);
  return done;
}

describe("openai-responses requests", () => {
  it("report only what is declared, each name once, and write the same text every time", () =>
    reportsWhatIsDeclared(openAiResponses));

  it("come back from the wire as they were read from it", () => {
    fc.assert(
      fc.property(arbitraryChatRequest, (request) => {
        const read = decodeRequest(deepFreeze(encodeRequest(request, () => {})));
        const dropped: string[] = [];
        const again = decodeRequest(deepFreeze(encodeRequest(deepFreeze(read), (name) => dropped.push(name))));
        expect(again).toEqual(read);
        expect(dropped).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
