import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../../format-anthropic-messages/index.ts";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { bedrockConverse } from "../index.ts";

const model = "us.anthropic.claude-opus-4-8-v1:0";
const said = (role: string, text: string) => ({ role, content: [{ text }] });

describe("instructions between the messages of a Converse request", () => {
  /** As the vendor declares it: `system` is a role of messages, and tools come and go in such messages. */
  const wire = {
    model,
    system: [{ text: "Be brief." }],
    messages: [
      said("user", "Hi"),
      said("assistant", "Yes?"),
      {
        role: "system",
        content: [{ text: "Be kind, too." }, { toolAddition: { tool: { name: "look" } } }],
      },
      said("user", "Go on."),
    ],
    toolConfig: { tools: [{ toolSpec: { name: "look", inputSchema: { json: { type: "object" } } } }] },
  };

  it("are where they were for the vendor", () => {
    const lost: string[] = [];
    const again = bedrockConverse.encodeRequest(bedrockConverse.decodeRequest(wire), (name) => lost.push(name));
    expect(again).toEqual(wire);
    expect(lost).toEqual([]);
  });

  it("may begin with a cache point, which has nothing before it", () => {
    const marked = { ...wire, system: [{ cachePoint: { type: "default" } }, { text: "Be brief." }] };
    expect(bedrockConverse.encodeRequest(bedrockConverse.decodeRequest(marked), expect.fail)).toEqual(marked);
  });

  it("have blocks of their own, which are texts to nobody", () => {
    const { messages } = bedrockConverse.decodeRequest(wire);
    expect(messages[3]?.content).toMatchObject([{ type: "text" }, { type: "opaque", format: "bedrock-converse" }]);
  });

  it("are instructions to others", () => {
    const request = bedrockConverse.decodeRequest(wire);
    const lost: string[] = [];
    expect(openAiChat.encodeRequest(request, (name) => lost.push(name)).messages).toMatchObject([
      { role: "system", content: "Be brief." },
      { role: "user" },
      { role: "assistant" },
      { role: "system", content: "Be kind, too." },
      { role: "user" },
    ]);
    expect(lost).toEqual(["messages.tool_addition"]);
    const claude = anthropicMessages.encodeRequest(request, () => {}) as { system: unknown; messages: object[] };
    expect(JSON.stringify(claude.system)).toContain("Be kind, too.");
    expect(claude.messages).toHaveLength(3);
  });

  it("are no message of anybody else's", () => {
    expect(() => bedrockConverse.decodeRequest({ messages: [said("developer", "Hi")] })).toThrow(
      expect.objectContaining({ code: "invalid_request" }),
    );
  });
});

describe("the effort of a Converse request's output", () => {
  const jsonSchema = { schema: '{"type":"object","additionalProperties":false}', name: "answer" };
  const textFormat = { type: "json_schema", structure: { jsonSchema } };
  const asked = (outputConfig: object, more: object = {}) => ({
    model,
    messages: [said("user", "Hi")],
    outputConfig,
    ...more,
  });
  const thinking = { additionalModelRequestFields: { thinking: { type: "adaptive" } } };

  it.each([
    [asked({ effort: "low" })],
    [asked({ effort: "low", textFormat })],
    [asked({ effort: "max", textFormat }, thinking)],
    [asked({ effort: "low", unheard: true })],
  ])("goes back as it came: %j", (wire) => {
    expect(bedrockConverse.encodeRequest(bedrockConverse.decodeRequest(wire), expect.fail)).toEqual(wire);
  });

  it("is an effort to others, beside the schema", () => {
    const request = bedrockConverse.decodeRequest(asked({ effort: "low", textFormat }, thinking));
    expect(request).toMatchObject({
      reasoning: { effort: "low", mode: "adaptive" },
      responseFormat: { type: "json-schema" },
    });
    const lost: string[] = [];
    expect(openAiChat.encodeRequest(request, (name) => lost.push(name))).toMatchObject({
      reasoning_effort: "low",
      response_format: { type: "json_schema" },
    });
    expect(lost).not.toContain("outputConfig");
  });

  it("is said once where a config changes it, and stays where one changes the schema", () => {
    const request = bedrockConverse.decodeRequest(asked({ effort: "low", textFormat }));
    const harder = bedrockConverse.encodeRequest({ ...request, reasoning: { effort: "high" } }, () => {});
    expect(harder.outputConfig).toEqual({ textFormat });
    expect(JSON.stringify(harder.additionalModelRequestFields)).toContain('"effort":"high"');
    const { responseFormat: _, ...free } = request;
    expect(bedrockConverse.encodeRequest(free, () => {}).outputConfig).toEqual({ effort: "low" });
  });
});
