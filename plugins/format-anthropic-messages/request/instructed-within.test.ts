import { describe, expect, it } from "vitest";
import { bedrockConverse } from "../../format-bedrock-converse/index.ts";
import { cohereChat } from "../../format-cohere-chat/index.ts";
import { gemini } from "../../format-gemini/index.ts";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { openAiResponses } from "../../format-openai-responses/index.ts";
import { anthropicMessages } from "../index.ts";

const others = [openAiChat, openAiResponses, gemini, cohereChat, bedrockConverse];

const said = (role: string, content: unknown) => ({ role, content });
const look = { name: "look", input_schema: { type: "object" } };

/** As the SDK declares the beta: tools come and go, and the effort changes, in instructions between the messages. */
const instructions = [
  said("system", "Be kind, too."),
  said("system", [
    { type: "tool_addition", tool: { type: "tool_reference", name: "look" } },
    { type: "text", text: "Look." },
    { type: "tool_removal", tool: { type: "tool_reference", name: "look" }, cache_control: { type: "ephemeral" } },
  ]),
  { role: "system", output_config: { effort: "low" } },
];
const asked = (instruction: object) => ({
  model: "claude-opus-4-8",
  max_tokens: 9,
  messages: [said("user", "Hi"), said("assistant", "Yes?"), instruction, said("user", "Go on.")],
  tools: [look],
});
const told = (format: typeof openAiChat, wire: object) => {
  const lost: string[] = [];
  return { wire: format.encodeRequest(anthropicMessages.decodeRequest(wire), (name) => lost.push(name)), lost };
};

describe("instructions between the messages of a request for Claude", () => {
  it.each(instructions)("stay as they are for the vendor: %j", (instruction) => {
    const { wire, lost } = told(anthropicMessages, asked(instruction));
    const { content } = instruction as { content?: unknown };
    const written = typeof content === "string" ? [{ type: "text", text: content }] : content;
    expect((wire as { messages: unknown[] }).messages[2]).toEqual({
      ...instruction,
      ...(written !== undefined && { content: written }),
    });
    expect(lost).toEqual([]);
  });

  it("have blocks of their own, which are texts to nobody", () => {
    const [, changing = {}] = instructions;
    const { content } = anthropicMessages.decodeRequest(asked(changing)).messages[2] ?? {};
    expect(content?.map(({ type }) => type)).toEqual(["opaque", "text", "opaque"]);
  });

  it.each(others)("are lost under their names where $name has none for them, and leave nothing empty", (format) => {
    const [, changing = {}, harder = {}] = instructions;
    const [changed, hardened] = [told(format, asked(changing)), told(format, asked(harder))];
    expect(changed.lost).toEqual(expect.arrayContaining(["messages.tool_addition", "messages.tool_removal"]));
    expect(hardened.lost).toContain("messages.output_config");
    expect(JSON.stringify(changed.wire)).toContain("Look.");
    for (const { wire } of [changed, hardened])
      expect(JSON.stringify(wire)).not.toMatch(/"(?:text|content)":(?:""|\[\])/);
  });

  it("are the only messages that may have no content", () => {
    for (const role of ["user", "assistant"])
      expect(() => anthropicMessages.decodeRequest(asked({ role, output_config: {} }))).toThrow(
        expect.objectContaining({ details: { param: "messages[2].content" } }),
      );
  });
});
