import { describe, expect, it } from "vitest";
import { bedrockConverse } from "../../format-bedrock-converse/index.ts";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { decodeRequest } from "./decode-request.ts";
import { meantElsewhere } from "./meant-elsewhere.ts";

const marked = { cache_control: { type: "ephemeral", ttl: "1h" } };
const user = (content: unknown = "Go on.") => ({ role: "user", content });
const tool = (name: string, more: object = {}) => ({ name, input_schema: { type: "object" }, ...more });
const change = (type: string) => ({ type, tool: { type: "tool_reference", name: "a" }, ...marked });

const searched = [
  user(),
  { role: "assistant", content: [{ type: "tool_use", id: "c", name: "find", input: {} }] },
  user([{ type: "tool_result", tool_use_id: "c", content: [{ type: "tool_reference", tool_name: "a", ...marked }] }]),
];
const changed = (type: string) => [user("First."), { role: "system", content: [change(type)] }, user()];
const among = [
  user("First."),
  { role: "system", content: [{ type: "text", text: "Be brief." }, change("tool_removal")] },
];

const atFirst = [{ role: "system", content: [change("tool_removal")] }, user()];

const meant = (messages: object[]) =>
  meantElsewhere(
    decodeRequest({
      model: "us.anthropic.claude-opus-4-6-v1",
      max_tokens: 9,
      tools: [tool("a"), tool("find")],
      messages,
    }),
  );

const conversations: [string, object[]][] = [
  ["a tool that was found", searched],
  ["a tool that is offered", changed("tool_addition")],
  ["a tool that is taken back", changed("tool_removal")],
  ["a tool that is taken back among instructions", among],
  ["a tool that is taken back before anything is said", atFirst],
];

describe("the cache marker on", () => {
  it.each(conversations)("%s is named as lost where there is no place for it", (_, messages) => {
    const lost: string[] = [];
    openAiChat.encodeRequest(meant(messages), (name) => lost.push(name));
    expect(lost.filter((name) => name.endsWith("cache_control"))).toHaveLength(1);
  });

  it.each(conversations)("%s stands behind what is said up to it where there is one", (_, messages) => {
    const lost: string[] = [];
    const wire = JSON.stringify(bedrockConverse.encodeRequest(meant(messages), (name) => lost.push(name)));
    expect(lost).not.toContain("messages.cache_control");
    expect(wire).toContain('{"cachePoint":{"type":"default","ttl":"1h"}}');
  });

  it("a change leaves one that stands before it, and thoughts, as they are", () => {
    const last = { role: "assistant", content: [{ type: "text", text: "Hm.", cache_control: { type: "ephemeral" } }] };
    const thoughts = { role: "assistant", content: [{ type: "thinking", thinking: "Hm.", signature: "s" }] };
    const instructions = { role: "system", content: [change("tool_removal")] };
    expect(meant([user(), last, instructions]).messages[1]?.content).toMatchObject([{ text: "Hm.", cache: {} }]);
    const { messages } = meant([user("First."), thoughts, instructions]);
    expect(messages).toMatchObject([{ content: [{ text: "First.", cache: { ttl: "1h" } }] }, { role: "assistant" }]);
  });
});
