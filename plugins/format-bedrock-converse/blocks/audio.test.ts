import { describe, expect, it } from "vitest";
import type { ChatRequest, ContentPart, Source } from "../../../core/index.ts";
import { bedrockConverse } from "../index.ts";

const { encodeRequest, encodeResponse, decodeResponse } = bedrockConverse;

const asked = (...messages: ChatRequest["messages"]) => askedOf("amazon.nova-2-omni-v1:0", messages);
function askedOf(model: string, messages: ChatRequest["messages"]) {
  const dropped: string[] = [];
  const wire = encodeRequest({ model, stream: false, messages }, (name) => dropped.push(name));
  return { messages: wire.messages as { content: unknown[] }[], dropped };
}
const sound = (source: Source): ContentPart => ({ type: "audio", source });
const bytes = (mediaType: string) => sound({ kind: "data", data: "AAAA", mediaType });

describe("sounds", () => {
  it.each([
    ["audio/wav", "wav"],
    ["audio/mpeg", "mpeg"],
    ["audio/pcm16", "pcm"],
    ["audio/L16;rate=24000", "pcm"],
    ["audio/x-flac", "flac"],
    ["audio/wave", "wav"],
  ])("are called as the vendor calls them: %s is %s", (mediaType, format) => {
    expect(asked({ role: "user", content: [bytes(mediaType)] }).messages[0]?.content).toEqual([
      { audio: { format, source: { bytes: "AAAA" } } },
    ]);
  });

  it("in S3 are what their address says", () => {
    const url = "s3://bucket/talk.ogg";
    expect(asked({ role: "user", content: [sound({ kind: "url", url })] }).messages[0]?.content).toEqual([
      { audio: { format: "ogg", source: { s3Location: { uri: url } } } },
    ]);
  });

  it("have no place in results of tools, which says so", () => {
    const call = { type: "tool-call", id: "c", name: "f", arguments: "{}" } as const;
    const content = [{ type: "text", text: "a" } as const, bytes("audio/wav")];
    const { messages, dropped } = asked(
      { role: "user", content: [{ type: "text", text: "Go." }] },
      { role: "assistant", content: [call] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c", content }] },
    );
    expect(messages[2]?.content).toMatchObject([{ toolResult: { content: [{ text: "a" }] } }]);
    expect(JSON.stringify(messages)).not.toContain("audio");
    expect(dropped).toEqual(["messages.tool_result.audio"]);
  });

  it("and videos are left out for a Claude, which refuses them, and said to be", () => {
    const video: ContentPart = { type: "document", source: { kind: "data", data: "AAAA", mediaType: "video/mp4" } };
    const content: ContentPart[] = [bytes("audio/wav"), video, { type: "text", text: "What is that?" }];
    const { messages, dropped } = askedOf("us.anthropic.claude-sonnet-4-5-v1:0", [{ role: "user", content }]);
    expect(messages[0]?.content).toEqual([{ text: "What is that?" }]);
    expect(dropped).toEqual(["messages.audio", "messages.video"]);
  });

  it("of an answer reach clients, and are read", () => {
    const block = { audio: { format: "wav", source: { bytes: "AAAA" } } };
    const answer = { output: { message: { role: "assistant", content: [block] } }, stopReason: "end_turn" };
    const decoded = decodeResponse(answer);
    expect(decoded.choices[0]?.content).toEqual([bytes("audio/wav")]);
    expect(encodeResponse(decoded, { id: "i", now: 0 } as never)).toMatchObject(answer);
  });
});
