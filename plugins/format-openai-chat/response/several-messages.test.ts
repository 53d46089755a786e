import { expect, it } from "vitest";
import { assembler } from "../../../core/index.ts";
import { decodeStream } from "../stream/decode-stream.ts";
import { decodeResponse } from "./decode-response.ts";

/** What the SDK of Mistral (2.7, `ChatCompletionChoice.messages`, `DeltaMessage`) says of answers with tools the vendor runs. */
const search = { id: "abcDEF123", function: { name: "web_search", arguments: '{"query":"x"}' } };
const own = { id: "abcDEF124", function: { name: "look", arguments: "{}" } };
const found = { role: "tool", tool_call_id: "abcDEF123", content: '{"results":["secret"]}' };

it("an answer in several messages is what the model says in them, and none of what its tools found", () => {
  const messages = [
    { role: "assistant", content: "", tool_calls: [search] },
    found,
    { role: "assistant", content: [{ type: "text", text: "It is " }] },
    { role: "assistant", content: "so.", tool_calls: [own] },
  ];
  const { choices } = decodeResponse({ id: "1", choices: [{ index: 0, messages, finish_reason: "tool_calls" }] });
  expect(choices[0]?.content).toEqual([
    { type: "text", text: "It is " },
    { type: "text", text: "so." },
    { type: "tool-call", id: "abcDEF124", name: "look", arguments: "{}" },
  ]);
  expect(choices[0]?.extra?.fields).toEqual({ messages });
});

it("messages that are none say nothing", () => {
  const answer = (messages: unknown) => decodeResponse({ id: "1", choices: [{ messages, finish_reason: "stop" }] });
  for (const messages of [[], [null, "x"], "x", [{ role: "assistant", content: 1 }]])
    expect(answer(messages).choices[0]?.content).toEqual([]);
});

it("nor is it part of the text in a stream", () => {
  const delta = (fields: object, more: object = {}) => ({ id: "1", choices: [{ index: 0, delta: fields, ...more }] });
  const decoder = decodeStream();
  const all = assembler();
  const frames = [
    delta({ role: "assistant", content: "Let me see. ", index: 0 }),
    delta({ ...found, index: 1 }),
    delta({ content: "more of it", index: 1 }),
    delta({ role: "tool", content: "another" }),
    delta({ role: "assistant", content: "It is ", index: 2 }),
    delta({ content: "so.", index: 2 }, { finish_reason: "stop" }),
  ];
  for (const frame of frames) for (const chunk of decoder.push({ data: JSON.stringify(frame) })) all.add(chunk);
  for (const chunk of decoder.end()) all.add(chunk);
  const { content = [] } = all.chat().choices[0] ?? {};
  const texts = content.filter((part) => part.type === "text");
  expect(texts.map(({ text }) => text)).toEqual(["Let me see. It is so."]);
});
