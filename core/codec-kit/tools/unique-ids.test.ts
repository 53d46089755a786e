import { expect, it } from "vitest";
import type { Message } from "../../model/chat.ts";
import { withUniqueIds } from "./unique-ids.ts";

const calls = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool-call", id, name: "f", arguments: "{}" })),
});
const results = (...ids: string[]): Message => ({
  role: "tool",
  content: ids.map((toolCallId) => ({ type: "tool-result", toolCallId, content: [] })),
});
const idsIn = (messages: readonly Message[]) =>
  messages.map(({ content }) =>
    content.map((part) => ("toolCallId" in part ? part.toolCallId : "id" in part && part.id)),
  );

it("calls of later turns are told from those before, each with its result", () => {
  const messages = [calls("a", "b"), results("b", "a"), calls("a"), results("a"), calls("a", "c"), results("c", "a")];
  expect(idsIn(withUniqueIds(messages))).toEqual([
    ["a", "b"],
    ["b", "a"],
    ["a-2"],
    ["a-2"],
    ["a-3", "c"],
    ["c", "a-3"],
  ]);
});

it("calls of one turn have their results in the order they have themselves", () => {
  expect(idsIn(withUniqueIds([calls("a", "a", "a"), results("a"), results("a", "a")]))).toEqual([
    ["a", "a-2", "a-3"],
    ["a"],
    ["a-2", "a-3"],
  ]);
});

it("takes no id that another call has", () => {
  expect(idsIn(withUniqueIds([calls("a", "a-2"), calls("a"), results("a")]))).toEqual([["a", "a-2"], ["a-3"], ["a-3"]]);
});

it("leaves a conversation as it is in which every call has its own, and results that nobody asked for", () => {
  const messages = [results("z"), calls("a"), results("a", "a"), calls("b"), results("b", "y")];
  expect(withUniqueIds(messages)).toBe(messages);
});
