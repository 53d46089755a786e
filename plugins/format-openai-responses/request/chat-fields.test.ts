import { expect, it } from "vitest";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { openAiResponses } from "../index.ts";

const chat = { model: "m", messages: [{ role: "user", content: "Hi" }], search_domain_filter: ["a.com"], top_a: 1 };

it.each<[string, readonly string[] | undefined, unknown, string[]]>([
  ["leaves to the vendor those it has a place for", ["search_domain_filter"], ["a.com"], ["top_a"]],
  [
    "leaves out all of them, and says so, where the vendor names none",
    undefined,
    undefined,
    ["search_domain_filter", "top_a"],
  ],
])("of the fields of chat completions this format does not know, it %s", (_what, chatFields, filter, lost) => {
  const dropped: string[] = [];
  const report = (name: string) => dropped.push(name);
  const wire = openAiResponses.encodeRequest(openAiChat.decodeRequest(chat), report, chatFields && { chatFields });
  expect(wire.search_domain_filter).toEqual(filter);
  expect(wire).not.toHaveProperty("top_a");
  expect(dropped.sort()).toEqual(lost);
});

it("a message that a client was given, and gives back as it is, loses nothing", () => {
  const said = { role: "assistant", content: "Hi", refusal: null, annotations: [], audio: null, tool_calls: null };
  const dropped: string[] = [];
  const asked = { ...chat, messages: [...chat.messages, said], functions: null, modalities: [] };
  openAiResponses.encodeRequest(openAiChat.decodeRequest(asked), (name) => dropped.push(name));
  expect(dropped.sort()).toEqual(["search_domain_filter", "top_a"]);
});
