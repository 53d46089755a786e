import { describe, expect, it } from "vitest";
import { openAiChat } from "../../plugins/format-openai-chat/index.ts";
import { chatFormats } from "./pairs.ts";

/** Clients write the name of the tool beside its result, where its call has it already; OpenAI's API knows no such field there. */
describe("the name of a tool beside its result, in a chat", () => {
  const called = { name: "look", arguments: "{}" };
  const said = (...messages: object[]) => ({ model: "m", messages: [{ role: "user", content: "Hi" }, ...messages] });
  const asked = [
    said(
      { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: called }] },
      { role: "tool", tool_call_id: "c1", content: "A cat.", name: "look", unheard: 1 },
    ),
    said(
      { role: "assistant", content: null, function_call: called },
      { role: "function", content: "A cat.", name: "look", unheard: 1 },
    ),
  ];

  it.each(asked)("goes back as it came: $messages.2.role", (wire) => {
    expect(openAiChat.encodeRequest(openAiChat.decodeRequest(wire), expect.fail)).toEqual(wire);
  });

  it.each(chatFormats.filter((format) => format !== openAiChat))("is no loss in $name", (format) => {
    for (const wire of asked) {
      const dropped = new Set<string>();
      format.encodeRequest(openAiChat.decodeRequest(wire), (name) => dropped.add(name));
      expect([...dropped]).toEqual(["messages.unheard"]);
    }
  });
});
