import { expect, it } from "vitest";
import type { EncodeContext, StreamChunk } from "../../../core/index.ts";
import { openAiResponses } from "../../format-openai-responses/index.ts";
import { encodeStream } from "../stream/encode-stream.ts";
import { encodeResponse } from "./encode-response.ts";

const cited = (start: number, end: number) => ({
  type: "url_citation",
  start_index: start,
  end_index: end,
  url: "https://example.com/a",
  title: "A",
});
const shown = (start: number, end: number) => ({
  type: "url_citation",
  url_citation: { start_index: start, end_index: end, url: "https://example.com/a", title: "A" },
});
const text = (text: string, annotations: object[]) => ({ type: "output_text", text, annotations, logprobs: [] });
const wire = {
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "m",
  output: [
    { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [text("Yes. ", [])] },
    {
      ...{ type: "message", id: "msg_2", role: "assistant", status: "completed" },
      content: [text("See A.", [cited(4, 5), { type: "file_citation", file_id: "f", index: 0, filename: "a" }])],
    },
  ],
};
const context = (strict: boolean): EncodeContext => ({ model: "m", provider: "openai", created: 1, strict }) as never;

it.each([true, false])("sources on the web stand beside the message, strict or not (%s)", (strict) => {
  const { choices } = encodeResponse(openAiResponses.decodeResponse(wire) as never, context(strict)) as {
    choices: { message: object }[];
  };
  expect(choices[0]?.message).toMatchObject({ content: "Yes. See A.", annotations: [shown(9, 10)] });
});

it.each([true, false])("they do in streams (%s)", (strict) => {
  const chunks: StreamChunk[] = [
    { type: "start", id: "c", model: "m", created: 1 },
    { type: "text-delta", choice: 0, part: 0, text: "Yes. " },
    { type: "text-delta", choice: 0, part: 1, text: "See " },
    { type: "text-delta", choice: 0, part: 1, text: "A." },
    { type: "text-delta", choice: 0, part: 1, text: "", citations: [cited(4, 5)] },
    { type: "finish", choice: 0, reason: "stop" },
  ];
  const encoder = encodeStream(context(strict));
  const frames = (chunks.map((chunk) => encoder.push(chunk)).join("") + encoder.end()).split("\n\n");
  const deltas = frames
    .filter((one) => one.startsWith("data: {"))
    .map((one) => JSON.parse(one.slice(6)).choices[0]?.delta);
  expect(deltas.filter((delta) => delta?.annotations)).toEqual([{ annotations: [shown(9, 10)] }]);
});
