import { expect, it } from "vitest";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/index.ts";
import { bedrockConverse } from "../../plugins/format-bedrock-converse/index.ts";
import { openAiChat } from "../../plugins/format-openai-chat/index.ts";
import { openAiResponses } from "../../plugins/format-openai-responses/index.ts";

/** What MCP servers write to say that something is to be edited, which OpenAI and Claudes refuse at the root of a schema. */
const edits = {
  type: ["object", "null"],
  properties: { title: { type: "string" }, text: { type: "string" } },
  anyOf: [{ required: ["title"] }, { required: ["text"] }],
};
const inWords = {
  type: "object",
  properties: edits.properties,
  description: '{"anyOf":[{"required":["title"]},{"required":["text"]}]}',
};
const claude = "claude-sonnet-4-5";
const exact = { exact: true };
const named = { name: "edit", description: "Edits." };

const asked = {
  chat: openAiChat.decodeRequest({
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
    tools: [{ type: "function", function: { ...named, parameters: edits, strict: true } }],
  }),
  messages: anthropicMessages.decodeRequest({
    model: "m",
    max_tokens: 9,
    messages: [{ role: "user", content: "Hi" }],
    tools: [{ ...named, input_schema: edits, strict: true }],
  }),
};

it.each([
  ["a Claude", anthropicMessages, "chat", claude, {}, inWords],
  ["other models of its API", anthropicMessages, "chat", "m", {}, edits],
  ["a Claude at Bedrock", bedrockConverse, "chat", `anthropic.${claude}`, {}, inWords],
  [
    "others there, which want an object",
    bedrockConverse,
    "chat",
    "amazon.nova-pro-v1:0",
    {},
    { ...edits, type: "object" },
  ],
  ["OpenAI", openAiChat, "messages", "m", exact, inWords],
  ["OpenAI's Responses API", openAiResponses, "messages", "m", exact, inWords],
  ["OpenAI's other API, by a client of the one", openAiResponses, "chat", "m", exact, inWords],
  ["others who speak chat completions", openAiChat, "messages", "m", {}, edits],
  ["OpenAI, by its own clients, who have to answer for it", openAiChat, "chat", "m", exact, edits],
] as const)(
  "choices at the root of a tool's arguments are told %s as it takes them",
  (_who, format, client, model, vendor, schema) => {
    const dropped: string[] = [];
    const wire = format.encodeRequest({ ...asked[client], model }, (name) => dropped.push(name), vendor);
    expect(JSON.stringify(wire.tools ?? wire.toolConfig)).toContain(JSON.stringify(schema).slice(1, -1));
    expect(dropped.includes("tools.parameters")).toBe(schema === inWords);
  },
);
