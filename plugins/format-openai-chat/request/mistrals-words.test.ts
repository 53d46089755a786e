import { expect, it } from "vitest";
import { strictChats } from "../../../core/provider-kit/index.ts";
import { openAiChat } from "../index.ts";

const { borrowed = [], borrows, decodeRequest, encodeRequest } = openAiChat;

const pdf = "data:application/pdf;base64,JVBERi0=";
const png = "data:image/png;base64,iVBORw0KGgo=";
const asked = (part: object, more: object = {}) => ({
  model: "m",
  messages: [{ role: "user", content: [{ type: "text", text: "What is it?" }, part] }],
  ...more,
});
const tools = [{ type: "function", function: { name: "f" } }];

/** What Mistral's clients say, and what vendors of this API are asked. */
it.each<[string, object, object]>([
  [
    "a choice of any tool",
    asked({ type: "text", text: "?" }, { tools, tool_choice: "any" }),
    asked({ type: "text", text: "?" }, { tools, tool_choice: "required" }),
  ],
  [
    "a document",
    asked({ type: "document_url", document_url: pdf, document_name: "a.pdf" }),
    asked({ type: "file", file: { file_data: pdf, filename: "a.pdf" } }),
  ],
  [
    "an image's address",
    asked({ type: "image_url", image_url: png }),
    asked({ type: "image_url", image_url: { url: png } }),
  ],
])("asks for %s in the words of this API", (_, wire, usual) => {
  // Such a request is not passed through.
  for (const bytes of [JSON.stringify(wire), JSON.stringify(wire).replaceAll('":', '": ')]) {
    const read = borrowed.some((text) => bytes.includes(text));
    const keys = new Set(Object.keys(wire));
    expect(read || borrows?.(Buffer.from(bytes), { model: "m", keys })).toBe(true);
  }
  const dropped: string[] = [];
  expect(encodeRequest(decodeRequest(wire), (name) => dropped.push(name))).toEqual(usual);
  expect(dropped).toEqual([]);
});

it("Mistral itself is asked in its own", () => {
  const wire = asked(
    { type: "document_url", document_url: pdf, document_name: "a.pdf" },
    { tools, tool_choice: "any" },
  );
  expect(strictChats.rewrite.apply(encodeRequest(decodeRequest(wire), () => undefined))).toEqual(wire);
});

it.each([
  [
    "a document to be fetched",
    { type: "document_url", document_url: "https://x.test/a.pdf", document_name: "a.pdf" },
    {},
  ],
  ["one at the namesake", { type: "document_url", document_url: "https://x.test/a.pdf" }, { exact: true }],
  ["bytes at a host of any models", { type: "document_url", document_url: pdf }, {}],
])("leaves what may be known by these words only as it is: %s", (_, part, vendor) => {
  const dropped: string[] = [];
  expect(encodeRequest(decodeRequest(asked(part)), (name) => dropped.push(name), vendor)).toEqual(asked(part));
  expect(dropped).toEqual([]);
});

it("leaves documents of no address to those who know them, and words of schemas alone", () => {
  const part = { type: "document_url", document_url: { url: pdf } };
  expect(encodeRequest(decodeRequest(asked(part)), () => undefined)).toEqual(asked(part));
  expect(borrows?.(Buffer.from('{"tools":[{"enum":["any"]}]}'), { model: "m", keys: new Set(["tools"]) })).toBe(false);
});
