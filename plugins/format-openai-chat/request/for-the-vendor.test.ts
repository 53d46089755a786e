import { expect, it } from "vitest";
import type { ChatRequest, Message } from "../../../core/index.ts";
import { encodeRequest } from "./request.ts";

const chat = (messages: readonly Message[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: "m",
  messages,
  stream: false,
  ...more,
});
const written = (request: ChatRequest, vendor = {}) => encodeRequest(request, () => undefined, vendor);

/** As those who serve open models make them. */
const long = (last: string) => `chatcmpl-tool-${"0123456789abcdef".repeat(2).slice(0, 31)}${last}`;
const called: readonly Message[] = [
  {
    role: "assistant",
    content: [
      { type: "tool-call", id: long("a"), name: "f", arguments: "{}" },
      { type: "tool-call", id: long("b"), name: "f", arguments: "{}" },
      { type: "tool-call", id: "call_c", name: "f", arguments: "{}" },
    ],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: long("b"), content: [{ type: "text", text: "b" }] },
      { type: "tool-result", toolCallId: long("a"), content: [{ type: "text", text: "a" }] },
      { type: "tool-result", toolCallId: "call_c", content: [{ type: "text", text: "c" }] },
    ],
  },
];

type Written = { messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[] };

it("calls have ids that the vendor of this format takes, by which their results find them", () => {
  const { messages } = written(chat(called), { exact: true }) as Written;
  const ids = messages[0]?.tool_calls?.map(({ id }) => id) ?? [];
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id.length).toBeLessThanOrEqual(40);
  expect(ids[2]).toBe("call_c");
  expect(messages.slice(1).map((message) => message.tool_call_id)).toEqual([ids[1], ids[0], ids[2]]);
});

it("ids stay what they are for others, who give long ones themselves", () => {
  const { messages } = written(chat(called)) as Written;
  expect(messages[0]?.tool_calls?.[0]?.id).toBe(long("a"));
  expect(messages[1]?.tool_call_id).toBe(long("b"));
});

it("a tool that takes nothing says so as vendors want to hear it", () => {
  const tools = [{ type: "function" as const, name: "f", parameters: { type: "object" } }];
  expect(written(chat([{ role: "user", content: [{ type: "text", text: "x" }] }], { tools }))).toMatchObject({
    tools: [{ function: { name: "f", parameters: { type: "object", properties: {} } } }],
  });
});
