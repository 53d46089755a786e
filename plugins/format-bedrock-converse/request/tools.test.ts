import { expect, it } from "vitest";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeRequest } from "./encode-request.ts";

const message = { role: "user", content: "Hi" };
const choices = [{ properties: { a: { type: "string" } } }, { properties: { b: { type: "string" } } }];

it.each<[object | undefined, object]>([
  [undefined, { type: "object", properties: {} }],
  [{}, { type: "object" }],
  [
    { type: null, properties: {} },
    { type: "object", properties: {} },
  ],
  [{ anyOf: choices }, { anyOf: choices, type: "object" }],
  [
    { type: "object", properties: {} },
    { type: "object", properties: {} },
  ],
])("arguments of other clients' tools are said to be an object: %j", (parameters, json) => {
  const tools = [{ type: "function", function: { name: "f", parameters } }];
  const asked = openAiChat.decodeRequest({ model: "amazon.nova-pro-v1:0", messages: [message], tools });
  expect(encodeRequest(asked, (name) => expect.fail(name)).toolConfig).toEqual({
    tools: [{ toolSpec: { name: "f", inputSchema: { json } } }],
  });
});

it("what a client of this format says of them stays", () => {
  const toolConfig = { tools: [{ toolSpec: { name: "f", inputSchema: { json: {} } } }] };
  const asked = decodeRequest({ model: "m", messages: [{ role: "user", content: [{ text: "Hi" }] }], toolConfig });
  expect(encodeRequest(asked, (name) => expect.fail(name)).toolConfig).toEqual(toolConfig);
});
