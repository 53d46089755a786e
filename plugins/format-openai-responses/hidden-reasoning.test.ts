import { expect, it } from "vitest";
import { anthropicMessages } from "../format-anthropic-messages/index.ts";
import { openAiChat } from "../format-openai-chat/index.ts";
import { openAiResponses } from "./index.ts";

const context = { provider: "p", model: "m", strict: true, now: 0, id: "own", includeUsage: true };

it.each([{}, { status: "completed" }])(
  "reasoning that may not be read keeps the id its proof was given for, where an answer is written anew",
  (status) => {
    const reasoning = { type: "reasoning", id: "rs_9", ...status, summary: [], encrypted_content: "proof" };
    const answer = { id: "resp_1", object: "response", model: "m", status: "completed", output: [reasoning] };
    const read = openAiResponses.decodeResponse(answer);
    expect(openAiResponses.encodeResponse(read, context)).toMatchObject({ output: [reasoning] });
  },
);

/** As OpenAI answers who lets it keep responses and asks for no summary. What follows goes back with it only ("provided without its required 'reasoning' item"). */
const kept = { type: "reasoning", id: "rs_9", summary: [] };
const said = {
  ...{ type: "message", id: "msg_9", status: "completed", role: "assistant" },
  content: [{ type: "output_text", text: "Hi", annotations: [], logprobs: [] }],
};
const whole = { id: "resp_1", object: "response", model: "m", status: "completed", output: [kept, said] };

it("reasoning that its vendor keeps stays where an answer is written anew", () => {
  const read = openAiResponses.decodeResponse(whole);
  expect(openAiResponses.encodeResponse(read, context)).toMatchObject({ output: [kept, said] });
  // To others it says nothing.
  expect(anthropicMessages.encodeResponse(read, context)).toMatchObject({ content: [{ type: "text", text: "Hi" }] });
  const chat = openAiChat.encodeResponse(read, { ...context, strict: false });
  expect(chat).toMatchObject({ choices: [{ message: { role: "assistant", content: "Hi" } }] });
  expect(JSON.stringify(chat)).not.toContain("reasoning");
});

it("reasoning that its vendor keeps stays where a stream is written anew", () => {
  const events = [
    { type: "response.created", response: { ...whole, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item: kept },
    { type: "response.output_item.done", output_index: 0, item: kept },
    { type: "response.output_item.added", output_index: 1, item: { ...said, content: [] } },
    { type: "response.output_item.done", output_index: 1, item: said },
    { type: "response.completed", response: whole },
  ];
  const decoder = openAiResponses.decodeStream?.();
  const encoder = openAiResponses.encodeStream?.(context);
  const chunks = events.flatMap((event) => [...(decoder?.push({ data: JSON.stringify(event) }) ?? [])]);
  const text = chunks.map((chunk) => encoder?.push(chunk)).join("") + encoder?.end();
  const sent = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
  const items = sent.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
  expect(items).toMatchObject([kept, said]);
  expect(sent.at(-1)).toMatchObject({ type: "response.completed", response: { output: [kept, said] } });
});
