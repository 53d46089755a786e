import { describe, expect, it } from "vitest";
import { type ChatRequest, type ChatResponse, chunksOf, type EncodeContext, type Format } from "../../core/index.ts";
import { framingRules } from "../../core/pipeline/stream/framing.ts";
import { translation } from "../../core/pipeline/stream/stream-work.ts";
import { assembled } from "./assembled.ts";
import { chatFormats } from "./pairs.ts";
import { vendorContext } from "./vendor-context.ts";

const call = (id: string, text: string) => ({ type: "tool-call", id, name: "now", arguments: text }) as const;

/** Answers whose models wrote nothing where a tool has no parameters. */
const answers: readonly (readonly [string, readonly string[]])[] = [
  ["one call without arguments", [""]],
  ["white space for arguments", ["\n "]],
  ["calls with and without", ["", '{"zone":"utc"}', ""]],
];
const answer = (texts: readonly string[]): ChatResponse => ({
  id: "a1",
  model: "m",
  choices: [{ index: 0, content: texts.map((text, at) => call(`call_${at}`, text)), finishReason: "tool-calls" }],
});

const history = (text: string): ChatRequest => ({
  model: "m",
  stream: false,
  maxTokens: 100,
  messages: [
    { role: "user", content: [{ type: "text", text: "When?" }] },
    { role: "assistant", content: [call("call_1", text)] },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "call_1", content: [{ type: "text", text: "Now" }] }],
    },
  ],
});

const ignore = () => undefined;
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const argumentsIn = ({ choices }: ChatResponse): unknown[] =>
  choices.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "tool-call" ? JSON.parse(part.arguments) : [])),
  );

const meant = (texts: readonly string[]) => texts.map((text) => (text.trim() === "" ? {} : JSON.parse(text)));

/** In formats that have a text for arguments, and in those that have an object. */
const wireText = (wire: unknown): string => JSON.stringify(wire).replaceAll("\\", "");

/** The texts of arguments as they stand in a body, in the formats that have texts of them. */
const textsIn = (wire: unknown): string[] =>
  [...JSON.stringify(wire).matchAll(/"arguments":"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) =>
    JSON.parse(`"${text}"`),
  );

function streamOf({ encodeStream }: Format<"chat">, response: ChatResponse, context: EncodeContext): string {
  const encoder = encodeStream?.(context);
  let sent = "";
  for (const chunk of chunksOf(response)) sent += encoder?.push(chunk) ?? "";
  return sent + (encoder?.end() ?? "");
}

describe.each(chatFormats)("arguments that are nothing, written by $name,", (format) => {
  it.each([[""], [" \n"]])("are an empty object in a history: %j", (text) => {
    for (const one of textsIn(format.encodeRequest(history(text), ignore))) expect(JSON.parse(one)).toEqual({});
    const { messages } = format.decodeRequest(json(format.encodeRequest(history(text), ignore)));
    const calls = messages.flatMap(({ content }) => content.filter((part) => part.type === "tool-call"));
    expect(calls.map((part) => JSON.parse(part.arguments))).toEqual([{}]);
  });

  it.each(['{"at":"Os', '{"at":{"deep":1}', "[1]", "so."])(
    "are an object that says them, where they are none: %j",
    (text) => {
      const wire = json(format.encodeRequest(history(text), ignore));
      for (const one of textsIn(wire)) expect(JSON.parse(one)).toEqual({ INVALID_JSON: text });
      expect(wireText(wire)).toContain(wireText({ INVALID_JSON: text }).slice(1, -1));
    },
  );

  it.each(answers)("are JSON in a whole answer: %s", (_, texts) => {
    const wire = json(format.encodeResponse(answer(texts), vendorContext));
    for (const text of textsIn(wire)) expect(() => JSON.parse(text)).not.toThrow();
    expect(argumentsIn(format.decodeResponse(wire))).toEqual(meant(texts));
  });
});

/** What vendors of the chat API send whose models wrote nothing. */
const blankStream = (id: string) =>
  `${[
    { index: 0, delta: { role: "assistant", content: null }, finish_reason: null },
    {
      index: 0,
      delta: { tool_calls: [{ index: 0, id, type: "function", function: { name: "now", arguments: "" } }] },
      finish_reason: null,
    },
    { index: 0, delta: {}, finish_reason: "tool_calls" },
  ]
    .map(
      (choice) =>
        `data: ${JSON.stringify({ id: "a1", object: "chat.completion.chunk", model: "m", choices: [choice] })}\n\n`,
    )
    .join("")}data: [DONE]\n\n`;

const textual = chatFormats.filter(({ name }) => ["openai-chat", "openai-responses", "cohere-chat"].includes(name));
const openAiChat = chatFormats.find(({ name }) => name === "openai-chat") as Format<"chat">;

it.each(textual)(
  "a chat vendor's call without arguments is one with an empty object for clients of $name",
  (client) => {
    const work = translation({ upstream: openAiChat, client, context: vendorContext, maxFrameBytes: 1_000_000 });
    const begun = Buffer.from(work.push(Buffer.from(blankStream("call_1"))));
    expect(argumentsIn(assembled(client, Buffer.concat([begun, Buffer.from(work.end().out)])))).toEqual([{}]);
  },
);

describe.each(chatFormats)("arguments that are nothing, streamed by $name,", (format) => {
  it.each(answers)("are what they are in a whole answer: %s", (_, texts) => {
    const whole = format.decodeResponse(json(format.encodeResponse(answer(texts), vendorContext)));
    const bytes = Buffer.from(streamOf(format, answer(texts), vendorContext), framingRules(format.framing).encoding);
    const calls = ({ choices }: ChatResponse) =>
      choices.flatMap(({ content }) => content.flatMap((part) => (part.type === "tool-call" ? [part.arguments] : [])));
    const parsed = (response: ChatResponse) =>
      calls(response).map((text) => (text.trim() === "" ? {} : JSON.parse(text)));
    expect(parsed(assembled(format, bytes))).toEqual(parsed(whole));
    // The others have blocks of their own for arguments, whose clients take silence for an empty object.
    if (textual.includes(format)) expect(calls(assembled(format, bytes))).toEqual(calls(whole));
  });
});

it("free text that is empty stays so", () => {
  const free = { type: "tool-call", id: "c1", name: "patch", arguments: '{"input":""}', custom: true } as const;
  const context = { ...vendorContext, customTools: new Set(["patch"]) };
  const response: ChatResponse = { choices: [{ index: 0, content: [free], finishReason: "tool-calls" }] };
  for (const format of chatFormats.filter(({ name }) => name.startsWith("openai"))) {
    expect(JSON.stringify(format.encodeResponse(response, context))).toContain('"input":""');
    expect(streamOf(format, response, context)).not.toContain(`"{}"`);
  }
});
