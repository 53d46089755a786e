import { expect, it } from "vitest";
import { assembler } from "../../../core/codec-kit/streams/assemble.ts";
import type { EncodeContext, StreamChunk } from "../../../core/index.ts";
import { openAiResponses } from "../../format-openai-responses/index.ts";
import { decodeStream } from "../stream/decode-stream.ts";
import { encodeStream } from "../stream/encode-stream.ts";
import { decodeResponse } from "./decode-response.ts";
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

const answered = {
  id: "c",
  created: 1,
  model: "m",
  choices: [
    { index: 0, message: { role: "assistant", content: "See A.", annotations: [shown(4, 5)] }, finish_reason: "stop" },
  ],
};
const framed = [
  { delta: { role: "assistant", content: "See A." }, finish_reason: null },
  { delta: { annotations: [shown(4, 5)] }, finish_reason: null },
  { delta: {}, finish_reason: "stop" },
].map((choice) => ({ data: JSON.stringify({ ...answered, choices: [{ index: 0, ...choice }] }) }));

it("those of vendors of this format are citations of the text, whole and streamed", () => {
  const decoder = decodeStream();
  const pieces = assembler();
  for (const frame of framed) for (const chunk of decoder.push(frame)) pieces.add(chunk);
  for (const chunk of decoder.end()) pieces.add(chunk);
  for (const { choices } of [decodeResponse(answered), pieces.chat()]) {
    expect(choices[0]?.content).toEqual([{ type: "text", text: "See A.", citations: [cited(4, 5)] }]);
    expect(choices[0]?.extra?.fields.annotations).toBeUndefined();
  }
});

it("clients of both APIs have them where they look for them", () => {
  const response = decodeResponse(answered);
  const { choices } = encodeResponse(response, context(false)) as { choices: { message: object }[] };
  expect(choices[0]?.message).toEqual({ role: "assistant", content: "See A.", annotations: [shown(4, 5)] });
  expect(openAiResponses.encodeResponse(response as never, context(false))).toMatchObject({
    output: [{ content: [{ type: "output_text", text: "See A.", annotations: [cited(4, 5)] }] }],
  });
});

it.each<[string, unknown]>([
  ["others", [shown(4, 5), { type: "file", file: {} }]],
  ["more than is known", [{ ...shown(4, 5), more: 1 }]],
  ["none", []],
])("%s stay beside the message", (_, annotations) => {
  const [choice] = answered.choices;
  const message = { ...choice?.message, annotations };
  const { choices } = decodeResponse({ ...answered, choices: [{ ...choice, message }] });
  expect(choices[0]?.content).toEqual([{ type: "text", text: "See A." }]);
  expect(choices[0]?.extra?.fields.annotations).toEqual(annotations);
});
