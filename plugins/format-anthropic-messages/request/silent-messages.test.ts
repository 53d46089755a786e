import { expect, it } from "vitest";
import type { ChatRequest, Message } from "../../../core/index.ts";
import { encodeRequest } from "./encode-request.ts";

const text = (value: string) => [{ type: "text" as const, text: value }];
const before: readonly Message[] = [
  { role: "user", content: text("Look.") },
  { role: "assistant", content: [{ type: "tool-call", id: "c1", name: "look", arguments: "{}" }] },
  { role: "tool", content: [{ type: "tool-result", toolCallId: "c1", content: text("a") }] },
];
const said: Message = { role: "user", content: text("And?") };
const elsewhere: Message = {
  role: "user",
  content: [{ type: "opaque", format: "openai-responses", value: { type: "item_reference", id: "msg_1" } }],
};

const sent = (messages: readonly Message[]): unknown => {
  const request: ChatRequest = { model: "claude-opus-4-5", messages, stream: false };
  return (encodeRequest(request, () => {}) as { messages: unknown }).messages;
};

it("a message of which nothing is left makes no difference to those around it", () => {
  expect(sent([...before, elsewhere, said])).toEqual(sent([...before, said]));
  expect(sent([...before, said, elsewhere])).toEqual(sent([...before, said]));
  expect(sent([...before, elsewhere])).toEqual(sent(before));
});
