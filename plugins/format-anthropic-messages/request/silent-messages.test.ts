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
const reference = {
  type: "opaque" as const,
  format: "openai-responses",
  value: { type: "item_reference", id: "msg_1" },
};
const elsewhere: readonly Message[] = [
  { role: "user", content: [reference] },
  { role: "assistant", content: [reference] },
];

const sent = (messages: readonly Message[]): unknown => {
  const request: ChatRequest = { model: "claude-opus-4-5", messages, stream: false };
  return (encodeRequest(request, () => {}) as { messages: unknown }).messages;
};

it.each(elsewhere)("a message of $role of which nothing is left makes no difference to those around it", (silent) => {
  expect(sent([...before, silent, said])).toEqual(sent([...before, said]));
  expect(sent([...before, said, silent])).toEqual(sent([...before, said]));
  expect(sent([...before, silent])).toEqual(sent(before));
  const told: Message = { role: "system", content: text("Be brief.") };
  const thought: Message = {
    role: "assistant",
    content: [{ type: "thinking", text: "Hm.", signature: "PROOF" }, ...text("So.")],
  };
  expect(sent([silent, told, thought])).toEqual(sent([told, thought]));
  expect(sent([told, silent, thought])).toEqual(sent([told, thought]));
});

it("refuses to ask when nothing is left of the user's last words, whatever follows them", () => {
  const blank: Message = { role: "assistant", content: text(" ") };
  const heard: Message = {
    role: "user",
    content: [{ type: "audio", source: { kind: "data", data: "AAAA", mediaType: "audio/wav" } }],
  };
  const refused = /^messages\[1\]\.content must be text that is not blank, or media .*, got "\[audio\]"/;
  expect(() => sent([{ role: "system", content: text("Be brief.") }, heard, blank])).toThrow(refused);
  expect(() => sent([{ role: "assistant", content: text("Hi.") }, heard, blank])).toThrow(refused);
  expect(() => sent([blank])).toThrow(/^messages\[0\]\.content must be text that is not blank/);
  expect(sent([said, blank])).toEqual(sent([said]));
});
