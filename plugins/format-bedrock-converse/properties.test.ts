import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChatRequest, chunksOf, type StreamChunk } from "../../core/index.ts";
import { arbitraryChatRequest, arbitraryChatResponse, deepFreeze } from "../../test/arbitraries/chat.ts";
import { answersComeBack, losesNothingMore, reportsWhatIsDeclared } from "../../test/arbitraries/chat-properties.ts";
import { sayable } from "../../test/conformance/sayable.ts";
import { bedrockConverse } from "./index.ts";
import { assembled, chunksIn, context, withPlainArguments } from "./testing.ts";

const { encodeRequest, decodeResponse, encodeResponse, encodeStream } = bedrockConverse;

const streamed = (chunks: Iterable<StreamChunk>): string => {
  const encoder = encodeStream?.(context);
  let text = "";
  for (const chunk of chunks) text += encoder?.push(chunk);
  return text + encoder?.end();
};

describe("bedrock-converse answers", () => {
  it("assemble from a stream into what the whole answer says", () => {
    fc.assert(
      fc.property(arbitraryChatResponse.map(deepFreeze), (response) => {
        const whole = decodeResponse(encodeResponse(response, context));
        expect(withPlainArguments(assembled(chunksIn(streamed(chunksOf(response)))))).toEqual(whole);
      }),
    );
  });

  it("come back from the wire as they went, where the wire can say it", () =>
    answersComeBack(bedrockConverse, context));
});

/** Models of several makers: requests for them are written differently. */
const models = fc.constantFrom(
  "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "global.anthropic.claude-opus-4-6-v1",
  "anthropic.claude-3-haiku-20240307-v1:0",
  "amazon.nova-pro-v1:0",
  "cohere.command-r-plus-v1:0",
  "ai21.jamba-1-5-large-v1:0",
  "openai.gpt-oss-120b-1:0",
  "arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/abc123",
);
const request: fc.Arbitrary<ChatRequest> = fc
  .tuple(arbitraryChatRequest, models)
  .map(([request, model]) => deepFreeze(sayable(bedrockConverse, { ...request, model })));

describe("bedrock-converse requests", () => {
  it("lose nothing more when they are read and written again", () => losesNothingMore(bedrockConverse, request));

  it("report only what is declared, each name once, and write the same text every time", () =>
    reportsWhatIsDeclared(bedrockConverse, request));

  it("hold no blank text, no empty turn and no two turns of one role in a row", () => {
    fc.assert(
      fc.property(request, (request) => {
        const { messages } = encodeRequest(request, () => {}) as {
          messages: { role: string; content: { text?: string }[] }[];
        };
        for (const [at, { role, content }] of messages.entries()) {
          expect(content.length).toBeGreaterThan(0);
          expect(role).not.toBe(messages[at - 1]?.role);
          for (const { text } of content) expect(text?.trim()).not.toBe("");
        }
      }),
    );
  });
});
