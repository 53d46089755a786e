import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../../../plugins/format-anthropic-messages/format.ts";
import { bedrockConverse } from "../../../plugins/format-bedrock-converse/index.ts";
import { cohereChat } from "../../../plugins/format-cohere-chat/format.ts";
import { gemini } from "../../../plugins/format-gemini/format.ts";
import { openAiChat } from "../../../plugins/format-openai-chat/format.ts";
import { openAiResponses } from "../../../plugins/format-openai-responses/format.ts";
import { eventFrame, exceptionFrame, frameEventsOf } from "../../http/aws-event-stream/events.ts";
import type { Format } from "../../model/format.ts";
import { hidingQuoted } from "./quoted-errors.ts";
import { passThrough } from "./stream-work.ts";

const secret = "sk-live/01";
const message = `Not with ${secret}, nor with sk-live\\/01.`;
const hidden = "Not with ***, nor with ***.";
const data = (json: string) => `data: ${json}\n\n`;
const latin1 = (text: string) => Buffer.from(text, "latin1");

describe("the credential that an error inside a stream quotes is not passed on", () => {
  it.each<[string, Format, string, string]>([
    ["a bare error", openAiChat, data('{"id":"c","choices":[]}'), data(`{"error":{"message":"${message}"}}`)],
    [
      "a named event",
      anthropicMessages,
      data('{"type":"ping"}'),
      `event: error\n${data(`{"type":"error","error":{"message":"${message}"}}`)}`,
    ],
    [
      "an answer that failed",
      openAiResponses,
      data('{"type":"response.created"}'),
      data(`{"type":"response.failed","response":{"error":{"message":"${message}"}}}`),
    ],
    [
      "a message that ended",
      cohereChat,
      data('{"type":"message-start"}'),
      data(`{"type":"message-end","delta":{"error":"${message}","finish_reason":"ERROR"}}`),
    ],
    ["what is no frame", gemini, data('{"candidates":[]}'), `{"error": {\n"message": "${message}"}}\n\n`],
  ])("%s, of $1.name", (_, format, first, error) => {
    const work = passThrough(format, 1e6, undefined, [secret]);
    const text = `${work.push(Buffer.from(first))}${work.push(Buffer.from(error))}${work.end().out}`;
    expect(text).toContain(hidden);
    expect(work.upstreamError?.message).toContain(hidden);
  });

  it("an exception, whose frame is still sound", () => {
    const work = passThrough(bedrockConverse, 1e6, undefined, [secret]);
    const begun = work.push(latin1(eventFrame("messageStart", '{"role":"assistant"}')));
    const thrown = work.push(latin1(exceptionFrame("throttlingException", `{"message":"${message}"}`)));
    expect(frameEventsOf(Buffer.concat([Buffer.from(begun), Buffer.from(thrown)]))).toEqual([
      { event: "messageStart", data: '{"role":"assistant"}' },
      { event: "exception", data: JSON.stringify({ __type: "throttlingException", message: hidden }) },
    ]);
  });
});

it.each([
  ["has no error", data(`{"choices":[{"index":0,"delta":{"content":"${secret}"}}]}`)],
  ["speaks of errors", data(`{"choices":[{"index":0,"delta":{"content":"an error: ${secret}"}}]}`)],
])("a frame that %s goes on as it came", (_, frame) => {
  const bytes = Buffer.from(frame);
  expect(hidingQuoted(openAiChat, [secret])(bytes)).toBe(bytes);
});
