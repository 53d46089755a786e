import { describe, expect, it } from "vitest";
import { assembler } from "../../core/index.ts";
import { openAiResponses } from "../../plugins/format-openai-responses/index.ts";
import { ask, askStream, send, simulator } from "./testing.ts";

const path = "/responses";
const tools = [
  {
    type: "function",
    name: "look",
    parameters: { type: "object", required: ["at"], properties: { at: { type: "string" } } },
  },
];
const questions = {
  "a text": { input: "How are you?" },
  thinking: { input: [{ role: "user", content: "How are you?" }], reasoning: { effort: "low" } },
  "two calls": { input: "look twice", tools },
  "a schema": { input: "x", text: { format: { type: "json_schema", name: "n", schema: { type: "integer" } } } },
  "an image": {
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "See?" },
          { type: "input_image", image_url: "https://x.example/a" },
        ],
      },
    ],
  },
  "too little room": { input: "How are you?", max_output_tokens: 2 },
  "a tool's result": {
    input: [
      { role: "user", content: "look" },
      { type: "function_call", call_id: "c", name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: "A cliff." },
    ],
    tools,
  },
};

describe.each(Object.entries(questions))("the simulator, asked for responses with %s", (_, question) => {
  const request = { model: "m", ...question };

  it("says the same as a stream as it says whole", async () => {
    const { id: _, ...whole } = openAiResponses.decodeResponse(await ask(path, request));
    const decoder = openAiResponses.decodeStream?.();
    const answer = assembler();
    for (const event of await askStream(path, request))
      for (const chunk of decoder?.push(event) ?? []) answer.add(chunk);
    for (const chunk of decoder?.end() ?? []) answer.add(chunk);
    const { id: __, ...streamed } = answer.chat();
    expect(withoutIds(streamed)).toEqual(withoutIds(whole));
  });
});

/** Ids are made from the request, of which `stream` is a part. */
const withoutIds = (answer: object): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value) => (name === "id" ? undefined : value)));

it("answers images, tools' results and schemas as it does in other formats", async () => {
  const said = async (name: keyof typeof questions) =>
    JSON.stringify(await ask(path, { model: "m", ...questions[name] }));
  expect(await said("an image")).toContain("Simulated answer from m: See? I see 1 image.");
  expect(await said("a tool's result")).toContain("The tool said: A cliff.");
  expect(await said("a schema")).toContain('"text":"1"');
  expect(await said("too little room")).toContain('"status":"incomplete"');
});

it("numbers the events of a stream, and ends it with the whole answer", async () => {
  const events = (await askStream(path, { model: "m", input: "Hi" })).map(({ data }) => JSON.parse(data));
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
  expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { status: "completed" } });
});

it("refuses a request without input, and fails in the vendor's shape", async () => {
  const refused = await send(simulator(), path, { model: "m" }).over;
  expect(refused.status).toBe(400);
  const failed = await send(simulator(), path, { model: "fault-error-event-after-2", input: "Hi", stream: true }).over;
  expect(failed.frames.at(-1)).toContain(
    'event: error\ndata: {"type":"error","sequence_number":2,"code":"server_error"',
  );
});
