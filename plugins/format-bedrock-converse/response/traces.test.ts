import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { encodeStream } from "../../format-openai-chat/stream/encode-stream.ts";
import { bedrockConverse } from "../index.ts";
import { chunksIn, context } from "../testing.ts";

const fixture = (name: string) => readFile(new URL(`../fixtures/guardrail/${name}`, import.meta.url));
const trace = { guardrail: { inputAssessment: { gr1: { topicPolicy: { topics: [] } } } } };

/** providers.md section 9.4. */
describe("the trace of a guardrail, for clients of chat completions", () => {
  it.each([
    [false, trace],
    [true, undefined],
  ])("stands beside the choices of a whole answer (strict: %s)", async (strict, shown) => {
    const answer = bedrockConverse.decodeResponse(JSON.parse(String(await fixture("response.json"))));
    expect(openAiChat.encodeResponse(answer, { ...context, strict })).toHaveProperty("choices");
    expect(JSON.parse(JSON.stringify(openAiChat.encodeResponse(answer, { ...context, strict }))).trace).toEqual(shown);
  });

  it.each([
    [false, false, trace],
    [false, true, trace],
    [true, false, undefined],
  ])("and of the frame that ends a stream (strict: %s, usage: %s)", async (strict, includeUsage, shown) => {
    const encoder = encodeStream({ ...context, strict, includeUsage });
    const text = chunksIn((await fixture("upstream.bin")).toString("latin1")).map((chunk) => encoder.push(chunk));
    const frames = [...text, encoder.end()].join("").split("\n\n");
    const ending = frames.find((frame) => /"finish_reason":"[a-z]/.test(frame)) ?? "";
    expect(JSON.parse(ending.replace(/^data: /, "")).trace).toEqual(shown);
  });
});
