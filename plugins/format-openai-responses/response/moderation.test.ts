import { expect, it } from "vitest";
import { chunksOf, type EncodeContext, type Fields } from "../../../core/index.ts";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { openAiResponses } from "../index.ts";
import { assembled, context, eventsOf, framesOf, streamed } from "../testing.ts";

const asked = { model: "omni-moderation-latest", policy: { output: { mode: "block" } } };

it.each([
  ["the namesake", { exact: true }, []],
  ["others, who may take it and do nothing of it", {}, ["moderation"]],
] as const)("a moderation that is asked for goes to the other API of %s", (_who, vendor, lost) => {
  const dropped: string[] = [];
  const report = (name: string) => dropped.push(name);
  const chat = openAiChat.decodeRequest({
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
    moderation: asked,
  });
  const response = openAiResponses.decodeRequest({ model: "m", input: "Hi", moderation: asked });
  const there = [
    openAiResponses.encodeRequest(chat, report, vendor),
    openAiChat.encodeRequest(response, report, vendor),
  ];
  const expected = lost.length > 0 ? undefined : asked;
  expect(there.map(({ moderation }) => moderation)).toEqual([expected, expected]);
  expect(dropped).toEqual([...lost, ...lost]);
});

const model = "omni-moderation-latest";
const result = (flagged: boolean, score: number, input: string): Fields => ({
  type: "moderation_result",
  model,
  flagged,
  categories: { hate: flagged },
  category_scores: { hate: score },
  category_applied_input_types: { hate: [input] },
});
const failed = { type: "error", code: "moderation_failed", message: "Later." };
const head = { id: "resp_1", created_at: 1, model: "m", status: "completed" };
const output = [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi" }] }];
const answer = { ...head, output, moderation: { input: result(true, 0.9, "text"), output: failed } };
const chatAnswer = {
  id: "c",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  moderation: {
    input: { type: "moderation_results", model, results: [result(true, 0.9, "text")] },
    output: failed,
  },
};

it("what was found is told in the words of each API, in whole answers and at the end of streams", () => {
  const given = [openAiResponses.decodeResponse(answer), openAiChat.decodeResponse(chatAnswer)];
  for (const response of given) {
    expect(openAiResponses.encodeResponse(response, context)).toMatchObject({ moderation: answer.moderation });
    expect(openAiChat.encodeResponse(response, context)).toMatchObject({ moderation: chatAnswer.moderation });
    const events = streamed(chunksOf(response));
    expect(framesOf(events).at(-1)).toMatchObject({ response: { moderation: answer.moderation } });
    expect(openAiChat.encodeResponse(assembled(decodedBy(openAiResponses, events)), context)).toMatchObject({
      moderation: chatAnswer.moderation,
    });
  }
});

it("a stream of chat completions tells it in a frame of its own, behind the answer, and is read so", () => {
  for (const includeUsage of [true, false]) {
    const frames = chatStream({ ...context, includeUsage });
    const after = includeUsage ? ',"usage":null}' : "}";
    expect(frames).toContain(`"choices":[],"moderation":${JSON.stringify(chatAnswer.moderation)}${after}\n`);
    expect(frames.indexOf('"moderation"')).toBeGreaterThan(frames.indexOf('"finish_reason":"stop"'));
    const again = assembled(decodedBy(openAiChat, frames));
    expect(again.moderation).toEqual(openAiChat.decodeResponse(chatAnswer).moderation);
  }
});

it("of several things that were looked at, what was found in any is one result of the Responses API", () => {
  const results = [result(false, 0.1, "text"), result(true, 0.8, "image"), result(false, 0.3, "text")];
  const response = openAiChat.decodeResponse({ ...chatAnswer, moderation: { input: { results }, output: null } });
  expect(openAiResponses.encodeResponse(response, context)).toMatchObject({
    moderation: {
      input: { ...result(true, 0.8, "text"), category_applied_input_types: { hate: ["text", "image"] } },
      output: null,
    },
  });
});

it.each<[unknown]>([[[{ flagged: true }]], [{ flagged: true }]])(
  "what a vendor of the same format says otherwise is as it was: %j",
  (moderation) => {
    const chat = openAiChat.decodeResponse({ ...chatAnswer, moderation });
    expect(openAiChat.encodeResponse(chat, context)).toMatchObject({ moderation });
    const response = openAiResponses.decodeResponse({ ...answer, moderation });
    expect(openAiResponses.encodeResponse(response, context)).toMatchObject({ moderation });
    const frame = { ...chatAnswer, choices: [{ index: 0, delta: { content: "Hi" } }], moderation };
    const [start] = [...(openAiChat.decodeStream?.().push({ data: JSON.stringify(frame) }) ?? [])];
    expect(start).toMatchObject({ type: "start", extra: { fields: { moderation } } });
  },
);

function chatStream(given: EncodeContext): string {
  const encoder = openAiChat.encodeStream?.(given);
  let text = "";
  for (const chunk of chunksOf(openAiChat.decodeResponse(chatAnswer))) text += encoder?.push(chunk);
  return text + encoder?.end();
}

function decodedBy(format: typeof openAiChat | typeof openAiResponses, text: string) {
  const decoder = format.decodeStream?.();
  const events = format === openAiChat ? text.split("\n\n").filter(Boolean).map(dataOf) : eventsOf(text);
  return [...events.flatMap((event) => [...(decoder?.push(event) ?? [])]), ...(decoder?.end() ?? [])];
}

const dataOf = (frame: string) => ({ data: frame.replace(/^data: /, "") });
