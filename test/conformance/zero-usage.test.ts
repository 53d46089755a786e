import { describe, expect, it } from "vitest";
import { framingRules } from "../../core/pipeline/stream/framing.ts";
import { passThrough, type StreamWork, translation } from "../../core/pipeline/stream/stream-work.ts";
import { openAiChat } from "../../plugins/format-openai-chat/format.ts";
import { chatFormats } from "./pairs.ts";
import { vendorContext } from "./vendor-context.ts";

const frame = (more: object) => `data: ${JSON.stringify({ id: "c", model: "m", ...more })}\n\n`;
const counted = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

/** A stream that says what it used, and ends with a frame that says nothing was. */
const bytes = Buffer.from(
  frame({ choices: [{ index: 0, delta: { content: "Hello" }, finish_reason: "stop" }] }) +
    frame({ choices: [], usage: counted(10, 5) }) +
    frame({ choices: [], usage: counted(0, 0) }) +
    "data: [DONE]\n\n",
);

function sent(work: StreamWork): Buffer {
  const out = work.push(bytes);
  return Buffer.concat([out, work.end().out].map((piece) => Buffer.from(piece)));
}

describe("zeros at the end of a stream", () => {
  it("are not what it used, where its frames go on as they came", () => {
    const work = passThrough(openAiChat, 1e6);
    expect(sent(work).toString()).toBe(bytes.toString());
    expect(work.usage).toEqual({ inputTokens: 10, outputTokens: 5 });
  });

  it.each(chatFormats.map((format) => [format.name, format] as const))("are not told to clients of %s", (_, client) => {
    const context = { ...vendorContext, includeUsage: true };
    const work = translation({ upstream: openAiChat, client, context, maxFrameBytes: 1e6 });
    const events = framingRules(client.framing).events(sent(work));
    expect(work.usage).toEqual({ inputTokens: 10, outputTokens: 5 });
    expect(client.readStreamEnd?.(events).usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
  });
});
