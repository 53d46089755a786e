import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChatRequest, chunksOf, type Fields, readJson, type StreamChunk } from "../../core/index.ts";
import { arbitraryChatRequest, arbitraryChatResponse, deepFreeze } from "../../test/arbitraries/chat.ts";
import { answersComeBack, losesNothingMore, reportsWhatIsDeclared } from "../../test/arbitraries/chat-properties.ts";
import { sayable } from "../../test/conformance/sayable.ts";
import { gemini, geminiList } from "./index.ts";
import { encodeListStream, encodeStream } from "./stream/encode-stream.ts";
import { assembled, chunksIn, context } from "./testing.ts";

const { encodeRequest, decodeResponse, encodeResponse } = gemini;

const streamed = (chunks: Iterable<StreamChunk>, open = encodeStream): string => {
  const encoder = open(context);
  let text = "";
  for (const chunk of chunks) text += encoder.push(chunk);
  return text + encoder.end();
};

describe("gemini answers", () => {
  it("assemble from a stream into what the whole answer says, as events and as a list", () => {
    fc.assert(
      fc.property(arbitraryChatResponse.map(deepFreeze), (response) => {
        const whole = decodeResponse(encodeResponse(response, context));
        expect(assembled(chunksIn(streamed(chunksOf(response))))).toEqual(whole);
        expect(geminiList.decodeResponse(readJson(streamed(chunksOf(response), encodeListStream)) as Fields)).toEqual(
          whole,
        );
      }),
    );
  });

  it("come back from the wire as they went, where the wire can say it", () => answersComeBack(gemini, context));
});

/** Models of each generation: requests for them are written differently. */
const models = fc.constantFrom(
  "gemini-1.5-pro",
  "gemini-pro-vision",
  "gemini-2.5-flash",
  "gemini-3-pro-preview",
  "mine",
);
const request: fc.Arbitrary<ChatRequest> = fc
  .tuple(arbitraryChatRequest, models)
  .map(([request, model]) => deepFreeze(sayable(gemini, { ...request, model })));

describe("gemini requests", () => {
  it("lose nothing more when they are read and written again", () => losesNothingMore(gemini, request));

  it("report only what is declared, each name once, and write the same text every time", () =>
    reportsWhatIsDeclared(gemini, request));

  it("keep the roles of turns apart, and join those that are alike", () => {
    fc.assert(
      fc.property(request, (request) => {
        if (request.model.includes("vision")) return;
        const { contents } = encodeRequest(request, () => {}) as { contents: { role: string; parts: unknown[] }[] };
        for (const [at, { role, parts }] of contents.entries()) {
          expect(parts.length).toBeGreaterThan(0);
          expect(role).not.toBe(contents[at - 1]?.role);
        }
      }),
    );
  });
});
