import { describe, expect, it } from "vitest";
import type { AssistantMessage, Message } from "../../model/chat.ts";
import { mayStartThinking, withoutLastThoughts, withoutOpenThinking } from "./claude-turn.ts";

const asked: Message = { role: "user", content: [{ type: "text", text: "Why?" }] };
const told: Message = { role: "system", content: [{ type: "text", text: "Be brief." }] };
const result: Message = { role: "tool", content: [{ type: "tool-result", toolCallId: "t", content: [] }] };
const call = { type: "tool-call", id: "t", name: "f", arguments: "{}" } as const;
const thought = { type: "thinking", text: "hm", signature: "s", signer: "claude" } as const;
const foreign = { ...thought, signer: "gemini" } as const;
const hidden = { type: "redacted-thinking", data: "x" } as const;
const text = { type: "text", text: "So." } as const;
const nothing = { type: "text", text: "\n" } as const;
const said = (...content: AssistantMessage["content"]): Message => ({ role: "assistant", content });

it.each<[string, boolean, Message[]]>([
  ["a question", true, [asked]],
  ["nothing", true, []],
  ["a question behind an answer without thinking", true, [asked, said(text), asked]],
  ["an answer that is begun", false, [asked, said(text)]],
  ["results of a turn that began with thinking", true, [asked, said(thought, call), result]],
  ["results of a turn whose thinking is hidden", true, [asked, said(hidden, call), result]],
  ["results of a turn that thought once", true, [asked, said(thought, call), result, said(call), result]],
  ["results of a turn that began without", false, [asked, said(call), result, said(thought, call), result]],
  ["results of a turn with another one's thinking", false, [asked, said(foreign, call), result]],
  ["results of a turn with both", true, [asked, said(foreign, thought, call), result]],
  ["a turn that began behind an instruction", true, [told, asked, said(thought, call), told, result]],
  ["words beside results", false, [asked, said(call), result, asked]],
  ["words beside results of a turn with thinking", true, [asked, said(thought, call), result, asked]],
  ["words beside results that were answered with nothing", false, [asked, said(call), result, said(nothing), asked]],
  ["results of what began behind such words", false, [asked, said(thought, call), result, asked, said(call), result]],
])("knows whether thinking may be switched on for %s: %s", (_, may, messages) => {
  expect(mayStartThinking(messages, "claude")).toBe(may);
});

describe("a conversation for a request that does not think", () => {
  const without = (messages: Message[]) => {
    const dropped: string[] = [];
    return { messages: withoutOpenThinking(messages, (name) => dropped.push(name)), dropped };
  };

  it("has no thinking in the turn that goes on, and what there is in the turns before", () => {
    const before = [asked, said(thought, text), asked];
    expect(without([...before, said(thought, call), result, said(hidden, call), result])).toEqual({
      messages: [...before, said(call), result, said(call), result],
      dropped: ["messages.thinking", "messages.thinking"],
    });
  });

  it("is as it was where the user has spoken last", () => {
    const messages = [asked, said(thought, text), asked];
    expect(without(messages)).toEqual({ messages, dropped: [] });
  });
});

it("leaves out thinking that nothing follows, and tells of it", () => {
  const dropped: string[] = [];
  const isThought = (block: string) => block === "thought";
  const left = (blocks: string[]) => withoutLastThoughts(blocks, isThought, (name) => dropped.push(name));
  expect(left(["thought", "text"])).toEqual(["thought", "text"]);
  expect(dropped).toEqual([]);
  expect(left(["text", "thought", "thought"])).toEqual(["text"]);
  expect(left(["thought"])).toEqual([]);
  expect(dropped).toEqual(["messages.thinking", "messages.thinking"]);
});
