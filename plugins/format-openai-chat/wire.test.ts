import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import { openAiChat } from "./index.ts";

/** Requests as clients of this API write them, with fields nobody has heard of in every place. */

type Fields = Record<string, unknown>;

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const unknownValue = fc.oneof(
  word,
  fc.integer(),
  fc.boolean(),
  fc.record({ deep: word }),
  fc.array(word, { maxLength: 2 }),
);
const unknownFields = fc.dictionary(
  word.map((name) => `x_${name}`),
  unknownValue,
  {
    maxKeys: 2,
    noNullPrototype: true,
  },
);
const wild = (fields: fc.Arbitrary<Fields>): fc.Arbitrary<Fields> =>
  fc.tuple(fields, unknownFields).map(([known, unknown]) => ({ ...known, ...unknown }));
const some = (fields: Record<string, fc.Arbitrary<unknown>>, ...requiredKeys: string[]): fc.Arbitrary<Fields> =>
  fc.record(fields, { requiredKeys });

const textPart = wild(some({ type: fc.constant("text"), text }, "type", "text"));
const base64 = text.map((said) => Buffer.from(said).toString("base64"));
const imagePart = wild(
  some(
    {
      type: fc.constant("image_url"),
      image_url: wild(
        some(
          {
            url: fc.oneof(
              word.map((name) => `https://files.example.com/${name}.png`),
              fc
                .tuple(fc.constantFrom("image/png", "application/pdf", "text/csv", "video/mp4"), base64)
                .map(([type, data]) => `data:${type};base64,${data}`),
            ),
            detail: fc.constantFrom("low", "high", "auto"),
          },
          "url",
        ),
      ),
    },
    "type",
    "image_url",
  ),
);
const audioPart = wild(
  some(
    {
      type: fc.constant("input_audio"),
      input_audio: wild(some({ data: base64, format: fc.constantFrom("wav", "mp3") }, "data", "format")),
    },
    "type",
    "input_audio",
  ),
);
const file = fc.oneof(
  some({ file_id: word, filename: word }, "file_id"),
  some({ file_data: base64.map((data) => `data:application/pdf;base64,${data}`), filename: word }, "file_data"),
  some({ file_data: base64, mime_type: fc.constantFrom("application/pdf", "text/plain"), filename: word }, "file_data"),
  some(
    { file_url: word.map((name) => `https://files.example.com/${name}`), mime_type: fc.constant("text/csv") },
    "file_url",
  ),
);
const filePart = wild(some({ type: fc.constant("file"), file: wild(file) }, "type", "file"));
const vendorPart = wild(some({ type: fc.constantFrom("video_url", "reference"), value: word }, "type"));

/** One plain text part is written as a string, so lists have more. */
const partsOf = (...parts: fc.Arbitrary<Fields>[]): fc.Arbitrary<unknown> =>
  fc.oneof(text, fc.array(fc.oneof(...parts), { minLength: 2, maxLength: 4 }));

/** What is no object is written as one, which everybody reads; what is one stays as it was written. */
const args = fc
  .tuple(fc.dictionary(word, text, { noNullPrototype: true }), fc.constantFrom("", " "))
  .map(([value, space]) => JSON.stringify(value, null, space) + space);

const toolCall = fc.oneof(
  wild(
    some(
      {
        id: word,
        type: fc.constantFrom("function", "builtin_function"),
        function: wild(some({ name: word, arguments: args }, "name", "arguments")),
      },
      "id",
      "type",
      "function",
    ),
  ),
  some(
    { id: word, type: fc.constant("custom"), custom: fc.record({ name: word, input: text }) },
    "id",
    "type",
    "custom",
  ),
);
const refusalPart = some({ type: fc.constant("refusal"), refusal: text }, "type", "refusal");

const message = fc.oneof(
  wild(
    some({ role: fc.constantFrom("system", "developer"), content: partsOf(textPart), name: word }, "role", "content"),
  ),
  wild(
    some(
      {
        role: fc.constant("user"),
        content: partsOf(textPart, imagePart, audioPart, filePart, vendorPart),
        name: word,
      },
      "role",
      "content",
    ),
  ),
  wild(
    some(
      {
        role: fc.constant("assistant"),
        content: partsOf(textPart, refusalPart, vendorPart, imagePart.filter(isPicture)),
        refusal: text,
        reasoning_content: text,
        audio: fc.record({ id: word }),
        tool_calls: fc.array(toolCall, { minLength: 1, maxLength: 3 }),
        name: word,
      },
      "role",
      "content",
    ),
  ),
  wild(
    some(
      { role: fc.constant("tool"), tool_call_id: word, content: partsOf(textPart) },
      "role",
      "tool_call_id",
      "content",
    ),
  ),
);
function isPicture(part: Fields): boolean {
  const { url } = part.image_url as { url: string };
  return !url.startsWith("data:") || url.startsWith("data:image/");
}

const tool = fc.oneof(
  wild(
    some(
      {
        type: fc.constant("function"),
        function: wild(
          some(
            { name: word, description: text, parameters: fc.constant({ type: "object" }), strict: fc.boolean() },
            "name",
          ),
        ),
      },
      "type",
      "function",
    ),
  ),
  wild(some({ type: fc.constant("web_search"), web_search: fc.record({ name: word }) }, "type")),
);

const wireRequest = wild(
  some(
    {
      model: word,
      messages: fc.array(message, { minLength: 1, maxLength: 5 }),
      stream: fc.constant(true),
      stream_options: some({ include_usage: fc.boolean(), include_obfuscation: fc.boolean() }, "include_usage"),
      max_tokens: fc.nat(),
      max_completion_tokens: fc.nat(),
      temperature: fc.constantFrom(0, 0.5, 2),
      n: fc.constantFrom(1, 3),
      stop: fc.array(text, { minLength: 1, maxLength: 4 }),
      logit_bias: fc.constant({ "50256": -100 }),
      logprobs: fc.boolean(),
      seed: fc.integer(),
      tools: fc.array(tool, { minLength: 1, maxLength: 3 }),
      tool_choice: fc.constantFrom<unknown>(
        "auto",
        "required",
        { type: "function", function: { name: "f" } },
        { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [] } },
      ),
      response_format: fc.constantFrom<unknown>(
        { type: "json_object" },
        { type: "json_schema", json_schema: { name: "n", schema: { type: "object" }, strict: true } },
        { type: "grammar", grammar: "root ::= x" },
      ),
      reasoning_effort: fc.constantFrom("minimal", "high"),
      functions: fc.constant([{ name: "f" }]),
      metadata: fc.constant({ team: "a" }),
      modalities: fc.constant(["text", "audio"]),
      web_search_options: fc.constant({}),
    },
    "model",
    "messages",
  ),
);

describe("openai-chat wire", () => {
  it("gives back every request of its own clients as it came", () => {
    fc.assert(
      fc.property(wireRequest, (wire) => {
        const dropped: string[] = [];
        const again = openAiChat.encodeRequest(openAiChat.decodeRequest(deepFreeze(wire)), (name) =>
          dropped.push(name),
        );
        expect(again).toEqual(wire);
        expect(dropped).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
