import { expect, it } from "vitest";
import { openAiChat } from "../index.ts";

const { borrowed = [], decodeRequest, encodeRequest } = openAiChat;

const thought = { type: "thinking", thinking: "hm", signature: "s" };
const said = { type: "text", text: "So." };
const cited = { start: 0, end: 2, text: "So", sources: [{ type: "document", id: "d" }] };
const call = (more: object) => ({ id: "t", type: "function", function: { name: "f", arguments: "{}", ...more } });

/** What clients give back of answers of other vendors, and what vendors of this API get of it. */
it.each<[string, object, object, string[]]>([
  ["blocks", { content: "So.", content_blocks: [thought, said] }, { content: "So." }, ["messages.thinking"]],
  ["blocks in the content", { content: [thought, said] }, { content: "So." }, ["messages.thinking"]],
  [
    "added-up pieces of blocks",
    { content: "So.", content_blocks: [{ index: 0, delta: { thinking: "hm", signature: "s" } }] },
    { content: "So." },
    ["messages.thinking"],
  ],
  [
    "an image",
    {
      content: "So.",
      content_blocks: [said, { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
      content_parts: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
    },
    { content: "So." },
    ["messages.image"],
  ],
  ["citations of another vendor", { content: "So.", citations: [cited] }, { content: "So." }, ["messages.citations"]],
  [
    "a signed call",
    { content: null, tool_calls: [call({ thought_signature: "s" })] },
    { content: null, tool_calls: [call({})] },
    ["messages.thought_signature"],
  ],
  [
    "a signed call of a tool for free text",
    {
      content: null,
      tool_calls: [{ id: "t", type: "custom", custom: { name: "f", input: "x", thought_signature: "s" } }],
    },
    { content: null, tool_calls: [{ id: "t", type: "custom", custom: { name: "f", input: "x" } }] },
    ["messages.thought_signature"],
  ],
])("does not send %s to vendors who do not know it, and tells of it", (_, given, sent, lost) => {
  const user = { role: "user", content: "Why?" };
  const wire = { model: "m", messages: [user, { role: "assistant", ...given }, user] };
  // Such a request is not passed through.
  expect(borrowed.some((text) => JSON.stringify(wire).includes(text))).toBe(true);
  const dropped: string[] = [];
  const written = encodeRequest(decodeRequest(wire), (name) => dropped.push(name));
  expect(written.messages).toEqual([user, { role: "assistant", ...sent }, user]);
  expect(dropped).toEqual(lost);
});

it("passes through what vendors of this API say themselves", () => {
  const own = { role: "assistant", content: "So.", refusal: null, reasoning_content: "hm", annotations: [] };
  const wire = JSON.stringify({ model: "m", messages: [own], tools: [call({ arguments: '{"signature":"s"}' })] });
  expect(borrowed.some((text) => wire.includes(text))).toBe(false);
});
