import { expect, it } from "vitest";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { gemini } from "../index.ts";
import { assembled, chunksIn, context } from "../testing.ts";

/** A frame for each part; the last says how the answer ended. */
const stream = (parts: readonly object[], finishReason = "STOP"): string =>
  parts
    .map((part, at) => ({
      candidates: [
        { content: { role: "model", parts: [part] }, ...(at === parts.length - 1 && { finishReason }), index: 0 },
      ],
      responseId: "r",
    }))
    .map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
    .join("");
const first = { functionCall: { name: "f", willContinue: true }, thoughtSignature: "s" };
const piece = (jsonPath: string, more: object) => ({
  functionCall: { partialArgs: [{ jsonPath, ...more }], willContinue: true },
});
const last = { functionCall: {} };
const choice = (parts: readonly object[], reason?: string) => assembled(chunksIn(stream(parts, reason))).choices[0];
const argumentsOf = (...pieces: readonly object[]) => {
  const [call] = choice([first, ...pieces, last])?.content ?? [];
  return call?.type === "tool-call" ? JSON.parse(call.arguments) : undefined;
};

it("puts the pieces of the arguments of a call together", () => {
  const pieces = [
    piece("$.text", { stringValue: "New ", willContinue: true }),
    piece("$.list[0].n", { numberValue: 1.5 }),
    piece("$.text", { stringValue: "York", willContinue: true }),
    piece("$.text", {}),
    piece("$.list[0]['a.b']", { boolValue: false }),
    piece("$.list[1]", { nullValue: null }),
    piece('$["__proto__"]', { stringValue: "" }),
  ];
  expect(argumentsOf(...pieces)).toEqual(
    JSON.parse('{"text":"New York","list":[{"n":1.5,"a.b":false},null],"__proto__":""}'),
  );
});

it("reads several at once, names in the other spelling, and arguments that come whole", () => {
  const both = {
    function_call: {
      args: { a: 1 },
      partial_args: [
        { json_path: "$.b", string_value: "x" },
        { json_path: "$.c", string_value: "y" },
      ],
    },
  };
  expect(choice([{ functionCall: { name: "f", id: "c", willContinue: true } }, both])).toMatchObject({
    content: [{ type: "tool-call", id: "c", name: "f", arguments: '{"a":1,"b":"x","c":"y"}' }],
    finishReason: "tool-calls",
  });
});

it("tells calls apart, with their proofs, and what is said between their pieces", () => {
  const parts = [
    first,
    { text: "Hm." },
    { functionCall: { name: "f", partialArgs: [{ jsonPath: "$.a", stringValue: "1" }], willContinue: true } },
    { functionCall: { name: "g", partialArgs: [{ jsonPath: "$.a", stringValue: "2" }] } },
    { functionCall: { name: "g", args: {} } },
    { functionCall: { name: "g", willContinue: true } },
    { functionCall: {}, thoughtSignature: "t" },
  ];
  expect(choice(parts)?.content).toMatchObject([
    { type: "text", text: "Hm." },
    { name: "f", arguments: '{"a":"1"}', extra: { fields: { thought_signature: "s" } } },
    { name: "g", arguments: '{"a":"2"}' },
    { name: "g", arguments: "{}" },
    { name: "g", arguments: "{}", extra: { fields: { thought_signature: "t" } } },
  ]);
});

it("says of a call that was cut off that the answer was", () => {
  const cut = [first, piece("$.a", { stringValue: "Ne", willContinue: true })];
  expect(choice(cut, "MAX_TOKENS")).toMatchObject({ content: [{ name: "f" }], finishReason: "length" });
  expect(choice(cut)).toMatchObject({ content: [{ name: "f", arguments: '{"a":"Ne"}' }], finishReason: "tool-calls" });
});

it("reaches clients of other formats", () => {
  const encoder = openAiChat.encodeStream?.(context);
  const chunks = chunksIn(stream([first, piece("$.a", { stringValue: "b" }), last]));
  expect(chunks.map((chunk) => encoder?.push(chunk)).join("")).toContain(JSON.stringify('{"a":"b"}'));
});

it("reads a whole answer that holds pieces", () => {
  const parts = [first, piece("$.a", { stringValue: "b" }), last];
  const answer = gemini.decodeResponse({ candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] });
  expect(answer.choices[0]?.content).toMatchObject([{ name: "f", arguments: '{"a":"b"}' }]);
});

it.each([
  ["a kind of value that is not known", piece("$.a", { structValue: {} })],
  ["two values", piece("$.a", { stringValue: "", numberValue: 1 })],
  ["no value", piece("$.a", {})],
  ["a path of another kind", piece("$..a", { stringValue: "" })],
  ["no path", { functionCall: { partialArgs: [{ stringValue: "" }], willContinue: true } }],
  ["a list with a hole", piece("$.a[1]", { stringValue: "" })],
  ["no list", { functionCall: { partialArgs: "a", willContinue: true } }],
])("fails at a piece with %s: the function would be called without it", (_, part) => {
  expect(() => argumentsOf(part)).toThrow(expect.objectContaining({ code: "malformed_frame" }));
});

it.each([
  ["a value inside a text", [piece("$.a", { stringValue: "" }), piece("$.a.b", { stringValue: "" })]],
  ["a name inside a list", [piece("$.a[0]", { stringValue: "" }), piece("$.a.b", { stringValue: "" })]],
])("fails at %s", (_, pieces) => {
  expect(() => argumentsOf(...pieces)).toThrow(expect.objectContaining({ code: "malformed_frame" }));
});

it("fails at pieces of no call", () => {
  expect(() => choice([piece("$.a", { stringValue: "b" })])).toThrow(
    expect.objectContaining({ code: "malformed_frame" }),
  );
});
