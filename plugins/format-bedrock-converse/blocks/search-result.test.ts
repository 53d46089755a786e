import { describe, expect, it } from "vitest";
import type { ContentPart } from "../../../core/index.ts";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { bedrockConverse } from "../index.ts";

const { decodeRequest, encodeRequest } = bedrockConverse;
const text = (said: string) => ({ text: said });
const found = { source: "https://a.example", title: "Opening", content: [text("Nine to five."), text("Not today.")] };
const citing = { searchResult: { ...found, citations: { enabled: true } } };
const pieces = { document: { name: "hours", source: { content: [text("Nine"), text("to five")] } } };
const result = { toolUseId: "t", content: [{ searchResult: found }] };
const used = { toolUse: { toolUseId: "t", name: "look", input: {} } };

const asks = (...content: object[]) => ({ model: "m", messages: [{ role: "user", content }] });
const resulting = {
  model: "m",
  messages: [
    { role: "user", content: [text("When?")] },
    { role: "assistant", content: [used] },
    { role: "user", content: [{ toolResult: result }] },
  ],
  toolConfig: { tools: [{ toolSpec: { name: "look", inputSchema: { json: { type: "object" } } } }] },
};

function elsewhere(wire: object) {
  const dropped: string[] = [];
  const { messages } = openAiChat.encodeRequest(decodeRequest(wire), (name) => dropped.push(name));
  return { messages, dropped };
}

describe("what was found, and documents in pieces", () => {
  it.each<[string, object]>([
    ["a search result", asks({ searchResult: found }, text("When?"))],
    ["a search result that can be cited", asks(citing, text("When?"))],
    ["an empty search result", asks({ searchResult: { source: "", title: "", content: [] } }, text("When?"))],
    ["a document in pieces", asks(pieces, text("When?"))],
    ["a document in pieces with a format", asks({ document: { ...pieces.document, format: "txt" } }, text("When?"))],
    ["a search result in the result of a tool", resulting],
  ])("%s comes back as it was", (_what, wire) => {
    const { messages } = encodeRequest(decodeRequest(wire), () => undefined);
    expect(JSON.parse(JSON.stringify(messages))).toEqual((wire as { messages: unknown }).messages);
  });

  it("are texts to other vendors", () => {
    expect(elsewhere(asks({ searchResult: found }))).toEqual({
      messages: [{ role: "user", content: "Opening (https://a.example)\nNine to five.\nNot today.\n" }],
      dropped: [],
    });
    expect(elsewhere(asks(pieces))).toEqual({
      messages: [{ role: "user", content: "hours\n\nNine\nto five\n" }],
      dropped: [],
    });
    expect(elsewhere(resulting)).toMatchObject({
      messages: [{}, {}, { role: "tool", content: "Opening (https://a.example)\nNine to five.\nNot today.\n" }],
      dropped: [],
    });
    expect(elsewhere(asks(citing)).dropped).toEqual(["messages.citations"]);
  });

  it("are what somebody has made of them", () => {
    const changed = (block: object) => {
      const request = decodeRequest(asks(block));
      const content = request.messages.flatMap((message) => message.content as ContentPart[]);
      const masked = content.map((part) =>
        part.type === "text"
          ? { ...part, text: "***" }
          : { ...part, source: { kind: "text", text: "***", mediaType: "text/plain" } },
      ) as ContentPart[];
      const { messages } = encodeRequest(
        { ...request, messages: [{ role: "user", content: masked }] },
        () => undefined,
      );
      return (messages as { content: unknown }[])[0]?.content;
    };
    expect(changed(citing)).toEqual([text("***")]);
    expect(changed(pieces)).toContainEqual({ document: { name: "hours", source: text("***") } });
  });

  it("are the vendor's own where something else stands in them", () => {
    const odd = { searchResult: { ...found, content: [{ image: {} }] } };
    expect(elsewhere(asks(odd, text("When?")))).toMatchObject({ dropped: ["messages.search_result"] });
  });
});
