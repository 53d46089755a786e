import { describe, expect, it } from "vitest";
import type { AssistantPart, ChatResponse, Format } from "../../core/index.ts";
import { chunksOf } from "../../core/index.ts";
import { framingRules } from "../../core/pipeline/stream/framing.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/index.ts";
import { bedrockConverse } from "../../plugins/format-bedrock-converse/index.ts";
import { openAiChat } from "../../plugins/format-openai-chat/index.ts";
import { openAiResponses } from "../../plugins/format-openai-responses/index.ts";
import { assembled } from "./assembled.ts";
import { vendorContext } from "./vendor-context.ts";

/** What clients are given of other vendors, and give back to a vendor of their own format. */

const context = { ...vendorContext, strict: false };
const answerOf = (...content: AssistantPart[]): ChatResponse => ({
  choices: [{ index: 0, content, finishReason: "stop" }],
});
const whole = (format: Format<"chat">, answer: ChatResponse) => format.encodeResponse(answer, context);
function streamed(format: Format<"chat">, answer: ChatResponse) {
  const encoder = format.encodeStream?.(context);
  let text = "";
  for (const chunk of chunksOf(answer)) text += encoder?.push(chunk);
  return Buffer.from(text + encoder?.end(), framingRules(format.framing).encoding);
}

const thought = { type: "thinking", text: "Hm." } as const;
const said = { type: "text", text: "Hi" } as const;
const thinkers = [
  {
    format: openAiResponses,
    model: "gpt-5",
    ask: ({ output }: Record<string, unknown>) => ({
      input: [{ role: "user", content: "Hi" }, ...(output as object[])],
    }),
  },
  {
    format: bedrockConverse,
    model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    ask: ({ output }: Record<string, unknown>) => ({
      messages: [
        { role: "user", content: [{ text: "Hi" }] },
        (output as { message: object }).message,
        { role: "user", content: [{ text: "And?" }] },
      ],
    }),
  },
];

describe.each(thinkers)("thinking that nobody signed, given to a client of $format.name", ({ format, model, ask }) => {
  it("says so, whole and streamed, and is not sent to who wants it signed", () => {
    const given = whole(format, answerOf(thought, said));
    expect(streamed(format, answerOf(thought, said)).toString("latin1")).toContain("signed-by:nobody:");
    const asked = { model, ...ask(given) };
    expect(format.borrowed?.some((text) => JSON.stringify(asked).includes(text))).toBe(true);
    const dropped: string[] = [];
    const sent = JSON.stringify(format.encodeRequest(format.decodeRequest(asked), (name) => dropped.push(name)));
    expect(sent).not.toMatch(/Hm\.|signed-by/);
    expect(dropped).toEqual(["messages.thinking"]);
  });
});

it("tells models of Bedrock that sign nothing what was thought before", () => {
  const { message } = whole(bedrockConverse, answerOf(thought, said)).output as { message: object };
  const messages = [
    { role: "user", content: [{ text: "Hi" }] },
    message,
    { role: "user", content: [{ text: "And?" }] },
  ];
  const sent = bedrockConverse.encodeRequest(
    bedrockConverse.decodeRequest({ model: "us.deepseek.r1-v1:0", messages }),
    expect.fail,
  );
  expect(sent).toMatchObject({
    messages: [{}, { content: [{ reasoningContent: { reasoningText: { text: "Hm." } } }, {}] }, {}],
  });
  expect(JSON.stringify(sent)).not.toContain("signed-by");
});

const strictClients = [anthropicMessages, bedrockConverse];
describe.each(strictClients)("a client of $name", (format) => {
  const call = (id: string): AssistantPart => ({ type: "tool-call", id, name: "look", arguments: "{}" });
  const shown = (...content: AssistantPart[]) => {
    const answer = format.decodeResponse(JSON.parse(JSON.stringify(whole(format, answerOf(...content)))));
    expect(assembled(format, streamed(format, answerOf(...content))).choices[0]?.content).toEqual(
      answer.choices[0]?.content,
    );
    return answer.choices[0]?.content;
  };

  it("is given no text of white space alone, which its vendor refuses", () => {
    expect(shown({ type: "text", text: "\n\n" }, call("a"))).toMatchObject([{ type: "tool-call" }]);
    expect(shown({ type: "text", text: "\n\nHi " })).toMatchObject([{ type: "text", text: "\n\nHi " }]);
  });

  it("is given calls by ids that its vendor takes, and that are not those of the answer before", () => {
    const [first] = shown(call("functions.look:0")) ?? [];
    const id = first?.type === "tool-call" ? first.id : "";
    expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    const again = whole(format, answerOf(call("functions.look:0")));
    expect(JSON.stringify(again)).toContain(id);
    const next = format.encodeResponse(answerOf(call("functions.look:0")), { ...context, id: "an0ther" });
    expect(JSON.stringify(next)).not.toContain(id);
  });
});

it("does not send Claude the code that OpenAI ran, which a client of chat completions gives back", () => {
  const value = { type: "code_interpreter_call", id: "ci_1", code: "print(1)", container_id: "c", outputs: [] };
  const { choices } = whole(openAiChat, answerOf({ type: "opaque", format: "openai-responses", value }, said));
  const [{ message }] = choices as [{ message: object }];
  const asked = openAiChat.decodeRequest({
    model: "m",
    messages: [{ role: "user", content: "Hi" }, message, { role: "user", content: "And?" }],
  });
  const dropped: string[] = [];
  const sent = anthropicMessages.encodeRequest(asked, (name) => dropped.push(name));
  expect(JSON.stringify(sent)).not.toContain("code_interpreter_call");
  expect(dropped).toEqual(["messages.code_interpreter_call"]);
  expect(JSON.stringify(openAiResponses.encodeRequest(asked, () => undefined))).toContain('"code_interpreter_call"');
});
