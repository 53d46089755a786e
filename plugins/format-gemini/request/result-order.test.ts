import { expect, it } from "vitest";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { gemini } from "../index.ts";

const called = (...ids: string[]) => ({
  role: "assistant",
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "look", arguments: "{}" } })),
});
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: `of ${id}` });
const user = (content: string) => ({ role: "user", content });

function sent(...messages: object[]): unknown[] {
  const wire = gemini.encodeRequest(openAiChat.decodeRequest({ model: "gemini-3-pro", messages }), () => {});
  const parts = (wire.contents as { parts: Record<string, { response?: { output: string } }>[] }[]).flatMap(
    (content) => content.parts,
  );
  return parts.flatMap(({ functionResponse }) => functionResponse?.response?.output ?? []);
}

it("gives results in the order of their calls, which alone says whose they are where the vendor gave no ids", () => {
  const [a, b, c] = ["gateway-x-0", "gateway-x-1", "gateway-x-2"];
  expect(sent(user("Hi"), called(a, b, c), result(c), result(a), result(b))).toEqual([a, b, c].map((id) => `of ${id}`));
});

it("keeps the results of several turns apart, and those of no call behind the others", () => {
  const turns = [user("Hi"), called("b", "a"), result("a"), result("b"), called("d", "c"), result("c"), result("d")];
  expect(sent(...turns, user("And?"))).toEqual(["of b", "of a", "of d", "of c"]);
});
