import { expect, it } from "vitest";
import type { ChatRequest, CheckInput, Message, SystemMessage } from "../../../core/index.ts";
import { withFound } from "./search-context.ts";

const around = { prefix: "<", suffix: ">" };
const page = { title: "Rivers", url: "https://r.example", text: "Ebro" };
const block = '<\n[1] "Rivers"\nURL: https://r.example\nEbro>';

const text = (text: string) => ({ type: "text" as const, text });
const change = { type: "opaque" as const, format: "anthropic-messages", value: { type: "tool_addition" } };
const question: Message = { role: "user", content: [text("Rivers?")] };

it.each<[string, SystemMessage["content"], SystemMessage["content"]]>([
  ["the last text of the instructions", [text("Be "), text("brief.")], [text("Be "), text(`brief.${block}`)]],
  ["what only one format has, as a text", [text("Be brief."), change], [text("Be brief."), change, text(block)]],
  ["nothing, as a text", [], [text(block)]],
])("what was found stands behind %s", (_, content, told) => {
  const chat = (said: SystemMessage["content"]): ChatRequest => ({
    model: "m",
    stream: false,
    messages: [question, { role: "system", content: said }],
  });
  const subject = { requestType: "chatComplete", request: { body: chat(content), text: "Rivers?" } };
  const input = { text: "Rivers?", texts: ["Rivers?"], target: "request", subject } as unknown as CheckInput;
  expect(withFound(input, around, [page])).toEqual({ verdict: true, body: chat(told) });
});
