import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../../../plugins/format-anthropic-messages/format.ts";
import { gemini } from "../../../plugins/format-gemini/format.ts";
import { openAiChat } from "../../../plugins/format-openai-chat/format.ts";
import type { Format } from "../../model/format.ts";
import type { StreamChunk } from "../../model/stream.ts";
import { passThrough, translation } from "./stream-work.ts";

const chunk = (delta: object, finish: string | null = null) =>
  `data: {"choices":[{"index":0,"delta":${JSON.stringify(delta)},"finish_reason":${JSON.stringify(finish)}}]}\n\n`;
const half = chunk({ content: "Hello" });
const whole = half + chunk({}, "stop");
const done = "data: [DONE]\n\n";
const delta = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0}\n\n';

const otherLines = (text: string, end: string) => text.replaceAll("\n", end);

/** What a client gets of a stream, wherever it is cut. */
function sent(format: Format, stream: string, size: number): { text: string; failure: string | undefined } {
  const work = passThrough(format, 1e6);
  const bytes = Buffer.from(stream);
  let text = "";
  for (let at = 0; at < bytes.length; at += size) text += work.push(bytes.subarray(at, at + size)).toString();
  const { out, failure } = work.end();
  return { text: text + out.toString(), failure: failure?.code };
}

describe.each([1, 7, 1e6])("a stream in pieces of %i bytes", (size) => {
  it.each<[string, Format, string, string]>([
    ["as usual", openAiChat, half + done, half],
    ["with other line ends", openAiChat, otherLines(half + done, "\r\n"), otherLines(half, "\r\n")],
    ["with line ends of old", openAiChat, otherLines(half + done, "\r"), otherLines(half, "\r")],
    ["without a space", openAiChat, `${half}data:[DONE]\n\n`, half],
    ["twice", openAiChat, half + done + done, half],
    ["before a comment", openAiChat, `${half}${done}: bye\n\n`, `${half}: bye\n\n`],
    ["before an empty line more", openAiChat, `${half}${done}\n`, `${half}\n`],
    ["before the end of its last line", openAiChat, `${half}data: [DONE]\n`, half],
    ["with a name", openAiChat, `${half}event: done\n${done}`, half],
    ["with a number", openAiChat, `${half}id: 7\n${done}`, half],
    ["of another format, with spaces", anthropicMessages, `${delta}data: {"type": "message_stop"}\n\n`, delta],
  ])("loses a terminator behind half an answer, written %s", (_, format, stream, wanted) => {
    const { text, failure } = sent(format, stream, size);
    expect(failure).toBe("upstream_truncated");
    expect(text.trimEnd()).toBe(wanted.trimEnd());
  });

  it.each<[string, string, string]>([
    ["is whole", whole + done, whole + done],
    ["is whole, with other line ends", otherLines(whole + done, "\r\n"), otherLines(whole + done, "\r\n")],
    ["speaks of terminators", chunk({ content: "[DONE]" }) + whole, chunk({ content: "[DONE]" }) + whole + done],
  ])("goes on as it came when it %s", (_, stream, wanted) => {
    expect(sent(openAiChat, stream, size)).toEqual({ text: wanted, failure: undefined });
  });
});

it("ends in order an answer that is finished behind a terminator which was taken out", () => {
  expect(sent(openAiChat, half + done + chunk({}, "stop"), 1)).toEqual({ text: whole + done, failure: undefined });
});

it.each([openAiChat, anthropicMessages])("does not end in order what a tap denies at its end: $name", (client) => {
  const denied: StreamChunk = { type: "error", error: { message: "Denied.", type: "hooks_failed" }, given: true };
  const work = translation({
    upstream: gemini,
    client,
    context: { provider: "p", model: "m", strict: true, now: 0, id: "1", includeUsage: true },
    maxFrameBytes: 1e6,
    tap: (chunks) => (chunks.some(({ type }) => type === "finish") ? [denied] : chunks),
  });
  // Streams of this format name their end in every frame, and say how they have ended when they are over.
  const answer = { candidates: [{ content: { parts: [{ text: "Hello" }] }, finishReason: "STOP" }] };
  expect(work.push(Buffer.from(`data: ${JSON.stringify(answer)}\n\n`)).toString()).toContain("Hello");
  expect(work.end().out.toString()).toBe("");
  expect(work.given).toBe(true);
  expect(work.fail({ message: "Denied." }).toString()).toContain("Denied.");
});
